"""An agent that crashes is started again, with another seed, with pauses, and not for ever."""

import asyncio
import logging
import re

import pytest

from cetp_gateway.pipe import HostLink, HostOptions, Keeper, RestartPolicy, SessionEnd, SessionState
from cetp_gateway.pipe.keeper import Restarts
from support.pipe_programs import Browser, odd_agent

CRASH = SessionEnd(state=SessionState.CRASHED)
AT_ONCE = RestartPolicy(first_wait_s=0.01, max_crashes=3)


def test_pauses_grow_up_to_a_bound_and_end() -> None:
    restarts = Restarts(RestartPolicy(max_crashes=9))
    assert [restarts.wait_s(CRASH, 1) for _ in range(9)] == [1, 2, 4, 8, 16, 30, 30, 30, None]


def test_a_steady_session_ends_a_row_of_crashes() -> None:
    restarts = Restarts(RestartPolicy())
    assert [restarts.wait_s(CRASH, ran_s) for ran_s in (1, 1, 60, 1, 1)] == [1, 2, 1, 2, 4]


@pytest.mark.parametrize("state", [SessionState.ENDED, SessionState.FAILED])
def test_what_did_not_crash_is_not_started_again(state: SessionState) -> None:
    assert Restarts(RestartPolicy()).wait_s(SessionEnd(state=state), 1) is None


@pytest.mark.requirement("pipe.5.key")
async def test_each_start_has_a_seed_of_its_own(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "cetp_gateway.pipe")
    keeper = Keeper(lambda: HostLink(odd_agent("crashes"), Browser()), AT_ONCE)
    async with asyncio.timeout(30):
        end = await keeper.run()
    assert (end.state, end.exit_status) == (SessionState.CRASHED, 3)
    seeds = re.findall(r'"hmac_seed":"([0-9a-f]{64})"', caplog.text)
    assert len(seeds) == len(set(seeds)) == 3


async def test_closing_ends_the_session_and_starts_no_other() -> None:
    running = asyncio.Event()

    def note(state: SessionState) -> None:
        if state is SessionState.RUNNING:
            running.set()

    options = HostOptions(close_s=0.1)
    keeper = Keeper(lambda: HostLink(odd_agent("deaf"), Browser(), options=options, on_state=note), RestartPolicy())
    async with asyncio.timeout(30), asyncio.TaskGroup() as tasks:
        kept = tasks.create_task(keeper.run())
        await running.wait()
        keeper.close()
    assert kept.result().state is SessionState.CRASHED


async def test_closing_ends_a_pause() -> None:
    crashed = asyncio.Event()

    def note(state: SessionState) -> None:
        if state is SessionState.CRASHED:
            crashed.set()

    keeper = Keeper(lambda: HostLink(odd_agent("crashes"), Browser(), on_state=note), RestartPolicy(first_wait_s=600))
    async with asyncio.timeout(30), asyncio.TaskGroup() as tasks:
        tasks.create_task(keeper.run())
        await crashed.wait()
        keeper.close()
