"""Runs the gateway's calls on the apps: in parallel, bounded, each with one deadline and one answer.

Above: `link`, which gives it requests and takes its frames. Below: `catalog` and its providers.
"""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from cetp_gateway.phone.catalog import Catalog, CatalogTool
from cetp_gateway.phone.faults import Fault, FaultPlan
from cetp_gateway.phone.frames import CallRequest, call_answer
from cetp_gateway.phone.limits import PhoneLimits
from cetp_gateway.phone.listener import CallAnswered, CallDropped, CallReceived, CallRefused, Listener, Misbehaved
from cetp_gateway.phone.misbehaviour import Disturbed, disturb, twisted
from cetp_gateway.phone.replies import Bundle, failure
from cetp_spec.codes import ErrorCode

_logger = logging.getLogger(__name__)


class Calls:
    """The calls of one connection."""

    def __init__(
        self, catalog: Catalog, plan: FaultPlan, limits: PhoneLimits, listener: Listener, *, extended: bool
    ) -> None:
        self.message_bytes = limits.message_bytes
        """What the gateway takes in one frame; set when it has said so."""
        self._catalog = catalog
        self._plan = plan
        self._limits = limits
        self._tell = listener
        self._extended = extended
        self._free = asyncio.Semaphore(limits.parallel_calls)
        self._running: dict[str, asyncio.Task[None]] = {}
        self._stubborn: set[str] = set()

    def start(self, request: CallRequest, link: Disturbed, group: asyncio.TaskGroup) -> None:
        """Begin a call; a second request under the id of a running call is passed over."""
        if not request.id or request.id in self._running:
            return
        self._tell(CallReceived(id=request.id, tool=request.name, arguments=_shown(request.args)))
        faults = self._plan.for_call(request.name)
        if any(fault.kind == "late" for fault in faults):
            self._stubborn.add(request.id)
        crowded = len(self._running) >= self._limits.parallel_calls + self._limits.waiting_calls
        task = group.create_task(self._run(request, link, faults, crowded=crowded))
        self._running[request.id] = task
        task.add_done_callback(lambda _: self._forget(request.id))

    def cancel(self, call_id: str) -> None:
        """Nobody waits for this call any more: it ends without an answer."""
        task = self._running.get(call_id)
        if task is not None and call_id not in self._stubborn:
            task.cancel("cancelled by the gateway")

    def drop_all(self) -> None:
        """The connection has ended."""
        for task in self._running.values():
            task.cancel("the connection ended")

    def _forget(self, call_id: str) -> None:
        self._running.pop(call_id, None)
        self._stubborn.discard(call_id)

    async def _run(self, request: CallRequest, link: Disturbed, faults: Sequence[Fault], *, crowded: bool) -> None:
        try:
            async with asyncio.timeout(_seconds_left(request)):
                bundle = _crowded() if crowded else await self._execute(request)
            await self._answer(request, self._checked(request.id, bundle), link, faults)
        except TimeoutError:
            self._tell(CallDropped(id=request.id, tool=request.name, reason="its deadline has passed"))
        except asyncio.CancelledError as cancelled:
            reason = str(cancelled.args[0]) if cancelled.args else "the phone stopped"
            self._tell(CallDropped(id=request.id, tool=request.name, reason=reason))
            raise

    async def _execute(self, request: CallRequest) -> Bundle:
        async with self._free:
            tool = self._catalog.tools.get(request.name)
            if tool is None:
                return failure(ErrorCode.TOOL_NOT_FOUND, f"no app on this phone has a tool {request.name}")
            args = bytes(request.args).decode()
            return await _ask(tool, {"tool_name": tool.name, "args": args, "request_id": request.id})

    def _checked(self, call_id: str, bundle: Bundle) -> Bundle:
        """The Bundle, or a small error in its place when its frame is larger than the gateway takes."""
        size = len(call_answer(call_id, bundle, extended=self._extended))
        if size <= self.message_bytes:
            return bundle
        return failure(
            ErrorCode.INTERNAL_ERROR,
            f"result too large: {size} bytes, the gateway takes {self.message_bytes}",
            "ask for less: a filter, a shorter period, a smaller page",
        )

    async def _answer(self, request: CallRequest, bundle: Bundle, link: Disturbed, faults: Sequence[Fault]) -> None:
        frames = [call_answer(request.id, bundle, extended=self._extended)]
        for fault in faults:
            self._tell(Misbehaved(fault=fault.kind, id=request.id))
            await disturb(fault, link)
            frames = twisted(fault, request.id, frames)
        for frame in frames:
            await link.send(frame)
        if frames:
            self._tell_answer(request, bundle)

    def _tell_answer(self, request: CallRequest, bundle: Bundle) -> None:
        if bundle["status"] == "success":
            self._tell(CallAnswered(id=request.id, tool=request.name, output=bundle["data"]))
            return
        self._tell(
            CallRefused(
                id=request.id,
                tool=request.name,
                code=bundle["error_code"],
                message=bundle["error_message"],
                hint=bundle.get("resolution_hint", ""),
                intent=bundle.get("authorize_intent", ""),
            )
        )


async def _ask(tool: CatalogTool, extras: Mapping[str, str]) -> Bundle:
    """What a phone makes of an app that crashes: the app's failure, and nobody else's."""
    try:
        return await tool.provider.call("execute_tool", extras)
    except Exception:
        _logger.exception("the app %s failed in %s", tool.provider.pack.package, tool.name)
        return failure(ErrorCode.INTERNAL_ERROR, f"the app failed in {tool.name}")


def _shown(args: msgspec.Raw) -> Any:
    """The arguments decoded, as their text when they cannot be."""
    try:
        return msgspec.json.decode(args)
    except (msgspec.DecodeError, RecursionError):
        return bytes(args).decode(errors="replace")


def _seconds_left(request: CallRequest) -> float | None:
    """None when the gateway gave no usable deadline."""
    given = request.deadline_ms
    return given / 1000 if isinstance(given, int) and not isinstance(given, bool) and given >= 0 else None


def _crowded() -> Bundle:
    return failure(ErrorCode.RATE_LIMITED, "too many calls wait on this phone", "ask again when some are answered")
