"""`cetp pipe agent`: the agent's side of the browser pipe, as a process that a host starts."""

import logging
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import click

from cetp_gateway.errors import PipeFailed
from cetp_gateway.pipe.stdio import take_stdio

TASK: Final = "CETP_PIPE_TASK"
FOLDER: Final = "pipe-agent"

_NOISY: Final = ("uvicorn.error", "httpx", "httpcore", "anthropic")


@click.command("agent", epilog='Example: cetp pipe host -- cetp pipe agent --task "What is new on example.org?"')
@click.option("--task", "texts", multiple=True, metavar="TEXT", help=f"What to do; may be repeated. [env var: {TASK}]")
@click.option(
    "--task-file",
    "files",
    multiple=True,
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="A file with a task; may be repeated.",
)
@click.option(
    "--autonomy",
    type=click.Choice(["read_only", "supervised", "full"]),
    help="read_only looks and never acts; supervised acts when a person allows each call, which needs --listen; full "
    "acts. [default: policy.autonomy, which is supervised]",
)
@click.option(
    "--listen",
    type=click.IntRange(0, 65535),
    metavar="PORT",
    help="Be a gateway on this machine as well, for `cetp approvals` and tasks by `cetp chat`. 0 takes a free port.",
)
@click.option(
    "--result", type=click.Path(path_type=Path, dir_okay=False), help="Write answers and calls there, as JSON."
)
@click.option(
    "--events",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Append what happens there, as lines of JSON, with all that is typed and read.",
)
@click.option(
    "--script",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Follow the steps of a JSON file in place of a model.",
)
@click.option(
    "--config",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    envvar="CETP_CONFIG",
    show_envvar=True,
    help="Settings file. [default: the gateway's]",
)
@click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    help=f"Folder of the database, for this agent alone. [default: {FOLDER} in the user's data folder]",
)
def agent_command(
    *,
    texts: tuple[str, ...],
    files: tuple[Path, ...],
    autonomy: str | None,
    listen: int | None,
    result: Path | None,
    events: Path | None,
    script: Path | None,
    config: Path | None,
    data: Path | None,
) -> None:
    """Carry out tasks in the browser of the host that has started this program.

    Standard input and output are the pipe; answers and the log go to standard error. The model, the policy and the
    rules about hosts ([pipe]) come from the settings.

    Exit status: 0 when the session ended as it should, also when a task failed, which --result tells: to a host,
    another status is a crash, and it would begin the tasks anew. 1 when the runtime cannot be opened, 2 usage, 3 no
    handshake, as with another version, 4 when the host says that numbers are out of order.
    """
    tasks = _tasks(texts, files)
    if not tasks and listen is None:
        raise click.UsageError(f"There is nothing to do. Say it with --task, --task-file, {TASK} or --listen.")
    if sys.stdin.isatty():
        raise click.UsageError("A host starts this program, as in: cetp pipe host -- cetp pipe agent …")
    stdio = take_stdio()
    # Only now may anything be loaded that is not known to be silent.
    from cetp_gateway.cli.pipe.agent_run import PIPE_FAILED, AgentRun, run_agent  # noqa: PLC0415
    from cetp_gateway.cli.serve import run_event_loop  # noqa: PLC0415
    from cetp_gateway.settings import SettingsSource, default_config_file, default_data_folder  # noqa: PLC0415

    config = config or default_config_file(default_data_folder())
    run = AgentRun(
        tasks=tasks,
        source=SettingsSource(config, overrides=_overrides(autonomy, listen)),
        config=config,
        data=data or default_data_folder() / FOLDER,
        listen=listen,
        result=result,
        events=events,
        script=script,
    )
    _log_to_stderr()
    try:
        status = run_event_loop(run_agent(run, stdio))
    except PipeFailed as error:
        click.echo(f"{error.code}: {error.message}", err=True)
        status = PIPE_FAILED
    sys.exit(status)


def _tasks(texts: Sequence[str], files: Sequence[Path]) -> tuple[str, ...]:
    try:
        given = [*texts, *(file.read_text("utf-8") for file in files)]
    except (OSError, UnicodeDecodeError) as error:
        raise click.UsageError(f"--task-file cannot be read as UTF-8 text: {error}.") from None
    tasks = tuple(task.strip() for task in given or [os.environ.get(TASK, "")])
    return tuple(filter(None, tasks))


def _overrides(autonomy: str | None, listen: int | None) -> dict[str, dict[str, Any]]:
    values: dict[str, dict[str, Any]] = {}
    if autonomy is not None:
        values["policy"] = {"autonomy": autonomy}
    if listen is not None:
        values["server"] = {"host": "127.0.0.1", "port": listen}
    return values


def _log_to_stderr() -> None:
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s", stream=sys.stderr)
    for name in _NOISY:
        logging.getLogger(name).setLevel(logging.WARNING)
