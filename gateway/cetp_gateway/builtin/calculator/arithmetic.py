"""Works out an expression: Python's grammar for it, and of that only numbers, operators and named functions.

Nothing is evaluated by Python itself. A library does not help: simpleeval, the one that people use, lets whole numbers
grow until nothing else runs. Above: `calculate`. Below: `functions`.
"""

import ast
import decimal
import math
from collections.abc import Callable, Iterator
from typing import Final

from cetp_gateway.builtin.calculator.functions import CONSTANTS, FUNCTIONS, NotComputable, Number, bounded, power
from cetp_gateway.builtin.calculator.functions import decimal as as_decimal

MAX_CHARS: Final = 1000
MAX_DEPTH: Final = 50
_CONTEXT: Final = decimal.Context(prec=34, Emax=10_000, Emin=-10_000)
_SHOWN: Final = decimal.Context(prec=28)
"""Fewer digits than are kept, so that what the last steps lose does not show."""


def work_out(expression: str) -> Number:
    """The value. Raises NotComputable."""
    expression = expression.strip()
    try:
        tree = ast.parse(expression, mode="eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        reason = getattr(error, "msg", None) or "it cannot be read"
        raise NotComputable(f"this is no arithmetic expression: {reason}") from None
    with decimal.localcontext(_CONTEXT):
        try:
            return _value(tree.body, expression, 0)
        except ZeroDivisionError:
            raise NotComputable("a division by zero") from None
        except (decimal.DecimalException, ArithmeticError, ValueError, TypeError) as error:
            raise NotComputable(_reason(error)) from None


def shown(number: Number) -> str:
    """The number in digits, without zeros at its end."""
    if isinstance(number, int):
        return str(number)
    rounded = number.normalize(_SHOWN)
    plain = f"{rounded:f}"
    return plain if len(plain) <= 60 else str(rounded)


def _value(node: ast.expr, said: str, depth: int) -> Number:
    if depth > MAX_DEPTH:
        raise NotComputable(f"nested more than {MAX_DEPTH} levels deep")
    match node:
        case ast.Constant(value=int(number)) if not isinstance(number, bool):
            return bounded(number)
        case ast.Constant(value=float()):
            # As it is written: a float has lost some of its digits.
            return _CONTEXT.create_decimal(ast.get_source_segment(said, node) or "")
        case ast.Name(id=name) if name in CONSTANTS:
            return CONSTANTS[name]
        case ast.UnaryOp(op=ast.UAdd() | ast.USub(), operand=operand):
            value = _value(operand, said, depth + 1)
            return -value if isinstance(node.op, ast.USub) else value
        case ast.BinOp(left=left, op=operation, right=right) if type(operation) in _BINARY:
            return _checked(_BINARY[type(operation)](_value(left, said, depth + 1), _value(right, said, depth + 1)))
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in FUNCTIONS:
            return _checked(FUNCTIONS[name](*_values(arguments, said, depth + 1)))
    raise NotComputable(_unknown(node))


def _values(nodes: list[ast.expr], said: str, depth: int) -> Iterator[Number]:
    """The arguments of a function; those within a list count as its own."""
    for node in nodes:
        if isinstance(node, ast.List | ast.Tuple) and depth <= MAX_DEPTH:
            yield from _values(node.elts, said, depth + 1)
        else:
            yield _value(node, said, depth)


def _divided(left: Number, right: Number) -> Number:
    if isinstance(left, int) and isinstance(right, int) and left % right == 0:
        return left // right
    return as_decimal(left) / as_decimal(right)


def _floor_divided(left: Number, right: Number) -> Number:
    """Towards the smaller number, as with whole ones; decimals by themselves would go towards zero."""
    if isinstance(left, int) and isinstance(right, int):
        return left // right
    return math.floor(as_decimal(left) / as_decimal(right))


def _checked(number: Number) -> Number:
    if isinstance(number, int):
        return bounded(number)
    if not number.is_finite():
        raise NotComputable("a number gets too large or has no value")
    return number


_BINARY: Final[dict[type[ast.operator], Callable[[Number, Number], Number]]] = {
    ast.Add: lambda left, right: left + right,
    ast.Sub: lambda left, right: left - right,
    ast.Mult: lambda left, right: left * right,
    ast.Div: _divided,
    ast.FloorDiv: _floor_divided,
    ast.Mod: lambda left, right: left - right * _floor_divided(left, right),
    ast.Pow: power,
}


def _unknown(node: ast.expr) -> str:
    match node:
        case ast.BinOp(op=ast.BitXor()):
            return "a power is written **"
        case ast.Name(id=name) | ast.Call(func=ast.Name(id=name)):
            return f"{name[:40]} is not known; there are {', '.join((*CONSTANTS, *FUNCTIONS))}"
    return f"{type(node).__name__} is not arithmetic: only numbers, + - * / // % **, parentheses and functions are"


def _reason(error: Exception) -> str:
    if isinstance(error, decimal.DecimalException | OverflowError):
        return "a number gets too large or has no value"
    return f"it has no value ({error})"
