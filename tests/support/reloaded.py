"""A gateway whose settings come from a file in a test's folder, so that they can be changed while it runs."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx

from cetp_gateway.api import ModelProvider
from cetp_gateway.server.serve import Gateway, gateway
from cetp_gateway.settings import SettingsSource
from support.whole import rest

ALWAYS = """\
[server]
port = 0
require_pairing = false
[sessions]
titles = false
[memory]
consolidate = false
[reload]
watch_s = 0
"""
"""Nine lines: what a test adds begins with line 10."""


class FromFile:
    """A running gateway, its file, and a client."""

    def __init__(self, running: Gateway, http: httpx.AsyncClient, file: Path) -> None:
        self.running = running
        self.http = http
        self.file = file

    def says(self, text: str) -> None:
        """Write the settings file: what tests always need, and this."""
        self.file.write_text(ALWAYS + text)

    async def reload(self) -> Any:
        answer = await self.http.post("/api/config/reload")
        return {"status": answer.status_code, **answer.json()}

    async def status(self) -> Any:
        return (await self.http.get("/api/status")).json()["settings"]


@asynccontextmanager
async def from_file(
    folder: Path, text: str = "", *, model: ModelProvider | None = None, **environment: str
) -> AsyncIterator[FromFile]:
    """Run such a gateway; pairing is off."""
    file = folder / "cetp.toml"
    file.write_text(ALWAYS + text)
    source = SettingsSource(file, environment)
    async with (
        gateway(source.read(), data_folder=folder, config_file=file, model=model, source=source) as running,
        rest(running) as http,
    ):
        yield FromFile(running, http, file)
