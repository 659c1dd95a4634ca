"""A whole gateway whose schedules run by a clock that a test moves."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx

from cetp_gateway.api import RunStatus, ScheduleRun, Tool
from cetp_gateway.assemble import Parts
from cetp_gateway.server.serve import Gateway
from cetp_gateway.testing import ScriptedModel, ScriptedStep
from support.hand_clock import WITHIN_S, HandClock
from support.whole import open_settings, rest, whole

Json = dict[str, Any]


class Scheduled:
    """The gateway, its clock, its model and an HTTP client."""

    def __init__(self, running: Gateway, clock: HandClock, model: ScriptedModel, http: httpx.AsyncClient) -> None:
        self.running = running
        self.runtime = running.runtime
        self.book = running.runtime.schedules
        self.clock = clock
        self.model = model
        self.http = http

    async def add(self, schedule: str, prompt: str = "What is on?", **more: Any) -> Json:
        """Make a schedule; the job. Whoever sleeps until the next time has seen it when this returns."""
        waits = len(self.clock.until)
        answer = await self.http.post("/api/cron", json={"schedule": schedule, "prompt": prompt, **more})
        assert answer.status_code == 200, answer.text
        await self.clock.watched(waits + 1)
        job: Json = answer.json()["job"]
        return job

    async def runs(self, job: Json) -> list[Json]:
        """Newest first."""
        found: list[Json] = (await self.http.get(f"/api/cron/{job['id']}/runs")).json()["runs"]
        return found

    async def ended(self, job: Json, times: int = 1) -> list[ScheduleRun]:
        """The runs once so many have ended and been told, newest first."""
        async with asyncio.timeout(WITHIN_S):
            while True:
                runs = [run for run in await self.book.runs(job["id"]) if _is_over(run)]
                if len(runs) >= times:
                    return runs

    async def asked(self, times: int = 1) -> str:
        """What the model was asked the n-th time, its last message."""
        async with asyncio.timeout(WITHIN_S):
            request = await self.model.asked(times)
        return str(getattr(request.messages[-1], "text", ""))


def _is_over(run: ScheduleRun) -> bool:
    return run.status not in (RunStatus.WAITING, RunStatus.RUNNING) and run.delivery != "pending"


@asynccontextmanager
async def scheduled(
    folder: Path,
    steps: Iterable[ScriptedStep] | ScriptedModel = (),
    *,
    clock: HandClock | None = None,
    tools: Iterable[Tool] = (),
    waits: int = 2,
    **sections: dict[str, Any],
) -> AsyncIterator[Scheduled]:
    """Run such a gateway; nothing delays its first look. `waits`: how many waits have begun before the block does: the
    delay at the start, and then the first look.
    """
    clock = clock or HandClock()
    model = steps if isinstance(steps, ScriptedModel) else ScriptedModel(steps)
    sections["schedules"] = {"start_delay_s": 0, "time_zone": "UTC"} | sections.get("schedules", {})
    settings = open_settings(**sections)
    parts = Parts(clock=clock, tools=tuple(tools))
    async with whole(folder, model, settings=settings, parts=parts) as running, rest(running) as http:
        await clock.watched(waits)
        yield Scheduled(running, clock, model, http)
