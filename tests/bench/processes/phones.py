"""A fleet of phones: they connect, register, and answer every call at once. Argument: a FleetPlan as JSON.

READY tells how long connecting and registering took; the fleet leaves when standard input ends.
"""

import asyncio
import gc
import sys
import time

import msgspec
import uvloop

from .fleet_plan import FleetPlan
from .frame_socket import FrameSocket, frame
from .said import say, until_told
from .toolset import TOOLS, greeting, registration

_AT_ONCE = 32
"""Handshakes under way."""
_WITHIN_S = 120.0
_ANSWER = b'{"type":"tool_result","id":"%b","output":"3 messages; the latest is from Anna, 18:40.","success":true}'


class Heard(msgspec.Struct):
    """What a phone reads of a frame."""

    type: str
    id: str = ""
    registered: int = 0


_read = msgspec.json.Decoder(Heard).decode


class Phone(FrameSocket):
    """One phone."""

    def __init__(self, plan: FleetPlan, number: int) -> None:
        path = f"/ws/chat?session_id=phone-{number}"
        super().__init__(plan.port, path, f"Authorization: Bearer {plan.token}\r\n")
        self._way = plan.way_of(number)
        self._greeting = greeting(number, self._way)
        self.registration = frame(registration(number, self._way, plan.likeness))
        self.connected = self._expect()
        self.registered = self._expect()

    def _expect(self) -> asyncio.Future[None]:
        return asyncio.get_running_loop().create_future()

    def on_text(self, payload: bytes) -> None:
        heard = _read(payload)
        match heard.type:
            case "tool_call_request":
                self.send_text(_ANSWER % heard.id.encode())
            case "session_start":
                self.send_text(self._greeting)
            case "connected":
                self.connected.set_result(None)
            case "tools_registered":
                self._check(heard.registered, payload)
            case "error":
                self._fail(f"the gateway says {payload.decode()}")

    def register(self) -> None:
        self._transport.write(self.registration)
        self.registration = b""

    def _check(self, registered: int, payload: bytes) -> None:
        if registered != TOOLS or b'"quarantined"' in payload:
            self._fail(f"of {TOOLS} tools {registered} were taken: {payload[:600].decode()}")
        else:
            self.registered.set_result(None)

    def _fail(self, why: str) -> None:
        for step in (self.connected, self.registered):
            if not step.done():
                step.set_exception(ConnectionError(why))
                return
        print(why, file=sys.stderr)


async def connect_all(phones: list[Phone], port: int) -> None:
    loop = asyncio.get_running_loop()
    gate = asyncio.Semaphore(_AT_ONCE)

    async def connect(phone: Phone) -> None:
        async with gate:
            await loop.create_connection(lambda: phone, "127.0.0.1", port)
            await phone.connected

    await asyncio.gather(*map(connect, phones))


async def register_all(phones: list[Phone]) -> None:
    for phone in phones:
        phone.register()
    await asyncio.gather(*(phone.registered for phone in phones))


async def main(plan: FleetPlan) -> None:
    phones = [Phone(plan, number) for number in range(plan.phones)]
    gc.collect()
    gc.disable()
    async with asyncio.timeout(_WITHIN_S):
        started = time.perf_counter()
        await connect_all(phones, plan.port)
        connected = time.perf_counter()
        await register_all(phones)
        registered = time.perf_counter()
    say("READY", connect_s=connected - started, register_s=registered - connected)
    await until_told()


if __name__ == "__main__":
    uvloop.run(main(msgspec.json.decode(sys.argv[1], type=FleetPlan)))
