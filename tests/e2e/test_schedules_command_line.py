"""`cetp schedules` against a gateway of its own process, whose clock is this machine's."""

import asyncio
import json
from pathlib import Path

from support.served import LIMIT_S, Served, served

SETTINGS = {"CETP_SCHEDULES_START_DELAY_S": "0", "CETP_SCHEDULES_TIME_ZONE": "UTC", "CETP_MODEL_PROVIDER": "offline"}


async def done(gateway: Served, schedule: str) -> str:
    """The text of `show` once a run has ended well."""
    async with asyncio.timeout(LIMIT_S):
        while "  done" not in (shown := (await gateway.cetp("schedules", "show", schedule)).out):
            pass
    return shown


async def test_add_list_show_pause_resume_run_and_remove(tmp_path: Path) -> None:
    async with served(tmp_path, **SETTINGS) as gateway:
        assert "There are no schedules" in (await gateway.cetp("schedules")).out
        added = await gateway.cetp("schedules", "add", "30 7 * * 1-5", "Hello there", "--name", "morning")
        assert added.code == 0, added.err
        schedule = added.out.split()[0]
        listed = (await gateway.cetp("schedules", "list")).out
        assert "30 7 * * 1-5" in listed
        assert "morning" in listed
        [job] = json.loads((await gateway.cetp("schedules", "list", "--json")).out)
        assert job["id"] == schedule
        assert f"{schedule} is paused." in (await gateway.cetp("schedules", "pause", schedule[:4])).out
        assert "paused" in (await gateway.cetp("schedules")).out
        assert "next: 20" in (await gateway.cetp("schedules", "resume", schedule)).out
        assert "Started" in (await gateway.cetp("schedules", "run", schedule)).out
        assert "prompt       Hello there" in await done(gateway, schedule)
        assert "was removed" in (await gateway.cetp("schedules", "remove", schedule)).out
        missing = await gateway.cetp("schedules", "show", schedule)
        assert (missing.code, "cetp schedules" in missing.err) == (1, True)


async def test_a_schedule_outlives_a_restart_and_runs_by_itself(tmp_path: Path) -> None:
    async with served(tmp_path, **SETTINGS) as gateway:
        added = await gateway.cetp("schedules", "add", "in 3 seconds", "Hello there")
        assert added.code == 0, added.err
        await gateway.terminate()
    async with served(tmp_path, **SETTINGS) as gateway:
        shown = await done(gateway, added.out.split()[0])
        assert "next         never" in shown


async def test_what_is_not_understood_is_told_with_what_to_write(tmp_path: Path) -> None:
    async with served(tmp_path, **SETTINGS) as gateway:
        wrong = await gateway.cetp("schedules", "add", "some day", "Hello there")

    assert wrong.code == 1
    assert "in 20 minutes" in wrong.err
