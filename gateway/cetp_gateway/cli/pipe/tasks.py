"""Runs the tasks of `cetp pipe agent`, one after the other, in one conversation; stops when the host has gone."""

import asyncio
import secrets
from collections.abc import Sequence
from typing import Final

import click
from msgspec.structs import replace

from cetp_gateway.api import CallsFinished, TextSaid, TurnDone, TurnEvent, TurnFailed
from cetp_gateway.assemble import Runtime
from cetp_gateway.cli.pipe.report import EventFile, Status, TaskReport
from cetp_gateway.cli.turn_printer import printable
from cetp_gateway.pipe import PipeCode
from cetp_gateway.pipe.agent import Browser, CommandRecord

STOP_S: Final = 2.0
"""For a turn to end once the host has gone; the host waits 5 s for the whole program (pipe 5.6)."""


class TaskRunner:
    """One conversation with one browser."""

    def __init__(self, runtime: Runtime, browser: Browser, events: EventFile) -> None:
        self._runtime = runtime
        self._browser = browser
        self._events = events
        self._session_id = f"pipe-{secrets.token_hex(8)}"
        self._number = 0
        self._gone = asyncio.create_task(browser.link.wait_closed())

    async def run(self, task: str) -> TaskReport:
        """Run one task to its end, or as far as it gets. Raises CetpError when the session cannot be kept."""
        self._events.question(task)
        self._number += 1
        click.echo(f"Task {self._number} begins.", err=True)
        watched = _Watched(self._events)
        turn = asyncio.create_task(
            self._runtime.conversations.ask(self._session_id, task, view=self._runtime.registry.view, emit=watched.emit)
        )
        await asyncio.wait({turn, self._gone}, return_when=asyncio.FIRST_COMPLETED)
        closing = await self._stopped(turn) if not turn.done() else turn.result()
        report = self._report(task, closing, watched)
        click.echo(_told(report), err=True)
        return report

    async def close(self) -> None:
        self._gone.cancel()
        await asyncio.gather(self._gone, return_exceptions=True)

    async def _stopped(self, turn: "asyncio.Task[TurnEvent]") -> TurnEvent | None:
        """The host has gone: what was said is kept, and nothing more is asked of the model."""
        self._runtime.conversations.abort(self._session_id)
        await asyncio.wait({turn}, timeout=STOP_S)
        if not turn.done():
            turn.cancel()
            await asyncio.wait({turn}, timeout=STOP_S)
        return turn.result() if turn.done() and not turn.cancelled() else None

    def _report(self, task: str, closing: TurnEvent | None, watched: "_Watched") -> TaskReport:
        report = TaskReport(task=task, status="host_gone", calls=self._browser.trail.take(), steps=watched.steps)
        match closing:
            case TurnDone(text, usage, elapsed_ms):
                # What is said without the browser in the end is no answer to a browser's task.
                status: Status = "host_gone" if _cut_off(report.calls) else "done"
                return replace(
                    report, status=status, answer=text, steps=watched.steps + 1, usage=usage, elapsed_ms=elapsed_ms
                )
            case TurnFailed(code, message) if not _cut_off(report.calls):
                return replace(report, status="failed", answer=watched.text, error=f"{code}: {message}")
            case _:
                return replace(report, answer=watched.text)


def _cut_off(calls: Sequence[CommandRecord]) -> bool:
    return any(call.outcome == PipeCode.PIPE_CLOSED for call in calls)


class _Watched:
    """Counts what goes by."""

    def __init__(self, events: EventFile) -> None:
        self._events = events
        self._said: list[str] = []
        self.steps = 0

    @property
    def text(self) -> str:
        return "".join(self._said)

    def emit(self, event: TurnEvent) -> None:
        if isinstance(event, CallsFinished):
            self.steps += 1
        elif isinstance(event, TextSaid):
            self._said.append(event.text)
        self._events.emit(event)


def _told(report: TaskReport) -> str:
    match report.status:
        case "done":
            return f"Answer: {printable(report.answer)}"
        case "failed":
            return f"Failed: {printable(report.error)}"
        case "host_gone":
            return "The host has gone before the task was done."
