"""The tool that runs a command.

The policy has judged the call before; the list is looked at here once more, for the program's path. Above: `all_tools`.
Below: `confined`, `files.space`.
"""

import asyncio
import os
import tempfile
from pathlib import Path
from typing import Annotated, Final

from msgspec import Meta

from cetp_gateway.api import COMMAND_TOOL, CallContext, Effect
from cetp_gateway.builtin.builtin_tool import BuiltinTool, NotPossible
from cetp_gateway.builtin.commands.allowed import Commands
from cetp_gateway.builtin.confined import Ended, World, run_confined, sandbox_state
from cetp_gateway.builtin.declared import Asked, Declared
from cetp_gateway.builtin.files import FileSpace
from cetp_gateway.builtin.files.space import workspace_of
from cetp_gateway.settings.builtin import BuiltinSettings
from cetp_spec import ErrorCode

OUT_BYTES: Final = 16_000
ERR_BYTES: Final = 4_000
FILE_BYTES: Final = 256 * 1024 * 1024
"""Of one file that a command writes."""
SPARE_S: Final = 1.0
"""Left of the call's time when the command is ended, to say what it has said so far."""
LISTED_CHARS: Final = 600
"""Of the owner's list, in the description."""

Word = Annotated[str, Meta(max_length=8192)]


class CommandAsked(Asked, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is to be run."""

    command: Annotated[
        list[Word],
        Meta(
            min_length=1, max_length=64, description='The program, then each of its arguments: ["ls", "-l", "notes"].'
        ),
    ]
    seconds: Annotated[int, Meta(ge=1, le=3600, description="Longest time; the command is ended then.")] = 3600


class RunCommand(BuiltinTool[CommandAsked]):
    """Runs in the workspace, which is all that a command can change."""

    def __init__(self, commands: Commands, space: FileSpace, settings: BuiltinSettings) -> None:
        self._commands = commands
        self._space = space
        self._settings = settings
        self.declared = Declared(
            CommandAsked,
            name=COMMAND_TOOL,
            effect=Effect.RUNS,
            description=(
                "Runs a command in the workspace and gives its exit code, output and errors. There is no shell: no "
                "pipes, no variables, no globs. "
                + ("" if settings.command_network else "There is no network. ")
                + f"Allowed are: {'; '.join(commands.allowed)[:LISTED_CHARS]}"
            ),
        )

    async def run(self, asked: CommandAsked, context: CallContext) -> str:
        program = self._program(asked.command, context)
        await self._check_sandbox()
        left_s = context.deadline - asyncio.get_running_loop().time() - SPARE_S
        seconds = min(float(asked.seconds), left_s)
        if seconds <= 0:
            raise NotPossible("There is too little time left for a command.", code=ErrorCode.RATE_LIMITED)
        with tempfile.TemporaryDirectory(prefix="cetp-command-", ignore_cleanup_errors=True) as scratch:
            ended = await run_confined(
                self._world(workspace_of(context), Path(scratch)),
                [program, *asked.command[1:]],
                seconds=seconds,
                out_bytes=OUT_BYTES,
                err_bytes=ERR_BYTES,
            )
        return _told(ended, network=self._settings.command_network)

    def _program(self, command: list[str], context: CallContext) -> str:
        if any("\0" in word for word in command):
            raise NotPossible("command: a word of a command has no NUL character.")
        program = self._commands.program(command)
        if program is None:
            raise NotPossible(
                "This command is not on the owner's list (policy.allowed_commands).", code=ErrorCode.PERMISSION_DENIED
            )
        if self._space.guard(context).covers(os.path.realpath(program)):
            raise NotPossible(
                f"{program} lies where tools can write, so it is not run.", code=ErrorCode.PERMISSION_DENIED
            )
        return program

    async def _check_sandbox(self) -> None:
        if self._settings.command_sandbox == "available":
            return
        sandbox = await asyncio.to_thread(sandbox_state)
        if missing := sandbox.missing(network=self._settings.command_network):
            raise NotPossible(
                f"Commands are not run: this system cannot keep them from {missing}.",
                code=ErrorCode.PERMISSION_DENIED,
                hint='The owner can accept that with builtin.command_sandbox = "available".',
            )

    def _world(self, workspace: Path, scratch: Path) -> World:
        return World(
            folder=workspace,
            scratch=scratch,
            further=tuple(Path(folder) for folder in self._settings.command_folders),
            network=self._settings.command_network,
            memory_bytes=self._settings.command_memory_mb * 1024 * 1024,
            file_bytes=FILE_BYTES,
        )


def _told(ended: Ended, *, network: bool) -> str:
    """One line about how it ended, then what it said."""
    how = ended.stopped or f"exit code {ended.code}"
    parts = [f"[{how}]", ended.out.text.rstrip("\n")]
    if ended.err.total:
        parts.append(f"[errors]\n{ended.err.text.rstrip()}")
    if missing := ended.sandbox.missing(network=network):
        parts.append(f"[not confined: this system cannot keep commands from {missing}]")
    return "\n".join(part for part in parts if part)
