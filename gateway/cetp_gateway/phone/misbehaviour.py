"""Carries faults out: what is sent in place of an answer, and what is done to the socket.

Above: `calls` and `link`. Below: `faults`, which says when.
"""

import asyncio
from collections.abc import Callable
from typing import Protocol

import msgspec

from cetp_gateway.phone.faults import Fault
from cetp_gateway.phone.frames import call_answer
from cetp_gateway.phone.pack import Pack, PackTool, Reply
from cetp_gateway.phone.replies import success


class Disturbed(Protocol):
    """What faults can be done to: the link of one connection."""

    async def send(self, frame: bytes) -> None:
        """Send one text frame, whatever its bytes are."""
        ...

    def drop(self) -> None:
        """Cut the connection without a close frame."""
        ...

    def stop_reading(self) -> None: ...

    def go_silent(self) -> None:
        """Read and write nothing more."""
        ...


async def disturb(fault: Fault, link: Disturbed) -> None:
    """What a fault does besides changing the answer; returns at once when that is nothing."""
    match fault.kind:
        case "late":
            await asyncio.sleep(fault.worth / 1000)
        case "drop":
            link.drop()
        case "stop-reading":
            link.stop_reading()
        case "half-open":
            link.go_silent()
        case "flood":
            await _flood(link, fault.worth)


async def _flood(link: Disturbed, count: int) -> None:
    for number in range(count):
        await link.send(call_answer(f"nobody-asked-{number}", success("{}"), extended=True))


Twist = Callable[[Fault, str, list[bytes]], list[bytes]]
"""Fault, call id, frames that would be sent → frames that are sent."""


def _half(_: Fault, __: str, frames: list[bytes]) -> list[bytes]:
    return [frame[: len(frame) // 2] for frame in frames]


def _broken_text(_: Fault, __: str, frames: list[bytes]) -> list[bytes]:
    # 0xFF occurs in no UTF-8 text.
    return [frame[:-2] + b"\xff" + frame[-2:] for frame in frames]


def _huge(fault: Fault, call_id: str, _: list[bytes]) -> list[bytes]:
    return [call_answer(call_id, success("x" * fault.worth), extended=True)]


def _unknown(_: Fault, call_id: str, frames: list[bytes]) -> list[bytes]:
    return [frame.replace(msgspec.json.encode(call_id), msgspec.json.encode(f"not-{call_id}"), 1) for frame in frames]


TWISTS: dict[str, Twist] = {
    "never": lambda _fault, _id, _frames: [],
    "drop": lambda _fault, _id, _frames: [],
    "half-open": lambda _fault, _id, _frames: [],
    "twice": lambda _fault, _id, frames: frames * 2,
    "huge": _huge,
    "invalid-utf8": _broken_text,
    "bad-json": _half,
    "unknown-id": _unknown,
}
"""The faults that change what is sent for an answer."""


def twisted(fault: Fault, call_id: str, frames: list[bytes]) -> list[bytes]:
    """The frames that are sent in place of `frames`."""
    twist = TWISTS.get(fault.kind)
    return twist(fault, call_id, frames) if twist else frames


def many_tools_pack(count: int) -> Pack:
    """An app with so many tools."""
    schema = {"type": "object", "properties": {"id": {"type": "integer", "minimum": 0}}}
    tools = (
        PackTool(
            name=f"read_counter_{number:04}",
            description=f"Read counter {number} of the factory hall.",
            parameters=schema,
            replies=(Reply(data={"counter": number, "value": number * 17}),),
        )
        for number in range(count)
    )
    return Pack(package="com.example.factory", label="Factory", tools=tuple(tools))
