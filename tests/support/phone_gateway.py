"""The gateway of the scenarios with phones: behind its door, on a port that it has again after a restart."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import connect

from cetp_gateway.testing import ScriptedModel, ScriptedStep
from support.whole import Frame, open_settings, send, take, until, whole

ASKER = "whoever asks"
MESSAGE_BYTES = 1 << 20
"""Less than two million characters."""
WITHIN_S = 30.0
"""For what a phone does by itself: to scan, to connect, to wait before it tries again."""


class House:
    """A gateway, and whoever asks it."""

    def __init__(
        self,
        folder: Path,
        model: ScriptedModel,
        http: httpx.AsyncClient,
        *,
        tls: bool,
        sections: dict[str, dict[str, Any]],
    ) -> None:
        self._folder = folder
        self._model = model
        self._http = http
        self._sections = sections
        self._port = free_port()
        self._server: dict[str, Any] = {
            "require_pairing": True,
            "port": self._port,
            "tls": "self-signed" if tls else "off",
        }
        # Otherwise a gateway for this machine alone gives no links.
        self._server["public_url"] = f"{'https' if tls else 'http'}://127.0.0.1:{self._port}"
        self._token = ""
        self._standing = AsyncExitStack()

    async def start(self) -> None:
        """Start the gateway, with the port and the data that it had."""
        settings = open_settings(server=self._server, limits={"message_bytes": MESSAGE_BYTES}, **self._sections)
        self._running = await self._standing.enter_async_context(whole(self._folder, self._model, settings=settings))
        self._http.base_url = self._running.url
        if not self._token:
            self._token = (await self._running.runtime.paired.pair(ASKER)).token
            self._http.headers["authorization"] = f"Bearer {self._token}"

    async def stop(self) -> None:
        """End it in order."""
        await self._standing.aclose()

    async def link(self) -> str:
        """A new pairing link, as `cetp pair` makes it."""
        answer = (await self._http.post("/admin/paircode/new")).raise_for_status().json()
        link: str = answer["link"]
        return link

    async def revoke_phones(self) -> None:
        """Revoke the token of every device but the one that asks here."""
        for device in (await self._http.get("/admin/devices")).json()["devices"]:
            if device["name"] != ASKER:
                (await self._http.delete(f"/admin/devices/{device['id']}")).raise_for_status()

    def tools(self) -> set[str]:
        """The names that the model would be offered."""
        return {spec.name for spec in self._running.runtime.registry.view().specs()}

    async def until_tools(self, wanted: set[str] | Callable[[set[str]], bool]) -> set[str]:
        """Wait until there are exactly these tools, or until they fit."""
        fits = wanted if callable(wanted) else wanted.__eq__
        changed = asyncio.Event()
        unsubscribe = self._running.runtime.registry.subscribe(lambda _: changed.set())
        try:
            async with asyncio.timeout(WITHIN_S):
                while not fits(self.tools()):
                    changed.clear()
                    await changed.wait()
        finally:
            unsubscribe()
        return self.tools()

    async def call(self, tool: str, within_ms: int = 20_000, **arguments: Any) -> dict[str, Any]:
        """Call a tool by REST; the outcome."""
        body = {"arguments": arguments, "timeout_ms": within_ms}
        answer = await self._http.post(f"/api/tools/{tool}/call", json=body)
        said: dict[str, Any] = answer.json()
        return said

    async def ask(self, question: str) -> list[Frame]:
        """Ask on a chat socket; all frames of the turn."""
        url = f"ws://127.0.0.1:{self._port}/ws/chat?session_id=asking"
        headers = {"Authorization": f"Bearer {self._token}"}
        async with connect(url, additional_headers=headers, compression=None, proxy=None) as asking:
            assert (await take(asking))["type"] == "session_start"
            await send(asking, type="message", content=question)
            return await until(asking, "done")


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
        return port


@asynccontextmanager
async def house(
    folder: Path, *steps: ScriptedStep, tls: bool = False, **sections: dict[str, Any]
) -> AsyncIterator[House]:
    """Run a gateway whose model says these steps; with `tls` it has a certificate of its own making. `sections` are
    settings.
    """
    # Whoever asks here does so in the gateway's own process and trusts any certificate.
    async with httpx.AsyncClient(trust_env=False, timeout=WITHIN_S, verify=False) as http:
        at_home = House(folder, ScriptedModel(steps), http, tls=tls, sections=sections)
        await at_home.start()
        try:
            yield at_home
        finally:
            await at_home.stop()
