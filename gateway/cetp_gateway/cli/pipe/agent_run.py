"""The process of `cetp pipe agent`: handshake first, then a runtime with the browser's tools, then the tasks.

Above: `agent`. Below: `pipe.agent`, `assemble`, and the server when others may talk to the runtime.
"""

import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from cetp_gateway.api import Autonomy
from cetp_gateway.pipe import AgentLink, Stdio
from cetp_gateway.settings import Settings, SettingsSource
from cetp_spec.pipe import actions

if TYPE_CHECKING:
    from cetp_gateway.assemble import Parts, Runtime
    from cetp_gateway.pipe.agent import Browser

DONE: Final = 0
"""Also when a task failed: any other exit status is a crash to a host, which then starts the agent again (pipe 5.2,
5.7), and a task that failed half-way must not be begun anew unasked. The report has each task's status."""
PIPE_FAILED: Final = 3
LOST_COUNT: Final = 4
"""Exit statuses; 1 is a runtime that cannot be opened, 2 a mistake in the command line."""

NOBODY: Final = (
    "there is nobody here who could be asked. Whoever starts the agent can let it act with --autonomy full, or add "
    "--listen, so that `cetp approvals` decides"
)

_log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class AgentRun:
    """What the command line says."""

    tasks: Sequence[str]
    source: SettingsSource
    config: Path
    data: Path
    listen: int | None
    """A port of this machine; None: nobody else may talk to the runtime."""
    result: Path | None
    events: Path | None
    script: Path | None


async def run_agent(run: AgentRun, stdio: Stdio) -> int:
    """The exit status.

    Raises:
        PipeFailed: there was no handshake.
        CetpError, click.ClickException: the runtime cannot be opened; the message names what to change.
    """
    settings = run.source.read()
    announced = announced_actions(settings.policy.autonomy)
    # Before all that takes time to load: a host waits 5 s for the answer.
    async with await AgentLink.open(stdio.input, stdio.output, announced) as link:
        _log.info("the host may be asked for %s", ", ".join(announced))
        from cetp_gateway.pipe.agent import Browser  # noqa: PLC0415  (likewise)

        browser = Browser(link, settings.pipe)
        async with _runtime(run, settings, browser, announced) as runtime:
            await _work(run, runtime, browser)
    return LOST_COUNT if link.lost_count else DONE


def announced_actions(autonomy: Autonomy) -> list[str]:
    """What this agent may ask its host for: with read_only nothing that acts."""
    return [
        name for name, action in actions().items() if autonomy is not Autonomy.READ_ONLY or action.effect == "reads"
    ]


@asynccontextmanager
async def _runtime(
    run: AgentRun, settings: Settings, browser: "Browser", announced: list[str]
) -> "AsyncIterator[Runtime]":
    from cetp_gateway.assemble import assemble  # noqa: PLC0415  (after the handshake)
    from cetp_gateway.cli.pipe.script import script_model  # noqa: PLC0415  (likewise)

    parts = _parts(browser, announced)
    model = script_model(run.script) if run.script is not None else None
    if run.listen is None:
        async with assemble(
            settings, data_folder=run.data, config_file=run.config, model=model, parts=parts
        ) as runtime:
            runtime.policy.approvals.nobody_because = NOBODY
            yield runtime
        return
    from cetp_gateway.cli.pipe.listening import asking_at  # noqa: PLC0415  (0.3 s that others need not pay)
    from cetp_gateway.server.serve import gateway  # noqa: PLC0415  (likewise)

    async with gateway(
        settings, data_folder=run.data, config_file=run.config, model=model, parts=parts, source=run.source
    ) as running:
        click.echo(f"Talk to this agent with: cetp chat --gateway {running.url}", err=True)
        with asking_at(running.url, running.runtime.policy.approvals):
            yield running.runtime


def _parts(browser: "Browser", announced: list[str]) -> "Parts":
    from cetp_gateway.assemble import Parts  # noqa: PLC0415  (after the handshake)
    from cetp_gateway.cli.pipe.hooks import HooksAndBrowser  # noqa: PLC0415  (likewise)
    from cetp_gateway.pipe.agent import BrowserHook, browser_tools  # noqa: PLC0415  (likewise)

    tools = browser_tools(browser, announced)
    hook = BrowserHook(browser, {tool.spec.name: tool.action for tool in tools})
    return Parts(tools=tools, hooks=HooksAndBrowser(hook))


async def _work(run: AgentRun, runtime: "Runtime", browser: "Browser") -> None:
    from cetp_gateway.cli.pipe.report import EventFile, Report  # noqa: PLC0415  (after the handshake)
    from cetp_gateway.cli.pipe.tasks import TaskRunner  # noqa: PLC0415  (likewise)

    events = EventFile(run.events)
    runner = TaskRunner(runtime, browser, events)
    report = Report(model=f"{runtime.model.provider} {runtime.model.model}".strip(), tasks=[])
    try:
        for task in run.tasks:
            report.tasks.append(await runner.run(task))
            if run.result is not None:
                report.write(run.result)
        if run.listen is not None:
            await browser.link.wait_closed()
    finally:
        events.close()
        await runner.close()
