"""Stop reasons: the tables are complete, and message and reason agree."""

from typing import get_args

import anthropic.types
import pytest

from cetp_gateway.api import StopReason
from cetp_gateway.models.stop_reasons import (
    ANTHROPIC_STOP_REASONS,
    OPENAI_FINISH_REASONS,
    OPENAI_STOP_REASONS,
    settled,
)


def test_every_stop_reason_of_the_installed_sdk_is_in_the_table() -> None:
    assert set(get_args(anthropic.types.StopReason)) == set(ANTHROPIC_STOP_REASONS)


def test_every_finish_reason_of_openai_is_in_the_table() -> None:
    assert set(OPENAI_FINISH_REASONS) <= set(OPENAI_STOP_REASONS)


@pytest.mark.parametrize("table", [ANTHROPIC_STOP_REASONS, OPENAI_STOP_REASONS], ids=["anthropic", "openai"])
def test_every_reason_of_ours_but_a_pause_can_come_from_every_vendor(table: dict[str, StopReason]) -> None:
    assert set(StopReason) - {StopReason.PAUSED} <= set(table.values())


@pytest.mark.parametrize("reason", [*StopReason, None])
@pytest.mark.parametrize("has_calls", [True, False])
def test_calls_run_only_when_the_step_ended_well(reason: StopReason | None, has_calls: bool) -> None:
    well = reason in (StopReason.END, StopReason.TOOL_USE)

    assert (settled(reason, has_calls=has_calls) is StopReason.TOOL_USE) == (well and has_calls)
