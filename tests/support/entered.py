"""A gateway behind its door: pairing required, one device paired, and an HTTP client with that device's token."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect

from cetp_gateway.api import ModelProvider
from cetp_gateway.assemble import Parts
from cetp_gateway.server.serve import Gateway
from cetp_gateway.testing import ScriptedStep
from support.whole import WITHIN_S, open_settings, rest, whole


class Entered:
    """A gateway, a device's token, and a client that sends it."""

    def __init__(self, running: Gateway, http: httpx.AsyncClient, token: str) -> None:
        self.running = running
        self.runtime = running.runtime
        self.http = http
        self.token = token

    @property
    def socket_url(self) -> str:
        return f"ws://127.0.0.1:{self.running.port}/ws/chat"

    async def bare(self, method: str, path: str, **more: Any) -> httpx.Response:
        """A request without a token."""
        async with rest(self.running) as http:
            return await http.request(method, path, **more)


@asynccontextmanager
async def entered(
    folder: Path,
    *,
    model: ModelProvider | list[ScriptedStep] | None = None,
    parts: Parts | None = None,
    **sections: dict[str, Any],
) -> AsyncIterator[Entered]:
    """Run such a gateway; `sections` are settings."""
    sections["server"] = {"require_pairing": True} | sections.get("server", {})
    async with (
        whole(folder, model or [], settings=open_settings(**sections), parts=parts) as running,
        rest(running) as http,
    ):
        token = (await running.runtime.paired.pair("test phone")).token
        http.headers["authorization"] = f"Bearer {token}"
        yield Entered(running, http, token)


@asynccontextmanager
async def socket(url: str, **how: Any) -> AsyncIterator[ClientConnection]:
    """A plain WebSocket client; `how` goes to `websockets`."""
    async with connect(url, compression=None, proxy=None, open_timeout=WITHIN_S, **how) as opened:
        yield opened
