"""`cetp pipe demo`: host, agent and Chromium work together on pages of this machine, each in a process of its own."""

import asyncio
import os
import signal
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from string import Template
from typing import Any, Final
from urllib.parse import urlsplit

import click
import msgspec
from rich.console import Console
from rich.text import Text

from cetp_gateway.cli.pipe.demo_processes import HostProcess, event_lines
from cetp_gateway.cli.pipe.demo_site import PASSWORD, USER, shop
from cetp_gateway.cli.turn_printer import TurnPrinter
from cetp_gateway.models.factories import AUTO, chosen_provider
from cetp_gateway.settings import Settings, load_settings

CETP: Final = (sys.executable, "-m", "cetp_gateway.cli")
LIMIT_S: Final = 300.0
"""A model on the LAN may be slow; a demo that hangs helps nobody."""

_STEPS: Final = Path(__file__).with_name("demo_steps.json")


@click.command("demo", epilog="Example: ANTHROPIC_API_KEY=… cetp pipe demo")
def demo_command() -> None:
    """See an agent sign in to a shop, search it and read a total, in a real Chromium.

    Starts a small shop on a free loopback port, `cetp pipe host` with a browser, and `cetp pipe agent` as its child.
    The agent uses the model that the environment names, as `cetp demo` does; without one it follows a script of fixed
    steps. Leaves nothing behind.
    """
    settings = load_settings(None)
    with tempfile.TemporaryDirectory(prefix="cetp-pipe-demo-") as folder, shop() as url:
        demo = Demo(Path(folder), url, scripted=_has_no_model(settings))
        demo.introduce(settings)
        try:
            asyncio.run(demo.run())
        except asyncio.CancelledError:
            raise click.Abort from None


def _has_no_model(settings: Settings) -> bool:
    """Whether there is nothing but the offline planner, whose rules never act."""
    provider = settings.model.provider
    return (chosen_provider(settings.model, os.environ) if provider == AUTO else provider) in {"offline", "none"}


class Demo:
    """One run.

    Args:
        folder: for everything that is written; removed by whoever made it.
        url: of the shop.
        scripted: follow the steps that ship in place of a model.
    """

    def __init__(self, folder: Path, url: str, *, scripted: bool) -> None:
        self._folder = folder
        self._url = url
        self._scripted = scripted
        self._domain = urlsplit(url).netloc
        self._console = Console(highlight=False)
        self._printer = TurnPrinter(self._console)

    def introduce(self, settings: Settings) -> None:
        """Say what will be seen."""
        model = settings.model
        lines = [f"A shop at {self._url}, a host with Chromium, and an agent that may act there (--autonomy full)."]
        if self._scripted:
            lines.append("No model is set, so the agent follows a script of fixed steps; that is no LLM.")
            lines.append("Set ANTHROPIC_API_KEY, or CETP_MODEL_BASE_URL and CETP_MODEL_NAME, to see one find its way.")
        else:
            lines.append(f"Model: {model.provider} {model.name}".rstrip())
        for line in lines:
            self._console.print(Text(line, "dim"), soft_wrap=True)

    async def run(self) -> None:
        """Show the conversation. Raises click.ClickException when the task was not done."""
        if (this := asyncio.current_task()) is not None:
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, this.cancel)
        events = self._folder / "events"
        os.mkfifo(events, 0o600)
        async with event_lines(events) as lines, HostProcess(self._command(events), self._environment()) as host:
            try:
                async with asyncio.timeout(LIMIT_S):
                    async for frame in lines.until(host.ended()):
                        self._show(frame)
            except TimeoutError:
                raise click.ClickException(f"The task was not done within {LIMIT_S:g} s.") from None
        self._judge(host)

    def _show(self, frame: dict[str, Any]) -> None:
        if frame["type"] == "message":
            self._printer.question(frame["content"])
        else:
            self._printer.show(frame)

    def _judge(self, host: HostProcess) -> None:
        result = self._folder / "result.json"
        if not result.exists():
            raise click.ClickException(host.said or f"The host ended with status {host.status} and said nothing.")
        report = msgspec.json.decode(result.read_bytes())
        (task,) = report["tasks"]
        if task["status"] != "done" or host.status != 0:
            raise click.ClickException(f"The task was not done: {task.get('error') or task['status']}")
        numbers = [number for call in task.get("calls", ()) for number in call["seq"]]
        summary = f"{len(numbers)} commands crossed the pipe, each signed for {self._domain}."
        self._console.print(Text(summary, "dim"), soft_wrap=True)

    def _command(self, events: Path) -> Sequence[str]:
        task = (
            f"Sign in at {self._url} as {USER} with the password {PASSWORD}, find the order with the kettle, and tell "
            "me its total."
        )
        config = self._folder / "cetp.toml"
        config.touch()
        files = ("--events", str(events), "--result", str(self._folder / "result.json"), "--config", str(config))
        agent = (*CETP, "pipe", "agent", "--task", task, "--autonomy", "full", "--data", str(self._folder / "data"))
        host = (*CETP, "pipe", "host", "--log", str(self._folder / "host.log"), "--allow-domain", self._domain)
        return (*host, "--", *agent, *files, *self._script())

    def _script(self) -> Sequence[str]:
        if not self._scripted:
            return ()
        script = self._folder / "steps.json"
        steps = Template(_STEPS.read_text("utf-8"))
        script.write_text(steps.substitute(url=self._url, user=USER, password=PASSWORD), "utf-8")
        return ("--script", str(script))

    def _environment(self) -> dict[str, str]:
        """The user's, with the shop alone open to the browser."""
        return os.environ | {
            "CETP_PIPE_ALLOWED_HOSTS": self._domain,
            "CETP_PIPE_ALLOW_PRIVATE_HOSTS": self._domain,
            "CETP_MEMORY_BACKEND": "none",
        }
