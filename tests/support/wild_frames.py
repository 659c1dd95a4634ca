"""Frames as a hostile client puts them on the wire, and whether a gateway is well after them."""

import struct

from websockets.asyncio.client import ClientConnection
from websockets.frames import Opcode

from cetp_gateway.api import ModelRequest
from cetp_gateway.server.serve import Gateway
from cetp_gateway.testing import ScriptedStep
from support.whole import chat, rest, send, until


def says_hello(_: ModelRequest) -> ScriptedStep:
    return ScriptedStep(text="hello")


async def is_well(running: Gateway) -> None:
    """Health answers, and a fresh client's turn ends as it should."""
    async with rest(running) as http:
        assert (await http.get("/health")).json()["status"] == "ok"
    async with chat(running, "fresh") as socket:
        await send(socket, type="message", content="hello")
        assert (await until(socket, "done"))[-1]["full_response"] == "hello"


def wire(opcode: Opcode, data: bytes, *, fin: bool = True) -> bytes:
    """A frame as it goes over the wire, whatever it holds; masked with zeros."""
    size = len(data)
    head = bytes([(0x80 if fin else 0) | opcode])
    if size < 126:
        head += bytes([0x80 | size])
    else:
        head += b"\xfe" + struct.pack("!H", size) if size < 65536 else b"\xff" + struct.pack("!Q", size)
    return head + bytes(4) + data


def write_frame(socket: ClientConnection, opcode: Opcode, data: bytes, *, fin: bool = True) -> None:
    """Put a frame on the wire behind the client's back."""
    socket.transport.write(wire(opcode, data, fin=fin))
