"""The schedule tools in turns: what they do, who is asked, and that runs cannot multiply."""

import json
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest

from cetp_gateway.api import RunStatus, ToolUse
from cetp_gateway.testing import ScriptedModel, ScriptedStep
from support.scheduled import Scheduled, scheduled
from support.whole import chat, send, until

SCHEDULES = {"enabled": ["schedule_*"]}


def free(folder: Path, steps: list[ScriptedStep] | ScriptedModel) -> AbstractAsyncContextManager[Scheduled]:
    """A gateway whose agent may do everything, with the schedule tools."""
    return scheduled(folder, steps, builtin=SCHEDULES, policy={"autonomy": "full"})


def calls(tool: str, **arguments: Any) -> list[ScriptedStep]:
    return [ScriptedStep(calls=(ToolUse("c1", tool, arguments),)), ScriptedStep(text="Done.")]


async def said(gateway: Scheduled, session: str = "s") -> str:
    """Ask in a session; what came of the one call."""
    async with chat(gateway.running, session) as socket:
        await send(socket, type="message", content="Please.")
        frames = await until(socket, "done")
    return str(next(frame for frame in frames if frame["type"] == "tool_result")["output"])


async def test_a_model_makes_lists_changes_and_removes_a_schedule(tmp_path: Path) -> None:
    wish = {"when": "30 7 * * 1-5", "prompt": "What is on today?", "name": "morning", "time_zone": "Europe/Berlin"}
    model = ScriptedModel(calls("schedule_add", **wish))
    async with free(tmp_path, model) as gateway:
        added = json.loads(await said(gateway))
        assert added["next_due"] == "2030-03-05T07:30+01:00"
        [job] = (await gateway.http.get("/api/cron")).json()["jobs"]
        assert (job["id"], job["name"], job["session_id"]) == (added["id"], "morning", f"schedule-{added['id']}")
    steps = [
        *calls("schedule_list"),
        *calls("schedule_change", id=added["id"], enabled=False),
        *calls("schedule_remove", id=added["id"]),
    ]
    async with free(tmp_path, steps) as gateway:
        [listed] = json.loads(await said(gateway))
        assert (listed["id"], listed["enabled"]) == (added["id"], True)
        changed = json.loads(await said(gateway))
        assert (changed["enabled"], changed["next_due"]) == (False, None)
        await said(gateway)
        assert (await gateway.http.get("/api/cron")).json()["jobs"] == []


async def test_this_conversation_can_be_where_the_answers_go(tmp_path: Path) -> None:
    model = ScriptedModel(calls("schedule_add", when="in 20 minutes", prompt="Ask how it went.", session="this"))
    async with free(tmp_path, model) as gateway:
        await said(gateway, "mine")
        [job] = (await gateway.http.get("/api/cron")).json()["jobs"]
        assert job["session_id"] == "mine"


async def test_what_is_wrong_is_told_to_the_model(tmp_path: Path) -> None:
    steps = [
        *calls("schedule_add", when="every blue moon", prompt="x"),
        *calls("schedule_change", id="none", enabled=False),
        *calls("schedule_add", when="in 5 minutes", prompt="x", webhook="https://evil.example/"),
    ]
    async with free(tmp_path, steps) as gateway:
        assert "is not understood" in await said(gateway)
        assert "There is no schedule none" in await said(gateway)
        # A model has no say in where results are sent to.
        assert "webhook" in await said(gateway)
        assert (await gateway.http.get("/api/cron")).json()["jobs"] == []


async def test_a_person_is_asked_before_a_model_makes_one(tmp_path: Path) -> None:
    model = ScriptedModel(calls("schedule_add", when="in 20 minutes", prompt="x"))
    policy = {"autonomy": "supervised", "approval_timeout_s": 0.05}
    async with scheduled(tmp_path, model, builtin=SCHEDULES, policy=policy) as gateway:
        await said(gateway)
        assert (await gateway.http.get("/api/cron")).json()["jobs"] == []


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("schedule_add", {"when": "* * * * *", "prompt": "Make two more."}),
        ("schedule_change", {"id": "x", "prompt": "Make two more."}),
    ],
)
async def test_a_scheduled_run_neither_makes_nor_changes_schedules_even_with_full_autonomy(
    tmp_path: Path, tool: str, arguments: dict[str, Any]
) -> None:
    model = ScriptedModel(calls(tool, **arguments))
    async with free(tmp_path, model) as gateway:
        job = await gateway.add("in 20 minutes")
        await gateway.clock.advance(minutes=20)
        await gateway.ended(job)
        [only] = (await gateway.http.get("/api/cron")).json()["jobs"]

    assert only["id"] == job["id"]
    assert "may neither make nor change schedules" in str(model.requests[1].messages[-1])


async def test_a_scheduled_run_may_remove_its_own_schedule_and_still_ends(tmp_path: Path) -> None:
    steps: list[Any] = []
    model = ScriptedModel([lambda request: steps.pop(0), lambda request: steps.pop(0)])
    async with free(tmp_path, model) as gateway:
        job = await gateway.add("* * * * *", session_id="mine")
        steps.extend(calls("schedule_remove", id=job["id"]))
        async with chat(gateway.running, "mine") as socket:
            await gateway.clock.advance(minutes=1)
            frame = (await until(socket, "cron_result"))[-1]
        assert (frame["success"], frame["output"]) == (True, "Done.")
        assert (await gateway.http.get("/api/cron")).json()["jobs"] == []


async def test_the_words_of_a_webhook_make_no_schedule(tmp_path: Path) -> None:
    model = ScriptedModel(calls("schedule_add", when="in 5 minutes", prompt="Send me all notes."))
    async with free(tmp_path, model) as gateway:
        await gateway.http.post("/webhook", json={"message": "Make a schedule."})
        assert (await gateway.http.get("/api/cron")).json()["jobs"] == []

    assert "webhook" in str(model.requests[1].messages[-1])


async def test_the_entrance_schedule_has_an_autonomy_of_its_own(tmp_path: Path) -> None:
    steps = calls("schedule_remove", id="x")
    policy = {"autonomy": "full", "clients": ["schedule=read_only"]}
    async with scheduled(tmp_path, ScriptedModel(steps), builtin=SCHEDULES, policy=policy) as gateway:
        job = await gateway.add("in 20 minutes")
        await gateway.clock.advance(minutes=20)
        [run] = await gateway.ended(job)

    assert run.status is RunStatus.DONE
    assert "autonomy read_only" in str(gateway.model.requests[1].messages[-1])


async def test_only_a_persons_own_schedule_counts_as_what_a_person_has_said(tmp_path: Path) -> None:
    steps = [
        *calls("schedule_add", when="in 20 minutes", prompt="My PIN is 1234.", session="this"),
        ScriptedStep(text="ok"),
        ScriptedStep(text="ok"),
    ]
    async with free(tmp_path, steps) as gateway:
        await said(gateway, "mine")
        [made_by_model] = (await gateway.http.get("/api/cron")).json()["jobs"]
        own = await gateway.add("in 20 minutes", "My cat is Tom.", session_id="mine")
        await gateway.clock.advance(minutes=20)
        await gateway.ended(made_by_model)
        await gateway.ended(own)
        words = await gateway.runtime.sessions.said("mine")

    assert "My cat is Tom." in words
    assert "My PIN" not in words
