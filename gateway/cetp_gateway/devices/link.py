"""One device's socket: its only reader and its only writer, and the host of its tools.

Turns texts into events for its handler and answers what concerns the socket alone (connect, acknowledgements,
frames that cannot be read). Knows nothing of tools' schemas, sessions or turns. Above: the chat socket, `directory`.
Below: `protocol`, `socket`.
"""

import asyncio
import logging
import secrets
from collections.abc import Coroutine
from typing import Any

from cetp_gateway.api import Arguments, CallContext, DeviceGone, Outcome
from cetp_gateway.devices import frames_out
from cetp_gateway.devices.backlog import Backlog
from cetp_gateway.devices.calls import Answer, DeviceCalls
from cetp_gateway.devices.capabilities import Capability
from cetp_gateway.devices.close_codes import CloseCode
from cetp_gateway.devices.decode import MESSAGE_TOO_LARGE, decode
from cetp_gateway.devices.events import AnswerReceived, CallAnswered, Connected, Event, Misread
from cetp_gateway.devices.flushes import Flushes
from cetp_gateway.devices.link_handler import LinkEnd, LinkHandler
from cetp_gateway.devices.protocol import DeviceProtocol
from cetp_gateway.devices.socket import Socket
from cetp_gateway.devices.turnstile import Passage, Turnstile
from cetp_gateway.settings.limits import LimitSettings

log = logging.getLogger(__name__)


class Link:
    """An accepted WebSocket. Make it, `post` to it at any time, `await run()` once."""

    __slots__ = (
        "_backlog",
        "_calls",
        "_end",
        "_flushes",
        "_handler",
        "_heard_at",
        "_host_id",
        "_label",
        "_limits",
        "_loop",
        "_owner",
        "_passage",
        "_protocol",
        "_second_began",
        "_session_id",
        "_socket",
        "_unasked",
    )

    def __init__(
        self,
        socket: Socket,
        handler: LinkHandler,
        limits: LimitSettings,
        *,
        host_id: str,
        label: str,
        session_id: str,
        owner: str = "",
        turnstile: Turnstile | None = None,
        flushes: Flushes | None = None,
    ) -> None:
        """Take over a socket that has been accepted.

        Args:
            socket: from `socket_of`.
            handler: gets the events.
            limits: bounds on frames, calls and what may wait to be sent.
            host_id: stands until the client gives a `device_id`.
            label: stands until the client gives a `device_name`.
            session_id: of this socket; a `session_id` in `connect` changes nothing.
            owner: id of the paired device whose token opened the socket; empty without pairing.
            turnstile: the gateway's, shared by all its sockets.
            flushes: likewise.
        """
        self._socket = socket
        self._handler = handler
        self._limits = limits
        self._host_id = host_id
        self._label = label
        self._session_id = session_id
        self._owner = owner
        self._protocol: DeviceProtocol[Answer] = DeviceProtocol(limits, f"{secrets.token_hex(5)}-")
        self._calls = DeviceCalls(self._protocol, limits, self.post)
        self._loop = asyncio.get_running_loop()
        self._heard_at = self._loop.time()
        self._second_began = self._heard_at
        self._unasked = 0
        self._backlog: Backlog | None = None
        self._end: LinkEnd | None = None
        self._flushes = flushes or Flushes()
        self._passage = Passage(turnstile or Turnstile(), socket, self._handle)
        socket.drained = self._flush

    @property
    def host_id(self) -> str:
        """`owner/device_id` once the client has given its id; two owners' devices never meet."""
        device_id = self._protocol.device_id
        return f"{self._owner}/{device_id}" if device_id else self._host_id

    @property
    def label(self) -> str:
        return self._protocol.device_name or self._label

    @property
    def session_id(self) -> str:
        return self._session_id

    source = session_id
    """As `/api/tools` shows it."""

    @property
    def owner(self) -> str:
        return self._owner

    @property
    def device_id(self) -> str:
        """Empty for clients without one."""
        return self._protocol.device_id

    @property
    def capabilities(self) -> frozenset[Capability]:
        """What both sides have, as of the latest connect."""
        return self._protocol.capabilities

    @property
    def shared(self) -> bool:
        return Capability.SHARED in self._protocol.capabilities

    @property
    def read_only(self) -> bool:
        return Capability.READ_ONLY in self._protocol.capabilities

    @property
    def ended(self) -> bool:
        """True as soon as the link is closing: it takes no more frames and calls."""
        return self._end is not None

    @property
    def open_calls(self) -> int:
        return len(self._protocol.calls)

    @property
    def pending_messages(self) -> int:
        """Frames waiting for a device that does not keep up."""
        return 0 if self._backlog is None else len(self._backlog)

    @property
    def heard_at(self) -> float:
        """The event loop's time of the device's last sign of life: a frame or a pong."""
        return max(self._heard_at, self._socket.heard_at)

    async def run(self) -> LinkEnd:
        """Read until the socket ends. All open calls have failed and nothing is left behind when this returns."""
        self._socket.take_text = self._take
        end = LinkEnd(CloseCode.LOST)
        try:
            end = await self._read()
        finally:
            self._finish(end)
            self._socket.release()
        return self._end or end

    def post(self, frame: str) -> None:
        """Send a frame, now or as soon as the device keeps up. A frame for a link that has ended is dropped."""
        if self._end is not None:
            return
        if self._backlog is None and self._socket.write_text(frame):
            return
        self._backlog = self._backlog or Backlog(self._limits)
        if not self._backlog.add(frame):
            log.warning("a device does not read: %d frames wait, closing", len(self._backlog))
            self.close(
                CloseCode.NOT_READING, "frames are not being read (limits.pending_messages, limits.pending_bytes)"
            )

    def close(self, code: int, reason: str) -> None:
        """End the link now: open calls fail, later frames count for nothing, the connection is cut within seconds."""
        if self._end is None:
            self._finish(LinkEnd(code, reason))
            self._socket.close_with(code, reason)

    def call(self, wire_name: str, arguments: Arguments, context: CallContext) -> Coroutine[Any, Any, Outcome]:
        """Have the device run a tool.

        Returns:
            what it answered, or: Refused(RATE_LIMITED) above `limits.calls_per_device`, Refused(INVALID_ARGS) for
            arguments that make no frame, TimedOut at `context.deadline`, DeviceGone when the link ends.

        Cancelling is safe: the call is forgotten, and the device is told when it can be.
        """
        return self._calls.call(wire_name, arguments, context) if self._end is None else self._gone()

    async def _read(self) -> LinkEnd:
        while True:
            message = await self._socket.receive()
            if message["type"] == "websocket.disconnect":
                return LinkEnd(message.get("code", CloseCode.NO_CODE), message.get("reason") or "")
            text = message.get("text")
            if text is not None:
                self._take(text)
                await self._passage.caught_up()
            else:
                self._is_flooding()
            # An idle link waits in `receive`: these names would keep a whole registration alive.
            message = text = None  # type: ignore[assignment]

    def _take(self, text: str) -> None:
        if self._end is not None:
            return
        self._heard_at = self._loop.time()
        self._passage.take(text)

    def _handle(self, text: str) -> None:
        """One message in its turn; the single place where a failure of ours becomes a close."""
        if self._end is not None:
            return
        try:
            events = self._protocol.receive(decode(text, self._limits))
            asked_for = len(events) == 2 and isinstance(events[1], CallAnswered)
            if not asked_for and self._is_flooding():
                return
            for event in events:
                self._act(event)
        except Exception:
            log.exception("a frame could not be handled")
            self.close(CloseCode.FAILED, "internal error")

    def _act(self, event: Event[Answer]) -> None:
        match event:
            case AnswerReceived():
                self._acknowledge(event.id)
                return
            case CallAnswered():
                if not event.token.done():
                    event.token.set_result(event.outcome)
                return
            case Connected():
                self.post(frames_out.connected(event.capabilities, self._limits))
            case Misread(code=code) if code == MESSAGE_TOO_LARGE:
                self.close(CloseCode.TOO_LARGE, event.message)
            case Misread():
                self.post(frames_out.error(event.message, event.code))
        self._handler.on_event(event)

    def _acknowledge(self, request_id: str) -> None:
        frame = frames_out.result_acknowledged(request_id)
        if self._end is not None or self._backlog is not None:
            self.post(frame)
            return
        first = not self._socket.held_back
        if not self._socket.write_later(frame):
            self.post(frame)
        elif first:
            self._flushes.soon(self._socket)

    def _is_flooding(self) -> bool:
        """Count a frame that nobody waits for. One device may not take the time of all others."""
        if self._heard_at - self._second_began >= 1:
            self._second_began, self._unasked = self._heard_at, 0
        self._unasked += 1
        if self._unasked <= self._limits.frames_per_s:
            return False
        self.close(CloseCode.TOO_MANY, f"over {self._limits.frames_per_s} frames a second (limits.frames_per_s)")
        return True

    def _flush(self) -> None:
        backlog = self._backlog
        while backlog:
            if not self._socket.write_text(backlog.first()):
                return
            backlog.drop_first()
        self._backlog = None

    def _finish(self, end: LinkEnd) -> None:
        """Let go of everything, once; every caller that waits learns it in this very tick."""
        self._backlog = None
        if self._end is None:
            self._end = end
        self._calls.end(DeviceGone(self.label))

    async def _gone(self) -> DeviceGone:
        return DeviceGone(self.label)
