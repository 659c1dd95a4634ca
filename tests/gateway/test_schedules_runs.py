"""Runs of schedules: at their time, once, one at a time, and seen after a crash."""

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest

from cetp_gateway.api import RunStatus
from cetp_gateway.errors import ModelFailed, ModelFailure
from cetp_gateway.testing import Hold, ScriptedModel, ScriptedStep
from support.hand_clock import START, WITHIN_S, HandClock
from support.scheduled import scheduled
from support.whole import chat, until

TEN_ANSWERS = [ScriptedStep(text=f"answer {number}") for number in range(1, 11)]


async def test_a_schedule_runs_at_its_times_as_a_turn_of_its_own_session(tmp_path: Path) -> None:
    async with scheduled(tmp_path, TEN_ANSWERS) as gateway:
        job = await gateway.add("0 9 * * *", "What is on today?", name="morning")
        assert job["next_run"] == "2030-03-04T09:00:00Z"
        await gateway.clock.advance(hours=2)
        await gateway.ended(job)
        await gateway.clock.advance(days=1)
        runs = await gateway.ended(job, 2)
        rows = (await gateway.http.get(f"/api/sessions/{job['session_id']}/messages")).json()["messages"]
        sessions = (await gateway.http.get("/api/sessions")).json()["sessions"]

    assert [(run.status, run.output, run.note) for run in runs] == [
        (RunStatus.DONE, "answer 2", ""),
        (RunStatus.DONE, "answer 1", ""),
    ]
    assert [row["content"] for row in rows] == [
        "[Scheduled run of 'morning'; nobody is there to answer questions.]\nWhat is on today?",
        "answer 1",
        "[Scheduled run of 'morning'; nobody is there to answer questions.]\nWhat is on today?",
        "answer 2",
    ]
    assert [(session["session_id"], session["name"]) for session in sessions] == [(job["session_id"], "morning")]
    # The second turn has read the first.
    assert len(gateway.model.requests[1].messages) == 3


async def test_one_time_runs_once_and_is_over(tmp_path: Path) -> None:
    async with scheduled(tmp_path, TEN_ANSWERS) as gateway:
        job = await gateway.add("in 20 minutes")
        assert (job["schedule"], job["repeats"]) == ("2030-03-04T07:20:00+00:00", False)
        await gateway.clock.advance(minutes=20)
        await gateway.ended(job)
        after = (await gateway.http.get(f"/api/cron/{job['id']}")).json()
        gateway.clock.set(START + timedelta(days=30))

    assert (after["next_run"], after["last_status"]) == (None, "done")
    assert len(gateway.model.requests) == 1


async def test_what_was_missed_while_the_gateway_was_down_is_made_up_for_once_and_says_how_late_it_is(
    tmp_path: Path,
) -> None:
    async with scheduled(tmp_path) as gateway:
        job = await gateway.add("*/10 * * * *")
    later = HandClock(START + timedelta(hours=5, minutes=3))
    async with scheduled(tmp_path, TEN_ANSWERS, clock=later) as gateway:
        [run] = await gateway.ended(job)
        text = await gateway.asked()
        assert (await gateway.http.get(f"/api/cron/{job['id']}")).json()["next_run"] == "2030-03-04T12:10:00Z"

    # The last of the thirty that were missed.
    assert run.due_at == START + timedelta(hours=5)
    assert "It was due at 2030-03-04 12:00 UTC and begins 3 min late." in text
    assert len(gateway.model.requests) == 1


async def test_a_missed_run_that_is_too_old_is_told_and_not_run(tmp_path: Path) -> None:
    async with scheduled(tmp_path) as gateway:
        job = await gateway.add("in 20 minutes", max_age_s=3600)
    later = HandClock(START + timedelta(hours=2))
    async with scheduled(tmp_path, TEN_ANSWERS, clock=later) as gateway:
        [run] = await gateway.ended(job)

    assert run.status is RunStatus.MISSED
    assert "too old" in run.error
    assert gateway.model.requests == []


async def test_nothing_runs_within_the_pause_after_the_start(tmp_path: Path) -> None:
    async with scheduled(tmp_path) as gateway:
        job = await gateway.add("in 20 minutes")
    later = HandClock(START + timedelta(hours=1))
    async with scheduled(tmp_path, TEN_ANSWERS, clock=later, schedules={"start_delay_s": 30}, waits=1) as gateway:
        assert gateway.clock.until == [START + timedelta(hours=1, seconds=30)]
        assert await gateway.runs(job) == []
        await gateway.clock.advance(seconds=30)
        assert [run.status for run in await gateway.ended(job)] == [RunStatus.DONE]


async def test_runs_of_one_schedule_never_overlap_and_the_open_one_counts_what_it_kept_back(tmp_path: Path) -> None:
    hold = Hold()
    async with scheduled(tmp_path, [ScriptedStep(text="slow", hold=hold), *TEN_ANSWERS]) as gateway:
        job = await gateway.add("* * * * *")
        await gateway.clock.advance(minutes=1)
        await hold.reached.wait()
        await gateway.clock.advance(minutes=1)
        await gateway.clock.advance(minutes=1)
        refused = await gateway.http.post(f"/api/cron/{job['id']}/run")
        [run] = await gateway.runs(job)
        assert (run["status"], run["skipped"]) == ("running", 2)
        hold.released.set()
        [ended] = await gateway.ended(job)
        assert (ended.status, ended.skipped) == (RunStatus.DONE, 2)
        await gateway.clock.advance(minutes=1)
        assert len(await gateway.ended(job, 2)) == 2

    assert (refused.status_code, refused.json()["code"]) == (409, "SCHEDULE_BUSY")


async def test_a_run_whose_gateway_ends_in_its_middle_is_seen_and_not_repeated(tmp_path: Path) -> None:
    hold = Hold()
    async with scheduled(tmp_path, [ScriptedStep(text="half an answer", hold=hold)]) as gateway:
        job = await gateway.add("in 20 minutes")
        await gateway.clock.advance(minutes=20)
        await hold.reached.wait()
    later = HandClock(START + timedelta(hours=1))
    async with scheduled(tmp_path, TEN_ANSWERS, clock=later) as gateway:
        [run] = await gateway.ended(job)
        rows = (await gateway.http.get(f"/api/sessions/{job['session_id']}/messages")).json()["messages"]

    assert run.status is RunStatus.INTERRUPTED
    assert "Tools may have run" in run.error
    assert rows[1]["content"] == "half an answer\n[interrupted by user]"
    assert gateway.model.requests == []


async def test_a_run_that_a_crash_left_running_is_interrupted_at_the_next_start(tmp_path: Path) -> None:
    async with scheduled(tmp_path, TEN_ANSWERS) as gateway:
        job = await gateway.add("in 20 minutes")
        await gateway.clock.advance(minutes=20)
        await gateway.ended(job)
        # What is in the file when the process dies between the begin of a turn and its end.
        await gateway.runtime.database.write(
            lambda connection: connection.execute(
                "UPDATE schedule_runs SET status = 'running', body = json_set(body, '$.status', 'running')"
            )
        )
    async with scheduled(tmp_path, TEN_ANSWERS) as gateway:
        [run] = await gateway.ended(job)

    assert run.status is RunStatus.INTERRUPTED
    assert gateway.model.requests == []


async def test_a_clock_that_is_put_back_repeats_nothing(tmp_path: Path) -> None:
    async with scheduled(tmp_path, TEN_ANSWERS) as gateway:
        job = await gateway.add("0 9 * * *")
        await gateway.clock.advance(hours=2)
        await gateway.ended(job)
        gateway.clock.set(START)
        await gateway.clock.move_to(START + timedelta(days=1, hours=2))
        runs = await gateway.ended(job, 2)

    assert [run.due_at for run in runs] == [START + timedelta(days=1, hours=2), START + timedelta(hours=2)]
    assert len(gateway.model.requests) == 2


async def test_a_schedule_joins_a_session_and_stands_in_its_line(tmp_path: Path) -> None:
    hold = Hold()
    steps = [ScriptedStep(text="to the person", hold=hold), ScriptedStep(text="to the schedule")]
    async with scheduled(tmp_path, steps) as gateway, chat(gateway.running, "mine") as socket:
        job = await gateway.add("in 20 minutes", session_id="mine")
        await socket.send('{"type":"message","content":"hello"}')
        await hold.reached.wait()
        await gateway.clock.advance(minutes=20)
        assert len(gateway.model.requests) == 1
        hold.released.set()
        frames = await until(socket, "cron_result")
        [run] = await gateway.ended(job)

    assert run.output == "to the schedule"
    assert [frame["full_response"] for frame in frames if frame["type"] == "done"] == ["to the person"]
    assert {key: frames[-1][key] for key in ("job_id", "success", "output", "session_id")} == {
        "job_id": job["id"],
        "success": True,
        "output": "to the schedule",
        "session_id": "mine",
    }


async def test_a_busy_session_is_asked_again_since_nothing_has_run(tmp_path: Path) -> None:
    hold = Hold()
    steps = [ScriptedStep(text="to the person", hold=hold), ScriptedStep(text="to the schedule")]
    limits = {"turns_per_session": 1}
    async with scheduled(tmp_path, steps, limits=limits) as gateway, chat(gateway.running, "mine") as socket:
        job = await gateway.add("in 20 minutes", session_id="mine")
        await socket.send('{"type":"message","content":"hello"}')
        await hold.reached.wait()
        waits = len(gateway.clock.until)
        await gateway.clock.advance(minutes=20)
        # Two begin to wait: the next look at the schedules, and the run for its next try.
        await gateway.clock.watched(waits + 2)
        hold.released.set()
        await until(socket, "done")
        gateway.clock.set(gateway.clock.now() + timedelta(seconds=30))
        [run] = await gateway.ended(job)

    assert (run.status, run.output) == (RunStatus.DONE, "to the schedule")


@pytest.mark.parametrize(
    ("step", "status", "said"),
    [
        (ScriptedStep(fails=ModelFailed(ModelFailure.OVERLOADED, "The vendor is overloaded.")), "failed", "overloaded"),
        (ScriptedStep(text="never ends", hold=Hold()), "aborted", "schedules.run_timeout_s"),
    ],
)
async def test_a_turn_that_fails_or_takes_too_long_is_told_with_its_reason(
    tmp_path: Path, step: ScriptedStep, status: str, said: str
) -> None:
    async with scheduled(tmp_path, [step], schedules={"run_timeout_s": 0.2}) as gateway:
        job = await gateway.add("in 20 minutes", session_id="mine")
        async with chat(gateway.running, "mine") as socket:
            await gateway.clock.advance(minutes=20)
            frame = (await until(socket, "cron_result"))[-1]
        [run] = await gateway.ended(job)

    assert (run.status, frame["success"]) == (status, False)
    assert said in run.error
    assert said in frame["output"]


async def test_a_person_stops_the_turn_of_a_run(tmp_path: Path) -> None:
    hold = Hold()
    async with scheduled(tmp_path, [ScriptedStep(text="so far", hold=hold)]) as gateway:
        job = await gateway.add("in 20 minutes")
        await gateway.clock.advance(minutes=20)
        await hold.reached.wait()
        await gateway.http.post(f"/api/sessions/{job['session_id']}/abort")
        [run] = await gateway.ended(job)

    assert (run.status, run.output) == (RunStatus.ABORTED, "so far")


async def test_no_more_turns_run_side_by_side_than_the_settings_say(tmp_path: Path) -> None:
    hold = Hold()
    model = ScriptedModel([ScriptedStep(text="first", hold=hold), ScriptedStep(text="second")])
    async with scheduled(tmp_path, model, schedules={"runs_at_once": 1}) as gateway:
        jobs = [await gateway.add("in 20 minutes"), await gateway.add("in 20 minutes")]
        await gateway.clock.advance(minutes=20)
        await hold.reached.wait()
        assert sorted([(await gateway.runs(job))[0]["status"] for job in jobs]) == ["running", "waiting"]
        assert len(model.requests) == 1
        hold.released.set()
        for job in jobs:
            await gateway.ended(job)

    assert len(model.requests) == 2


async def test_as_many_runs_are_kept_as_the_settings_say(tmp_path: Path) -> None:
    async with scheduled(tmp_path, TEN_ANSWERS, schedules={"max_runs_kept": 2}) as gateway:
        job = await gateway.add("* * * * *")
        for number in range(1, 5):
            await gateway.clock.advance(minutes=1)
            async with asyncio.timeout(WITHIN_S):
                while (await gateway.ended(job))[0].output != f"answer {number}":
                    pass
        runs = await gateway.runs(job)

    assert [run["output"] for run in runs] == ["answer 4", "answer 3"]


async def test_nothing_runs_by_itself_when_schedules_are_switched_off(tmp_path: Path) -> None:
    async with scheduled(tmp_path, TEN_ANSWERS, schedules={"enabled": False}) as gateway:
        job = await gateway.add("in 20 minutes")
        gateway.clock.set(START + timedelta(hours=1))
        started = await gateway.http.post(f"/api/cron/{job['id']}/run")
        [run] = await gateway.ended(job)

    assert started.json()["status"] == "waiting"
    assert run.output == "answer 1"


async def test_a_run_by_hand_during_the_pause_after_the_start_is_not_run_twice(tmp_path: Path) -> None:
    hold = Hold()
    steps = [ScriptedStep(text="by hand", hold=hold), *TEN_ANSWERS]
    async with scheduled(tmp_path, steps, schedules={"start_delay_s": 30}, waits=1) as gateway:
        body = {"schedule": "0 9 * * *", "prompt": "What is on?"}
        job = (await gateway.http.post("/api/cron", json=body)).json()["job"]
        await gateway.http.post(f"/api/cron/{job['id']}/run")
        await hold.reached.wait()
        await gateway.clock.advance(seconds=30)
        hold.released.set()
        [run] = await gateway.ended(job)
        assert (run.status, run.output) == (RunStatus.DONE, "by hand")

    assert len(gateway.model.requests) == 1


async def test_an_end_that_cannot_be_stored_is_stored_once_the_disk_can_be_written_again(tmp_path: Path) -> None:
    hold = Hold()
    async with scheduled(tmp_path, [ScriptedStep(text="an answer", hold=hold)]) as gateway:
        job = await gateway.add("in 20 minutes")
        await gateway.clock.advance(minutes=20)
        await hold.reached.wait()
        waits = len(gateway.clock.until)
        await gateway.runtime.database.read(lambda connection: connection.execute("PRAGMA query_only = ON"))
        hold.released.set()
        await gateway.clock.watched(waits + 1)
        assert [run["status"] for run in await gateway.runs(job)] == ["running"]
        await gateway.runtime.database.read(lambda connection: connection.execute("PRAGMA query_only = OFF"))
        gateway.clock.set(gateway.clock.now() + timedelta(minutes=1))
        [run] = await gateway.ended(job)

    assert run.status.ended
