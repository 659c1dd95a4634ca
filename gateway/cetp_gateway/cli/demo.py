"""`cetp demo`: everything at once on this machine: a gateway, a virtual phone with two apps, and questions."""

import asyncio
import logging
import sys
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.console import Console
from rich.text import Text
from websockets.asyncio.client import ClientConnection, connect

from cetp_gateway.cli.serve import run_event_loop
from cetp_gateway.cli.turn_printer import ENDS, TurnPrinter
from cetp_gateway.phone import CallRefused, PhoneEvent, VirtualPhone, shipped_packs
from cetp_gateway.server.serve import Gateway, gateway
from cetp_gateway.settings import Settings, load_settings

ENERGY = "com.example.energy"
TURN_LIMIT_S = 180.0
"""A model on the LAN may be slow; a demo that hangs helps nobody."""

LOCAL_STEPS = 2
"""A very small model asks for the same call again and again."""

QUESTIONS = (
    "What is due this week?",
    "How much energy did the fridge use yesterday?",
    "Which devices are drawing power now?",
    "What does my note about the passport say?",
)


@click.command("demo", epilog="Example: ANTHROPIC_API_KEY=… cetp demo")
@click.option("--local-model", is_flag=True, help="Ask a small LLM on this machine; needs two further packages.")
@click.option("--local-python", default=sys.executable, help="Python that has those packages. [default: this one]")
def demo_command(local_model: bool, local_python: str) -> None:
    """See questions answered from apps on a virtual phone.

    Starts a gateway on a free loopback port with a temporary data folder, connects a virtual phone with a notes app
    and an energy meter, and asks. Uses Claude when ANTHROPIC_API_KEY is set, an OpenAI-compatible server when
    CETP_MODEL_BASE_URL names one, and otherwise the offline planner. Leaves nothing behind.

    --local-model asks SmolLM2 with 135 million parameters: it shows streaming and tool calls of a real model, and is
    often wrong.
    """
    logging.basicConfig(level=logging.ERROR)
    if not run_event_loop(_with_local_model(local_python) if local_model else _demo(_settings())):
        raise click.ClickException("Not every question was answered; the lines above say why.")


def _settings(**sections: dict[str, Any]) -> Settings:
    server = {"host": "127.0.0.1", "port": 0, "require_pairing": True}
    return load_settings(None, overrides={"server": server, **sections})


async def _with_local_model(python: str) -> bool:
    from cetp_gateway.cli.local_model import local_model  # noqa: PLC0415  (only here is it needed)

    async with local_model(python) as model:
        return await _demo(_settings(model=model, agent={"max_steps": LOCAL_STEPS}))


async def _demo(settings: Settings) -> bool:
    console = Console(highlight=False)
    with tempfile.TemporaryDirectory(prefix="cetp-demo-") as folder:
        data = Path(folder)
        async with gateway(settings, data_folder=data, config_file=data / "cetp.toml") as running:
            token = (await running.runtime.paired.pair("demo")).token
            _introduce(console, running)
            demo = Demo(console)
            phone = VirtualPhone(running.url, token, shipped_packs(), listener=demo.watch)
            async with phone, _chat(running, token) as socket:
                await phone.until_registered()
                return await demo.run(socket, phone)


def _introduce(console: Console, running: Gateway) -> None:
    model = running.runtime.model
    lines = [f"Gateway at {running.url}, model: {model.provider} {model.model}".rstrip()]
    if model.provider == "offline":
        lines.append("That is a rule-based planner and no LLM; set ANTHROPIC_API_KEY to hear Claude.")
    lines.append("Virtual phone with two apps: Notes and Home Energy. Home Energy is not authorised yet.")
    for line in lines:
        console.print(Text(line, "dim"), soft_wrap=True)


@asynccontextmanager
async def _chat(running: Gateway, token: str) -> AsyncIterator[ClientConnection]:
    url = f"{running.url.replace('http', 'ws', 1)}/ws/chat?session_id=demo&name=Demo"
    headers = {"Authorization": f"Bearer {token}"}
    async with connect(url, additional_headers=headers, compression=None, proxy=None) as socket:
        yield socket


class Demo:
    """Asks the questions; authorises the app that wants it, as the user of the phone would."""

    def __init__(self, console: Console) -> None:
        self._printer = TurnPrinter(console)
        self._refused = False

    def watch(self, event: PhoneEvent) -> None:
        """Notice on the phone that an app wants to be authorised."""
        if isinstance(event, CallRefused) and event.code == "AUTH_REQUIRED":
            self._refused = True

    async def run(self, socket: ClientConnection, phone: VirtualPhone) -> bool:
        """True when every question got an answer."""
        answered = True
        for question in QUESTIONS:
            answered &= await self._ask(socket, question)
            if self._refused:
                self._refused = False
                self._printer.note("(On the phone, the user opens Home Energy and allows access. The question again:)")
                phone.authorise(ENERGY)
                answered &= await self._ask(socket, question)
        return answered

    async def _ask(self, socket: ClientConnection, question: str) -> bool:
        self._printer.question(question)
        await socket.send(msgspec.json.encode({"type": "message", "content": question}).decode())
        async with asyncio.timeout(TURN_LIMIT_S):
            while True:
                frame: Mapping[str, Any] = msgspec.json.decode(await socket.recv())
                self._printer.show(frame)
                if frame["type"] in ENDS:
                    return bool(frame["type"] == "done")
