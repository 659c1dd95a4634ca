"""The calculator."""

import ast
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cetp_gateway.builtin.calculator.arithmetic import shown, work_out
from cetp_gateway.builtin.calculator.functions import NotComputable
from support.builtin_calls import Builtins


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("1 + 2 * 3", "7"),
        ("0.1 + 0.2", "0.3"),
        ("7 / 2", "3.5"),
        ("6 / 2", "3"),
        ("1 / 3", "0.3333333333333333333333333333"),
        ("-7 // 2", "-4"),
        ("-7.0 // 2", "-4"),
        ("-7 % 3", "2"),
        ("-7.5 % 3", "1.5"),
        ("2 ** 100", "1267650600228229401496703205376"),
        ("2 ** -2", "0.25"),
        ("2 ** 0.5", "1.414213562373095048801688724"),
        ("(1250 + 80.5) * 1.19", "1583.295"),
        ("round(2.675, 2)", "2.68"),
        ("round(1250, -2)", "1200"),
        ("sqrt(16)", "4"),
        ("log(1000)", "3"),
        ("log(8, 2)", "3"),
        ("ln(e)", "1"),
        ("sin(pi / 2)", "1"),
        ("mean(3, 4, 8)", "5"),
        ("mean([3, 4, 9])", "5.333333333333333333333333333"),
        ("median(9, 1, 5)", "5"),
        ("median(4, 1, 2, 9)", "3"),
        ("stdev(2, 4, 4, 4, 5, 5, 7, 9)", "2.138089935299395077476427847"),
        ("sum([1, 2], 3.5)", "6.5"),
        ("max(1, 2.5)", "2.5"),
        ("factorial(20)", "2432902008176640000"),
        ("comb(49, 6)", "13983816"),
        ("gcd(12, 18)", "6"),
        ("0.12345678901234567890123", "0.12345678901234567890123"),
        ("1e3", "1000"),
        ("1e-9 * 3", "0.000000003"),
        (" 1\t+ 1 ", "2"),
    ],
)
async def test_it_calculates(expression: str, value: str, tmp_path: Path) -> None:
    assert await Builtins(tmp_path).said("calculate", expression=expression) == value


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        ("1 / 0", "division by zero"),
        ("0 ** -1", "no value"),
        ("9 ** 9 ** 9", "too large"),
        ("2 ** 10 ** 9", "too large"),
        ("factorial(10 ** 9)", "factorials go up to"),
        ("comb(10 ** 9, 5 * 10 ** 8)", "go up to"),
        ("exp(10 ** 9)", "too large"),
        ("1e9999 * 1e9999", "too large"),
        ("1e99999999", "too large"),
        ("floor(1e9000)", "too large"),
        ("10.0 ** 5000 // 1", "too large"),
        ("round(1.5, 10 ** 9)", "too large"),
        ("sqrt(-1)", "no value"),
        ("factorial(2.5)", "no whole number"),
        ("2 ^ 3", "a power is written **"),
        ("x + 1", "x is not known"),
        ("open('a')", "open is not known"),
        ("().__class__", "Attribute is not arithmetic"),
        ("'a' * 10 ** 9", "Constant is not arithmetic"),
        ("[1] * 10 ** 9", "List is not arithmetic"),
        ("sum(x for x in [1])", "GeneratorExp is not arithmetic"),
        ("True + 1", "Constant is not arithmetic"),
        ("1j", "Constant is not arithmetic"),
        ("1 +", "no arithmetic expression"),
        ("(" * 300 + "1" + ")" * 300, "no arithmetic expression"),
        ("-" * 300 + "1", "levels deep"),
        ("1 if 1 else 2", "IfExp is not arithmetic"),
        ("round(number=1)", "round is not known"),
        ("stdev(1)", "no value"),
        ("median()", "no value"),
        ("gcd()" + "+0" * 10 + "+min()", "no value"),
    ],
)
async def test_what_has_no_value_or_would_take_long_is_refused_with_its_reason(
    expression: str, reason: str, tmp_path: Path
) -> None:
    assert reason in await Builtins(tmp_path).refusal("calculate", expression=expression)


NUMBERS = st.one_of(st.integers(-99, 99).map(str), st.decimals(-99, 99, places=2, allow_nan=False).map(str))
NAMES = st.sampled_from(["sqrt", "exp", "factorial", "round", "comb", "ln", "floor", "max", "gcd", "tan", "mean"])
EXPRESSIONS = st.recursive(
    NUMBERS,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", "*", "/", "//", "%", "**"]), inner).map(
            lambda t: f"({''.join(t)})"
        ),
        st.tuples(NAMES, st.lists(inner, max_size=3)).map(lambda t: f"{t[0]}({', '.join(t[1])})"),
    ),
    max_leaves=20,
)


@given(EXPRESSIONS)
def test_every_expression_has_a_bounded_value_or_a_reason(expression: str) -> None:
    with suppress(NotComputable):
        said = shown(work_out(expression))
        assert len(said) < 5000
        assert isinstance(ast.literal_eval(said), int | float)
