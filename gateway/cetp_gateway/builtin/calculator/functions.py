"""The functions and constants of the calculator. Whole numbers stay whole, everything else is decimal.

Above: `arithmetic`. Below: nothing.
"""

import math
from collections.abc import Callable
from decimal import Decimal
from typing import Final

Number = int | Decimal

MAX_BITS: Final = 14_000
"""Of a whole number: some 4200 digits."""
MAX_FACTORIAL: Final = 1500
MAX_CHOICES: Final = 5000


class NotComputable(Exception):
    """The expression has no value, or a too large one; the text says why."""


def bounded(number: int) -> int:
    """The number itself; raises NotComputable when it is too large to be worth showing."""
    if number.bit_length() > MAX_BITS:
        raise NotComputable("a whole number gets too large")
    return number


def decimal(number: float | Number) -> Decimal:
    """Any number as a decimal one."""
    return Decimal(repr(number)) if isinstance(number, float) else Decimal(number)


def whole(number: Number) -> int:
    """A number that has to be whole."""
    if number != int(number):
        raise NotComputable(f"{number} is no whole number")
    return int(number)


def power(base: Number, exponent: Number) -> Number:
    """Both whole: exact, within the bound. Otherwise decimal."""
    if isinstance(base, int) and isinstance(exponent, int) and exponent >= 0:
        if exponent * base.bit_length() > MAX_BITS and abs(base) > 1:
            raise NotComputable("a power gets too large")
        return int(base**exponent)
    return decimal(base) ** decimal(exponent)


def _factorial(number: Number) -> int:
    if number > MAX_FACTORIAL:
        raise NotComputable(f"factorials go up to that of {MAX_FACTORIAL}")
    return math.factorial(whole(number))


def _choices(choose: Callable[[int, int], int]) -> Callable[..., Number]:
    def chosen(total: Number, number: Number) -> int:
        if total > MAX_CHOICES or number > MAX_CHOICES:
            raise NotComputable(f"numbers of choices go up to {MAX_CHOICES}")
        return bounded(choose(whole(total), whole(number)))

    return chosen


def _floats(function: Callable[..., float]) -> Callable[..., Number]:
    return lambda *numbers: decimal(function(*map(float, numbers)))


def _round(number: Number, places: Number = 0) -> Number:
    rounded = round(decimal(number), whole(places))
    return int(rounded) if places <= 0 else rounded


def _log(number: Number, base: Number = 10) -> Number:
    return decimal(number).log10() if base == 10 else decimal(number).ln() / decimal(base).ln()


def _mean(*numbers: Number) -> Number:
    return decimal(sum(numbers)) / len(numbers)


def _median(*numbers: Number) -> Number:
    in_order = sorted(map(decimal, numbers))
    middle = len(in_order) // 2
    return in_order[middle] if len(in_order) % 2 else _mean(*in_order[middle - 1 : middle + 1])


def _stdev(*numbers: Number) -> Number:
    """Of a sample: divided by one less than there are."""
    mean = decimal(_mean(*numbers))
    return (sum(((number - mean) ** 2 for number in map(decimal, numbers)), Decimal()) / (len(numbers) - 1)).sqrt()


def _of_whole(function: Callable[..., int]) -> Callable[..., Number]:
    return lambda *numbers: bounded(function(*map(whole, numbers)))


FUNCTIONS: Final[dict[str, Callable[..., Number]]] = {
    "abs": abs, "min": min, "max": max, "round": _round,
    "floor": math.floor, "ceil": math.ceil,
    "trunc": math.trunc, "sum": lambda *numbers: sum(numbers, 0), "mean": _mean,
    "median": _median, "stdev": _stdev,
    "sqrt": lambda number: decimal(number).sqrt(), "exp": lambda number: decimal(number).exp(),
    "ln": lambda number: decimal(number).ln(), "log": _log, "log10": lambda number: decimal(number).log10(),
    "log2": lambda number: _log(number, 2),
    "sin": _floats(math.sin), "cos": _floats(math.cos), "tan": _floats(math.tan), "asin": _floats(math.asin),
    "acos": _floats(math.acos), "atan": _floats(math.atan), "atan2": _floats(math.atan2), "hypot": _floats(math.hypot),
    "degrees": _floats(math.degrees), "radians": _floats(math.radians),
    "gcd": _of_whole(math.gcd), "lcm": _of_whole(math.lcm), "factorial": _factorial,
    "comb": _choices(math.comb), "perm": _choices(math.perm),
}  # fmt: skip
CONSTANTS: Final[dict[str, Number]] = {
    "pi": Decimal("3.141592653589793238462643383279502884197"),
    "e": Decimal("2.718281828459045235360287471352662497757"),
    "tau": Decimal("6.283185307179586476925286766559005768394"),
}
