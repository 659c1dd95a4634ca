"""Regular expressions of strangers, matched within a budget.

Two engines: one whose time is linear in the text, and for what it cannot do (look-around, back-references) one that
goes back a bounded number of times. Even linear time can be long: it grows with the expression as well, about
0.1 µs per character and KiB of its compiled size. So each match spends from a budget that a check of arguments has
in all, and what is beyond it is not matched at all: the phone's app checks its own arguments anyway.
Above: `compiled_schema`, `schema_check`. Knows nothing of tools.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import jsonschema_rs
from jsonschema_rs import FancyRegexOptions, RegexOptions

KIB = 1024
SIZES_KIB = (16, 128)
"""Compiled sizes that are tried. A date takes less than 8 KiB, `^.{1,500}$` is too large."""
BACKTRACKS = 1000
BACKTRACKING_KIB = 150
"""What a match of the other engine counts as, per character."""
BUDGET_KIB_CHARS = 100_000
"""KiB of expression times characters of text in one check of arguments: 10 ms at worst."""

_GAVE_UP = (
    jsonschema_rs.ValidationErrorKind.BacktrackLimitExceeded,
    jsonschema_rs.ValidationErrorKind.RegexEngineFailure,
)
"""No verdict, so the text passes."""

_REPEATS = re.compile(r"\{\d+(?:,\d*)?\}")


class Pattern:
    """A compiled expression; `kib` is 0 when it is too large to be matched, and then everything passes."""

    __slots__ = ("_check", "kib")

    def __init__(self, check: "jsonschema_rs.Validator | None", kib: int) -> None:
        self._check = check
        self.kib = kib

    def fits(self, text: str) -> bool:
        """Whether the expression is found in the text (ECMA-262 dialect, not anchored)."""
        if self._check is None or self._check.is_valid(text):
            return True
        return any(isinstance(error.kind, _GAVE_UP) for error in self._check.iter_errors(text))


@lru_cache(maxsize=256)
def compile_pattern(expression: str) -> Pattern | None:
    """The expression, ready to be matched; None when it is no regular expression."""
    for kib in SIZES_KIB:
        check = _compile(expression, linear(kib))
        if check is not None:
            return Pattern(check, kib)
    check = _compile(expression, backtracking(SIZES_KIB[-1]))
    if check is not None:
        return Pattern(check, BACKTRACKING_KIB)
    # Without its counted repetitions it compiles if only its size is wrong.
    small = _REPEATS.sub("{1}", expression)
    return Pattern(None, 0) if _compile(small, backtracking(SIZES_KIB[-1])) is not None else None


def linear(kib: int) -> RegexOptions:
    return RegexOptions(size_limit=kib * KIB, dfa_size_limit=kib * KIB)


def backtracking(kib: int) -> FancyRegexOptions:
    return FancyRegexOptions(backtrack_limit=BACKTRACKS, size_limit=kib * KIB, dfa_size_limit=kib * KIB)


def _compile(expression: str, options: RegexOptions | FancyRegexOptions) -> "jsonschema_rs.Validator | None":
    try:
        return jsonschema_rs.Draft202012Validator({"pattern": expression}, pattern_options=options, offline=True)
    except ValueError:
        return None


class Budget:
    """What is left for matching in the running check; whoever starts one fills it."""

    __slots__ = ("left",)

    def __init__(self) -> None:
        self.left = BUDGET_KIB_CHARS


def pattern_keyword(budget: Budget) -> type:
    """An implementation of the keyword `pattern` for jsonschema_rs that spends from this budget."""

    class BudgetedPattern:
        def __init__(self, _parent: dict[str, Any], value: Any, _path: list[str | int]) -> None:
            found = compile_pattern(value)
            self._fits: Callable[[str], bool] | None = found.fits if found is not None and found.kib else None
            self._kib = found.kib if found is not None else 0

        def validate(self, instance: Any) -> None:
            if self._fits is None or type(instance) is not str:
                return
            budget.left -= self._kib * len(instance)
            if budget.left >= 0 and not self._fits(instance):
                raise ValueError("pattern")

    return BudgetedPattern
