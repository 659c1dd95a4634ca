"""`/api/cron`: made, changed, paused, run, removed; with ClawSeed's field names; bounded."""

from pathlib import Path
from typing import Any

import pytest

from cetp_gateway.testing import ScriptedStep
from support.entered import entered
from support.scheduled import scheduled

ANSWERS = [ScriptedStep(text="one"), ScriptedStep(text="two")]


async def test_a_job_has_the_fields_that_clawseeds_clients_know(tmp_path: Path) -> None:
    async with scheduled(tmp_path, ANSWERS) as gateway:
        body = {
            "name": "n",
            "schedule": "*/5 * * * *",
            "prompt": "p",
            "job_type": "agent",
            "session_target": "isolated",
        }
        made = (await gateway.http.post("/api/cron", json=body)).json()
        await gateway.clock.advance(minutes=5)
        await gateway.ended(made["job"])
        listed = (await gateway.http.get("/api/cron")).json()
        runs = (await gateway.http.get(f"/api/cron/{made['job']['id']}/runs?limit=1")).json()
        settings = (await gateway.http.get("/api/cron/settings")).json()
        removed = (await gateway.http.delete(f"/api/cron/{made['job']['id']}")).json()

    assert made["status"] == removed["status"] == "ok"
    [job] = listed["jobs"]
    known = ("expression", "prompt", "name", "job_type", "enabled", "next_run", "last_run", "last_status")
    assert [job[field] for field in known] == [
        "*/5 * * * *",
        "p",
        "n",
        "agent",
        True,
        "2030-03-04T07:10:00Z",
        "2030-03-04T07:05:00Z",
        "done",
    ]
    [run] = runs["runs"]
    assert {"id", "job_id", "started_at", "finished_at", "status", "output", "duration_ms"} <= run.keys()
    assert (run["job_id"], run["output"], run["duration_ms"]) == (job["id"], "one", 0)
    assert settings == {"enabled": True, "catch_up_on_startup": True, "max_run_history": 50}


async def test_paused_it_does_not_run_and_resumed_it_makes_up_for_nothing(tmp_path: Path) -> None:
    async with scheduled(tmp_path, ANSWERS) as gateway:
        job = await gateway.add("0 9 * * *")
        await gateway.http.patch(f"/api/cron/{job['id']}", json={"enabled": False})
        other = await gateway.add("in 3 hours")
        await gateway.clock.advance(hours=3)
        await gateway.ended(other)
        resumed = (await gateway.http.patch(f"/api/cron/{job['id']}", json={"enabled": True})).json()["job"]
        assert await gateway.runs(job) == []

    assert resumed["next_run"] == "2030-03-05T09:00:00Z"


async def test_another_time_zone_moves_the_times_of_a_repeating_schedule(tmp_path: Path) -> None:
    async with scheduled(tmp_path) as gateway:
        job = await gateway.add("0 9 * * *", time_zone="Asia/Shanghai")
        changed = await gateway.http.patch(f"/api/cron/{job['id']}", json={"time_zone": "Europe/Berlin"})

    assert job["next_run"] == "2030-03-05T01:00:00Z"
    assert changed.json()["job"]["next_run"] == "2030-03-04T08:00:00Z"


async def test_a_change_takes_effect_at_once(tmp_path: Path) -> None:
    async with scheduled(tmp_path, ANSWERS) as gateway:
        job = await gateway.add("0 9 * * *")
        waits = len(gateway.clock.until)
        await gateway.http.patch(f"/api/cron/{job['id']}", json={"schedule": "30 7 * * *", "name": "  early  bird "})
        await gateway.clock.watched(waits + 1)
        await gateway.clock.advance(minutes=30)
        assert len(await gateway.ended(job)) == 1
        assert (await gateway.http.get(f"/api/cron/{job['id']}")).json()["name"] == "early bird"


async def test_run_now_answers_before_the_turn_has_ended(tmp_path: Path) -> None:
    async with scheduled(tmp_path, ANSWERS) as gateway:
        job = await gateway.add("0 9 * * *")
        started = (await gateway.http.post(f"/api/cron/{job['id']}/run")).json()
        [run] = await gateway.ended(job)
        after = (await gateway.http.get(f"/api/cron/{job['id']}")).json()

    assert (started["status"], run.output) == ("waiting", "one")
    assert after["next_run"] == job["next_run"]


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        ({"schedule": "0 9 * * *"}, "prompt"),
        ({"schedule": "0 9 * * *", "prompt": " "}, "prompt"),
        ({"schedule": "0 9 * * *", "prompt": "x" * 8001}, "schedules.prompt_chars"),
        ({"schedule": "nonsense", "prompt": "x"}, "when: 'nonsense'"),
        ({"schedule": "0 9 * * *", "prompt": "x", "time_zone": "Nowhere"}, "time_zone"),
        ({"schedule": "0 9 * * *", "prompt": "x", "wait_for_device_s": -1}, "wait_for_device_s"),
        ({"schedule": "0 9 * * *", "prompt": "x", "session_id": "a/b"}, "session_id"),
    ],
)
async def test_a_wrong_field_is_named(tmp_path: Path, wish: dict[str, Any], said: str) -> None:
    async with scheduled(tmp_path) as gateway:
        answer = await gateway.http.post("/api/cron", json=wish)

    assert answer.status_code == 400
    assert said in answer.json()["error"]


async def test_what_is_not_there_is_404(tmp_path: Path) -> None:
    async with scheduled(tmp_path) as gateway:
        asked = [("GET", ""), ("PATCH", ""), ("DELETE", ""), ("POST", "/run"), ("GET", "/runs")]
        answers = [await gateway.http.request(method, f"/api/cron/none{rest}") for method, rest in asked]

    assert {(answer.status_code, answer.json()["code"]) for answer in answers} == {(404, "UNKNOWN_SCHEDULE")}


async def test_there_are_at_most_so_many_and_one_time_schedules_that_have_run_make_room(tmp_path: Path) -> None:
    async with scheduled(tmp_path, ANSWERS, schedules={"max_schedules": 1}) as gateway:
        first = await gateway.add("in 20 minutes")
        refused = await gateway.http.post("/api/cron", json={"schedule": "0 9 * * *", "prompt": "x"})
        await gateway.clock.advance(minutes=20)
        await gateway.ended(first)
        second = await gateway.add("in 20 minutes")
        await gateway.clock.advance(minutes=20)
        await gateway.ended(second)
        third = await gateway.add("in 20 minutes")
        jobs = [job["id"] for job in (await gateway.http.get("/api/cron")).json()["jobs"]]

    assert (refused.status_code, "schedules.max_schedules" in refused.json()["error"]) == (400, True)
    # The oldest that has run is gone.
    assert jobs == [third["id"], second["id"]]


async def test_runs_have_the_right_of_the_client_that_made_the_schedule(tmp_path: Path) -> None:
    async with entered(tmp_path) as gateway:
        made = await gateway.http.post("/api/cron", json={"schedule": "0 9 * * *", "prompt": "x"})
        [device] = gateway.runtime.paired.list()
        bare = await gateway.bare("GET", "/api/cron")

    assert made.json()["job"]["created_by"] == device.id
    assert bare.status_code == 401
