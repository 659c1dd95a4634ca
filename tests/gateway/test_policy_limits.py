"""Actions per hour: a sliding window for each session that survives a restart and denied calls do not fill."""

from pathlib import Path

import pytest

from cetp_gateway.api import Denied, Effect
from cetp_gateway.policy.action_limit import HOUR_S, LINES, ActionLimit
from support.policed import PHONE, EffectTool, policed, ran
from support.recording_hook import RecordingHook

READ = EffectTool("read", Effect.READS, PHONE)


@pytest.mark.requirement("runtime.security.rate")
async def test_a_session_may_act_so_often_within_an_hour_and_no_more(tmp_path: Path) -> None:
    async with policed(tmp_path, max_actions_per_hour=2) as policy:
        assert ran(await policy.call(READ))
        assert ran(await policy.call(READ))
        refused = await policy.call(READ)
        assert ran(await policy.call(READ, session="other"))

    assert isinstance(refused, Denied)
    assert "policy.max_actions_per_hour" in refused.reason


@pytest.mark.requirement("runtime.security.rate")
async def test_a_restart_does_not_give_a_session_a_new_hour(tmp_path: Path) -> None:
    write = EffectTool("write", Effect.WRITES)
    async with policed(tmp_path, max_actions_per_hour=2, autonomy="full") as policy:
        assert ran(await policy.call(READ))
        assert ran(await policy.call(write))
    async with policed(tmp_path, max_actions_per_hour=2, autonomy="full") as policy:
        assert not ran(await policy.call(READ))
        assert ran(await policy.call(READ, session="other"))


async def test_calls_that_were_denied_are_no_actions(tmp_path: Path) -> None:
    async def no() -> Denied:
        return Denied("no", "rules")

    strict = RecordingHook("rules", before=no)
    async with policed(tmp_path, max_actions_per_hour=1, hooks=[strict]) as policy:
        assert not ran(await policy.call(READ))
    async with policed(tmp_path, max_actions_per_hour=1) as policy:
        assert ran(await policy.call(READ))
        assert not ran(await policy.call(READ))


async def test_outside_sessions_only_what_does_more_than_read_counts_for_each_client(tmp_path: Path) -> None:
    write = EffectTool("write", Effect.WRITES)
    async with policed(tmp_path, max_actions_per_hour=1, autonomy="full") as policy:
        for _ in range(3):
            assert ran(await policy.call(READ, session="", caller="rest", client="a"))
        assert ran(await policy.call(write, session="", caller="rest", client="a"))
        assert not ran(await policy.call(write, session="", caller="rest", client="a"))
        assert ran(await policy.call(write, session="", caller="rest", client="b"))


async def test_tools_of_clients_without_marks_count_in_sessions_and_after_a_restart(tmp_path: Path) -> None:
    alarm = EffectTool("alarm", Effect.UNKNOWN, PHONE)
    async with policed(tmp_path, max_actions_per_hour=1) as policy:
        for _ in range(3):
            assert ran(await policy.call(alarm, session="", caller="rest"))
        assert ran(await policy.call(alarm))
    async with policed(tmp_path, max_actions_per_hour=1) as policy:
        assert not ran(await policy.call(alarm))
        assert ran(await policy.call(alarm, session="", caller="rest"))


async def test_no_limit_is_a_choice(tmp_path: Path) -> None:
    async with policed(tmp_path, max_actions_per_hour=0) as policy:
        for _ in range(5):
            assert ran(await policy.call(READ))


class Clock:
    now = 10_000.0

    def __call__(self) -> float:
        return self.now


def test_the_window_slides() -> None:
    clock = Clock()
    limit = ActionLimit(2, clock)
    assert limit.take("s") == 0
    clock.now += 1000
    assert limit.take("s") == 0
    clock.now += 1000
    assert limit.take("s") == HOUR_S - 2000
    clock.now += HOUR_S - 2000
    assert limit.take("s") == 0
    assert limit.take("s") == 1000


def test_a_clock_that_is_set_back_locks_nobody_out_for_longer_than_an_hour() -> None:
    clock = Clock()
    limit = ActionLimit(1, clock)
    limit.take("s")
    clock.now -= 100_000
    assert limit.take("s") == 0


def test_sessions_that_have_been_quiet_for_an_hour_are_forgotten() -> None:
    clock = Clock()
    limit = ActionLimit(1, clock)
    for number in range(LINES):
        limit.take(f"s{number}")
    clock.now += HOUR_S + 1
    limit.take("new")
    assert limit.lines == 1
