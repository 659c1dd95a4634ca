"""The tool that calculates.

Above: `all_tools`. Below: `arithmetic`.
"""

from typing import Annotated

from msgspec import Meta

from cetp_gateway.api import CallContext, Effect
from cetp_gateway.builtin.builtin_tool import BuiltinTool, NotPossible
from cetp_gateway.builtin.calculator.arithmetic import MAX_CHARS, shown, work_out
from cetp_gateway.builtin.calculator.functions import NotComputable
from cetp_gateway.builtin.declared import Asked, Declared


class SumAsked(Asked, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is to be worked out."""

    expression: Annotated[
        str, Meta(min_length=1, max_length=MAX_CHARS, description="Such as (1250 + 80.5) * 1.19 or mean(3, 4, 8).")
    ]


class Calculate(BuiltinTool[SumAsked]):
    """The value and nothing else."""

    declared = Declared(
        SumAsked,
        name="calculate",
        effect=Effect.READS,
        description=(
            "Calculates: + - * / // % ** and functions such as round(x, places), sqrt, log, sin, sum, mean, median, "
            "min, max, factorial, comb. Whole numbers are exact, others have 28 digits. No variables."
        ),
    )

    async def run(self, asked: SumAsked, context: CallContext) -> str:  # noqa: ARG002
        try:
            return shown(work_out(asked.expression))
        except NotComputable as error:
            raise NotPossible(f"expression: {error}.") from None
