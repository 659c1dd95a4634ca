"""Calls that a device is asked to run: limits, deadlines, cancelling.

Every wait ends: by the answer, the deadline, the end of the link or the caller's own cancelling. Above: `link`.
Below: `protocol`, whose table holds the open calls, and `frames_out`.
"""

import asyncio
from collections.abc import Callable

from cetp_gateway.api import Arguments, CallContext, DeviceGone, Outcome, Refused, TimedOut
from cetp_gateway.devices import frames_out
from cetp_gateway.devices.capabilities import Capability
from cetp_gateway.devices.protocol import DeviceProtocol
from cetp_gateway.devices.text import utf8_bytes
from cetp_gateway.settings.limits import LimitSettings

CLOCK_GRAIN_S = 0.001
"""Event loops count in whole milliseconds; a timer may fire this much before its time."""

Answer = asyncio.Future[Outcome | None]
"""Holds what became of a call; None when its deadline came first."""


class DeviceCalls:
    """The calls of one link, which owns this."""

    __slots__ = ("_limits", "_loop", "_post", "_protocol", "_timer", "_timer_at")

    def __init__(self, protocol: DeviceProtocol[Answer], limits: LimitSettings, post: Callable[[str], None]) -> None:
        self._protocol = protocol
        self._limits = limits
        self._post = post
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._timer_at = 0.0

    async def call(self, wire_name: str, arguments: Arguments, context: CallContext) -> Outcome:
        """See `Link.call`."""
        calls = self._protocol.calls
        if len(calls) >= self._limits.calls_per_device:
            return _too_many(len(calls))
        began = self._loop.time()
        if context.deadline <= began:
            return TimedOut(0.0)
        answer: Answer = self._loop.create_future()
        call_id = calls.open(answer, context.deadline)
        frame = self._request(call_id, wire_name, arguments, context, began)
        if isinstance(frame, Refused):
            calls.take(call_id)
            return frame
        if self._timer is None or context.deadline < self._timer_at:
            self._arm(context.deadline)
        self._post(frame)
        try:
            outcome = await answer
        except asyncio.CancelledError:
            if calls.take(call_id) is not None:
                self._cancel_on_device(call_id)
            raise
        return TimedOut(self._loop.time() - began) if outcome is None else outcome

    def end(self, gone: DeviceGone) -> None:
        """Fail all open calls in this very tick and leave no timer behind."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        for answer in self._protocol.calls.clear():
            if not answer.done():
                answer.set_result(gone)

    def _request(
        self, call_id: str, wire_name: str, arguments: Arguments, context: CallContext, now: float
    ) -> str | Refused:
        try:
            if self._protocol.keeps_deadlines:
                left_ms = max(1, int((context.deadline - now) * 1000))
                frame = frames_out.tool_call_request(
                    call_id, wire_name, arguments, deadline_ms=left_ms, call_id=context.call_id
                )
            else:
                frame = frames_out.tool_call_request(call_id, wire_name, arguments)
        except (ValueError, TypeError, RecursionError):
            return Refused("INVALID_ARGS", "The arguments cannot be written as JSON; text must be valid Unicode.")
        most = self._limits.message_bytes
        if len(frame) * 4 > most and utf8_bytes(frame) > most:
            return Refused("INVALID_ARGS", f"The call is over {most} bytes (limits.message_bytes); send less at once.")
        return frame

    def _arm(self, deadline: float) -> None:
        """One timer serves all calls: it stands at the earliest deadline and is not moved when calls are answered."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer_at = deadline
        self._timer = self._loop.call_at(deadline, self._expire)

    def _expire(self) -> None:
        self._timer = None
        calls = self._protocol.calls
        late = calls.due(self._loop.time() + CLOCK_GRAIN_S)
        earliest = calls.earliest()
        if earliest is not None:
            self._arm(earliest)
        for call_id, answer in late:
            if not answer.done():
                answer.set_result(None)
            self._cancel_on_device(call_id)

    def _cancel_on_device(self, call_id: str) -> None:
        if Capability.CANCEL in self._protocol.capabilities:
            self._post(frames_out.tool_call_cancel(call_id))


def _too_many(open_calls: int) -> Refused:
    return Refused(
        "RATE_LIMITED",
        f"The device has {open_calls} calls in flight already (limits.calls_per_device).",
        "Wait for one of them to end.",
    )
