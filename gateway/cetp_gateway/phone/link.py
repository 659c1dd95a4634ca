"""One open socket, from `connect` to its end: greets, registers, takes calls, and says how it ended.

The reader never waits for an app or for the socket's other direction. Above: `phone`. Below: `calls`, `registration`.
"""

import asyncio
from collections.abc import Awaitable, Sequence
from typing import TypeVar

import msgspec
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from cetp_gateway.phone import frames, listener
from cetp_gateway.phone.calls import Calls
from cetp_gateway.phone.catalog import Catalog
from cetp_gateway.phone.faults import FaultPlan
from cetp_gateway.phone.limits import SMALLEST_MESSAGE_BYTES, PhoneLimits
from cetp_gateway.phone.misbehaviour import disturb
from cetp_gateway.phone.progress import Progress
from cetp_gateway.phone.registration import Registration, growing_lists, whole_list

Answer = TypeVar("Answer")


class Identity(msgspec.Struct, frozen=True, kw_only=True):
    """What the phone says of itself."""

    device_id: str
    device_name: str
    plain: bool = False
    """Behave like the original client: no extensions, one growing registration per tool."""


class Phone(msgspec.Struct, frozen=True, kw_only=True):
    """What outlives a connection."""

    identity: Identity
    catalog: Catalog
    changed: asyncio.Event
    """Set by every change of the catalog."""
    plan: FaultPlan
    limits: PhoneLimits
    listener: listener.Listener
    progress: Progress


class Link:
    """The phone's side of one socket."""

    def __init__(self, socket: ClientConnection, phone: Phone) -> None:
        self.registered = False
        """Whether the gateway has accepted a registration on this socket."""
        self.trouble = ""
        """Why this side ended the connection; empty when the other side did."""
        self._socket = socket
        self._phone = phone
        self._calls = Calls(phone.catalog, phone.plan, phone.limits, phone.listener, extended=not self._plain)
        self._session_id = ""
        self._granted: frozenset[str] = frozenset()
        self._greeted = asyncio.Event()
        self._answers: asyncio.Queue[frames.ToolsRegistered] = asyncio.Queue()
        self._answers_due = 0
        self._mute = False
        self._reader: asyncio.Task[None] | None = None

    async def serve(self) -> None:
        """Run until the socket has ended; every task of it has then ended too."""
        async with asyncio.TaskGroup() as group:
            registrar = group.create_task(self._keep_registered())
            self._reader = group.create_task(self._read(group))
            await self._socket.wait_closed()
            # What came before the close frame is still read: it may say why.
            await asyncio.wait([self._reader])
            registrar.cancel()
            self._calls.drop_all()

    async def close(self) -> None:
        """End the connection with 1000; a silenced one is cut, for it would not see the answer."""
        if self._reader is not None and self._reader.cancelled():
            self.drop()
        await self._socket.close(1000)

    async def send(self, frame: bytes) -> None:
        """Send one text frame; on a socket that has ended, or is mute, nothing happens."""
        if self._mute:
            return
        try:
            await self._socket.send(frame, text=True)
        except ConnectionClosed:
            return

    def drop(self) -> None:
        """Cut the connection without a close frame."""
        self._socket.transport.abort()

    def stop_reading(self) -> None:
        """Leave everything that comes unread, in the system's buffers."""
        if self._reader is not None:
            self._reader.cancel()
        self._socket.transport.pause_reading()

    def go_silent(self) -> None:
        """As if the network were lost."""
        self._mute = True
        self.stop_reading()

    @property
    def _plain(self) -> bool:
        return self._phone.identity.plain

    async def _read(self, group: asyncio.TaskGroup) -> None:
        try:
            async for message in self._socket:
                self._take(frames.decode(message), group)
        except ConnectionClosed:
            return

    def _take(self, frame: frames.Inbound, group: asyncio.TaskGroup) -> None:
        match frame:
            case frames.SessionStart():
                self._session_id = frame.session_id
            case frames.Connected():
                self._greet(frame)
            case frames.ToolsRegistered() if self._answers_due:
                self._answers_due -= 1
                self._answers.put_nowait(frame)
            case frames.CallRequest():
                self._calls.start(frame, self, group)
            case frames.CallCancel():
                self._calls.cancel(frame.id)
            case frames.GatewayError():
                self._phone.listener(listener.Noticed(message=f"{frame.code}: {frame.message}".removeprefix(": ")))
            case frames.Unreadable():
                self._phone.listener(listener.Noticed(message=f"not a frame: {frame.reason}"))

    def _greet(self, frame: frames.Connected) -> None:
        if not self._plain:
            self._granted = frozenset(frame.capabilities) & frozenset(frames.CAPABILITIES)
        if frame.limits.message_bytes:
            self._calls.message_bytes = max(frame.limits.message_bytes, SMALLEST_MESSAGE_BYTES)
        self._greeted.set()
        self._phone.progress.set_connected()
        self._phone.listener(listener.Connected(session_id=self._session_id, capabilities=sorted(self._granted)))

    async def _keep_registered(self) -> None:
        """Register now and after each change of the catalog; changes at one time make one registration."""
        await self._introduce()
        limits = self._phone.limits
        try:
            if not self._plain:
                await _within(limits.greeting_s, self._greeted.wait(), "greet the phone")
            await self._register_again()
            await self._strike()
            while await self._phone.changed.wait():
                await self._register_again()
        except _Silence as silence:
            self.trouble = str(silence)
            await self._socket.close(1002, self.trouble[:100])

    async def _register_again(self) -> None:
        # Cleared first: a change that comes while the gateway thinks is registered next.
        self._phone.changed.clear()
        await self._register()

    async def _introduce(self) -> None:
        identity = self._phone.identity
        if self._plain:
            await self.send(frames.connect(identity.device_name, "", ["tools"]))
        else:
            await self.send(frames.connect(identity.device_name, identity.device_id, frames.CAPABILITIES))

    async def _register(self) -> None:
        revision = self._phone.catalog.revision
        registration = self._registration()
        self._answers_due = len(registration.frames)
        for frame in registration.frames:
            await self.send(frame)
        answers = []
        for _ in registration.frames:
            answer = self._answers.get()
            answers.append(await _within(self._phone.limits.registration_s, answer, "answer a registration"))
        self._accept(revision, registration, answers)

    def _registration(self) -> Registration:
        catalog = self._phone.catalog
        if self._plain or self._phone.plan.many_tools:
            return growing_lists(catalog.tools.values())
        return whole_list(
            catalog.tools.values(),
            replace="cetp.unregister" in self._granted,
            extended=bool(self._granted),
            message_bytes=self._calls.message_bytes,
        )

    def _accept(self, revision: int, registration: Registration, answers: Sequence[frames.ToolsRegistered]) -> None:
        self.registered = self.registered or bool(answers)
        verdicts = {verdict.name: verdict for answer in answers for verdict in answer.tools}
        self._phone.listener(
            listener.Registered(
                offered=len(self._phone.catalog.tools),
                held=answers[-1].registered if answers else 0,
                verdicts=list(verdicts.values()),
                left_out=[*registration.left_out, *self._phone.catalog.unnamed],
            )
        )
        self._phone.progress.set_registered(revision)

    async def _strike(self) -> None:
        for fault in self._phone.plan.once_registered:
            self._phone.listener(listener.Misbehaved(fault=fault.kind, id=""))
            await disturb(fault, self)


class _Silence(Exception):
    """The gateway did not answer in time."""


async def _within(seconds: float, answer: Awaitable[Answer], what: str) -> Answer:
    try:
        async with asyncio.timeout(seconds):
            return await answer
    except TimeoutError:
        raise _Silence(f"the gateway did not {what} within {seconds:g} s") from None
