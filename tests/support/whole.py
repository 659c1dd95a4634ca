"""A whole gateway in the test's own loop: assembled, listening on a free port, asked over real sockets."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect

from cetp_gateway.api import ModelProvider, ToolUse
from cetp_gateway.assemble import Parts
from cetp_gateway.server.serve import Gateway, gateway
from cetp_gateway.settings import Settings
from cetp_gateway.testing import ScriptedModel, ScriptedStep

Frame = dict[str, Any]
WITHIN_S = 10.0


def open_settings(**sections: dict[str, Any]) -> Settings:
    """Settings of a gateway on a free port that lets everybody in, asks its model for answers alone, for no titles and
    no notes, and offers no tools but those that a test brings; `builtin={}` has those that ship.
    """
    server = {"port": 0, "require_pairing": False} | sections.pop("server", {})
    quiet = {"sessions": {"titles": False}, "memory": {"consolidate": False}, "builtin": {"enabled": []}}
    return msgspec.convert({"server": server, **quiet, **sections}, Settings)


@asynccontextmanager
async def whole(
    folder: Path,
    model: ModelProvider | Iterable[ScriptedStep] = (),
    *,
    settings: Settings | None = None,
    parts: Parts | None = None,
) -> AsyncIterator[Gateway]:
    """Run a gateway; `model` may be the steps of a scripted one."""
    answering = ScriptedModel(model) if isinstance(model, Iterable) else model
    async with gateway(
        settings or open_settings(),
        data_folder=folder,
        config_file=folder / "cetp.toml",
        model=answering,
        parts=parts,
    ) as running:
        yield running


@asynccontextmanager
async def rest(running: Gateway) -> AsyncIterator[httpx.AsyncClient]:
    """An HTTP client of the gateway."""
    async with httpx.AsyncClient(base_url=running.url, trust_env=False, timeout=WITHIN_S) as client:
        yield client


@asynccontextmanager
async def chat(running: Gateway, session_id: str = "s") -> AsyncIterator[ClientConnection]:
    """A plain client's socket, greeted."""
    url = f"ws://127.0.0.1:{running.port}/ws/chat?session_id={session_id}"
    async with connect(url, compression=None, proxy=None) as socket:
        assert (await take(socket))["type"] == "session_start"
        yield socket


async def take(socket: ClientConnection) -> Frame:
    """The next frame."""
    async with asyncio.timeout(WITHIN_S):
        frame: Frame = msgspec.json.decode(await socket.recv())
    return frame


async def until(socket: ClientConnection, kind: str) -> list[Frame]:
    """All frames up to the first one of this type, that one included."""
    frames = [await take(socket)]
    while frames[-1]["type"] != kind:
        frames.append(await take(socket))
    return frames


async def send(socket: ClientConnection, **frame: Any) -> None:
    await socket.send(msgspec.json.encode(frame).decode())


async def register(socket: ClientConnection, *names: str) -> Frame:
    """Register simple tools as a plain client does; the gateway's answer."""
    tools = [{"name": name, "description": f"Does {name}.", "parameters": {"type": "object"}} for name in names]
    await send(socket, type="register_tools", tools=tools)
    return (await until(socket, "tools_registered"))[-1]


def call_step(name: str, call_id: str = "c1", **arguments: Any) -> ScriptedStep:
    """A model's step that calls one tool."""
    return ScriptedStep(calls=(ToolUse(call_id, name, arguments),))
