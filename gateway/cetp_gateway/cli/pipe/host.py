"""`cetp pipe host`: a Chromium for an agent that is started as a child. Wires; decides nothing about messages."""

import asyncio
import logging
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from cetp_gateway.errors import CetpError, SettingsError
from cetp_gateway.pipe import (
    Circuits,
    Command,
    Executor,
    Failed,
    HostLink,
    HostOptions,
    Keeper,
    SessionEnd,
    SessionState,
)
from cetp_gateway.pipe.browser import BrowserSettings, domain_of, open_browser

_EXIT = {SessionState.ENDED: 0, SessionState.FAILED: 1, SessionState.CRASHED: 3}
_FORM = "%(asctime)s %(levelname)s %(name)s %(message)s"


@click.command("host", epilog="Example: cetp pipe host --allow-domain example.org -- my-agent --its-option")
@click.option("--headed", is_flag=True, help="Show the browser's window; needs a display.")
@click.option(
    "--allow-domain", "domains", multiple=True, metavar="DOMAIN", help="Allow this one; all when none is named."
)
@click.option("--files", type=click.Path(path_type=Path, file_okay=False), help="Keep screenshots in this folder.")
@click.option("--start-url", default="", metavar="URL", help="Open this page before the agent is started.")
@click.option(
    "--browser", default="", metavar="PATH", help="The browser to start. [default: the first Chromium on PATH]"
)
@click.option("--log", "log", type=click.Path(path_type=Path, dir_okay=False), help="Write the log to this file.")
@click.argument("agent", nargs=-1, required=True, type=click.UNPROCESSED)
def host_command(
    *,
    headed: bool,
    domains: Sequence[str],
    files: Path | None,
    start_url: str,
    browser: str,
    log: Path | None,
    agent: Sequence[str],
) -> None:
    """Start AGENT and carry out what it asks for on a real Chromium, until it ends or Ctrl-C.

    AGENT is a program and its arguments, behind `--`. The log goes to standard error; all its lines about one command
    carry the same `seq=`. Exit code: 0 when the session ended as it should, 1 when agent or browser cannot be used,
    3 when the agent crashed.
    """
    _log_to(log)
    settings = BrowserSettings(executable=browser, headless=not headed, files=files)
    options = HostOptions(domains=frozenset(domains) or None)
    end = asyncio.run(_host(settings, options, agent, start_url))
    click.echo(_told(end), err=end.state is not SessionState.ENDED)
    sys.exit(_EXIT[end.state])


async def _host(settings: BrowserSettings, options: HostOptions, agent: Sequence[str], start_url: str) -> SessionEnd:
    hosting = _Hosting()
    hosting.heed_signals()
    async with open_browser(settings) as executor:
        if start_url:
            await _open(executor, start_url)
        return await hosting.run(executor, options, agent)


class _Hosting:
    """Ends in order at the first signal, whenever it comes."""

    def __init__(self) -> None:
        self._keeper: Keeper | None = None
        self._stopped = False

    def heed_signals(self) -> None:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self._stop)

    async def run(self, executor: Executor, options: HostOptions, agent: Sequence[str]) -> SessionEnd:
        circuits = Circuits()
        self._keeper = Keeper(lambda: HostLink(agent, executor, circuits=circuits, options=options))
        if self._stopped:
            return SessionEnd(state=SessionState.ENDED)
        return await self._keeper.run()

    def _stop(self) -> None:
        self._stopped = True
        if self._keeper is not None:
            self._keeper.close()


async def _open(executor: Executor, url: str) -> None:
    domain = domain_of(url)
    if domain is None:
        raise SettingsError(f"--start-url {url} is no address of a page; write one such as https://example.org/")
    ended = await executor.execute(Command(seq=0, action="navigate", params={"url": url}, expected_domain=domain))
    if isinstance(ended, Failed):
        raise CetpError(f"--start-url could not be opened: {ended.message}")


def _log_to(file: Path | None) -> None:
    logging.basicConfig(format=_FORM, filename=file, level=logging.WARNING)
    logging.getLogger("cetp_gateway.pipe").setLevel(logging.INFO)


def _told(end: SessionEnd) -> str:
    said = f"The session {end.state} after {end.commands} commands."
    return f"{said} {end.code} {end.message}".rstrip() if end.message else said
