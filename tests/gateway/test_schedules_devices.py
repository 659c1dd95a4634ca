"""Runs that want a phone: they wait for it, and say honestly since when it has been away."""

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cetp_gateway.api import RunStatus, ToolUse
from cetp_gateway.testing import ScriptedStep
from support.hand_clock import START, WITHIN_S, HandClock
from support.raw_phones import raw_phone
from support.scheduled import Json, Scheduled, scheduled

CALLING = [ScriptedStep(calls=(ToolUse("c1", "notes", {}),)), ScriptedStep(text="There is one note.")]
ANSWER = [ScriptedStep(text="Your notes are out of reach.")]


async def seen_and_gone(gateway: Scheduled, name: str = "pixel") -> None:
    """A phone of this name comes, offers a tool, and leaves."""
    gone = asyncio.Event()
    async with raw_phone(gateway.running.port, "notes", device_id=name):
        unsubscribe = gateway.runtime.registry.subscribe(lambda _: gone.set())
    async with asyncio.timeout(WITHIN_S):
        await gone.wait()
    unsubscribe()
    assert len(gateway.runtime.devices) == 0


async def waiting(gateway: Scheduled) -> Json:
    """A schedule that wants the phone `pixel`, due and waiting for it."""
    job = await gateway.add("in 20 minutes", devices=["pixel"])
    waits = len(gateway.clock.until)
    gateway.clock.set(START + timedelta(minutes=20))
    # The next look at the schedules, and the run for its device.
    await gateway.clock.watched(waits + 2)
    assert [run["status"] for run in await gateway.runs(job)] == ["waiting"]
    return job


async def test_a_run_waits_until_the_phone_is_back_with_its_tools_and_then_uses_them(tmp_path: Path) -> None:
    async with scheduled(tmp_path, CALLING) as gateway:
        await seen_and_gone(gateway)
        job = await waiting(gateway)
        gateway.clock.set(START + timedelta(hours=1))
        async with raw_phone(gateway.running.port, device_id="pixel") as phone:
            assert gateway.model.requests == []
            await phone.offer("notes")
            request = await phone.called()
            await phone.answer(request, '["buy milk"]')
            [run] = await gateway.ended(job)

    assert (run.status, run.output) == (RunStatus.DONE, "There is one note.")
    assert "begins 40 min late" in run.note
    assert "away" not in run.note


async def test_when_the_wait_is_over_the_turn_runs_and_is_told_since_when_the_phone_has_been_away(
    tmp_path: Path,
) -> None:
    async with scheduled(tmp_path, ANSWER, schedules={"wait_for_device_s": 3600}) as gateway:
        left_after = datetime.now(UTC) - timedelta(minutes=1)
        await seen_and_gone(gateway)
        job = await waiting(gateway)
        gateway.clock.set(START + timedelta(minutes=20, seconds=3599))
        assert [run["status"] for run in await gateway.runs(job)] == ["waiting"]
        gateway.clock.set(START + timedelta(minutes=80))
        [run] = await gateway.ended(job)
        text = await gateway.asked()

    assert "The device 'pixel' has been away since " in run.note
    said = run.note.split("away since ")[1].split(" UTC")[0]
    assert left_after <= datetime.fromisoformat(f"{said}+00:00") + timedelta(minutes=1)
    assert run.note in text
    assert "do not make up what is missing" in text
    assert run.status is RunStatus.DONE


async def test_the_wait_is_the_schedules_own_when_it_has_one(tmp_path: Path) -> None:
    async with scheduled(tmp_path, ANSWER) as gateway:
        await seen_and_gone(gateway)
        job = await gateway.add("in 20 minutes", devices=["pixel"], wait_for_device_s=0)
        await gateway.clock.advance(minutes=20)
        [run] = await gateway.ended(job)

    assert "away since" in run.note


async def test_a_phone_that_offers_no_tools_is_told_apart_from_one_that_is_away(tmp_path: Path) -> None:
    async with scheduled(tmp_path, ANSWER) as gateway, raw_phone(gateway.running.port, device_id="pixel"):
        job = await gateway.add("in 20 minutes", devices=["pixel"], wait_for_device_s=0)
        await gateway.clock.advance(minutes=20)
        [run] = await gateway.ended(job)

    assert run.note == "The device 'pixel' is connected but offers no tools."


async def test_a_waiting_run_waits_on_after_a_restart(tmp_path: Path) -> None:
    async with scheduled(tmp_path) as gateway:
        await gateway.runtime.paired.pair("pixel")
        job = await waiting(gateway)
    later = HandClock(START + timedelta(minutes=30))
    async with scheduled(tmp_path, ANSWER, clock=later, waits=3) as gateway:
        assert [run["status"] for run in await gateway.runs(job)] == ["waiting"]
        gateway.clock.set(START + timedelta(hours=5))
        [run] = await gateway.ended(job)

    assert run.due_at == START + timedelta(minutes=20)
    assert "The device 'pixel' is away, and when it was last here is not known" in run.note


async def test_a_paired_phones_last_sign_of_life_outlives_a_restart(tmp_path: Path) -> None:
    async with scheduled(tmp_path, server={"require_pairing": True}) as gateway:
        paired = await gateway.runtime.paired.pair("pixel")
        headers = {"authorization": f"Bearer {paired.token}"}
        async with raw_phone(gateway.running.port, "notes", device_id="pixel-1", additional_headers=headers):
            pass
    async with scheduled(tmp_path, ANSWER) as gateway:
        job = await gateway.add("in 20 minutes", devices=["Pixel"], wait_for_device_s=0)
        await gateway.clock.advance(minutes=20)
        [run] = await gateway.ended(job)

    assert "The device 'Pixel' has been away since " in run.note


async def test_a_schedule_that_was_changed_while_its_run_waited_runs_as_it_is_now(tmp_path: Path) -> None:
    async with scheduled(tmp_path, ANSWER) as gateway:
        await seen_and_gone(gateway)
        job = await waiting(gateway)
        await gateway.http.patch(f"/api/cron/{job['id']}", json={"prompt": "The new words"})
        gateway.clock.set(START + timedelta(hours=10))
        await gateway.ended(job)
        assert (await gateway.asked()).endswith("\nThe new words")


async def test_a_schedule_that_was_removed_while_its_run_waited_does_not_run(tmp_path: Path) -> None:
    async with scheduled(tmp_path, ANSWER) as gateway:
        await seen_and_gone(gateway)
        job = await waiting(gateway)
        other = await gateway.add("in 10 hours")
        await gateway.http.delete(f"/api/cron/{job['id']}")
        gateway.clock.set(START + timedelta(hours=11))
        await gateway.ended(other)
        assert (await gateway.asked()).endswith("\nWhat is on?")

    assert len(gateway.model.requests) == 1


async def test_a_device_that_nobody_knows_is_refused_with_those_that_are_known(tmp_path: Path) -> None:
    async with scheduled(tmp_path) as gateway, raw_phone(gateway.running.port, device_id="pixel"):
        wish = {"schedule": "in 20 minutes", "prompt": "x", "devices": ["pixie"]}
        answer = await gateway.http.post("/api/cron", json=wish)

    assert answer.status_code == 400
    assert "no device called 'pixie'. Known are: pixel." in answer.json()["error"]
