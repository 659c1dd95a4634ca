"""What `cetp pipe agent` leaves behind for its caller: a report of its tasks, and their events as they happen."""

import logging
import os
import stat
from pathlib import Path
from typing import Literal

import click
import msgspec

from cetp_gateway.api import TurnEvent, Usage
from cetp_gateway.pipe.agent import CommandRecord
from cetp_gateway.server.chat.turn_frames import turn_frames

Status = Literal["done", "failed", "host_gone"]

_log = logging.getLogger(__name__)


class TaskReport(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One task. Fields that do not apply are left out."""

    task: str
    status: Status
    answer: str = ""
    """As far as it got."""
    error: str = ""
    """Code and sentence."""
    steps: int = 0
    """Model requests that were answered."""
    calls: list[CommandRecord] = []
    """What crossed the pipe."""
    usage: Usage = Usage()
    elapsed_ms: int = 0


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """All tasks so far."""

    model: str
    """Provider and name."""
    tasks: list[TaskReport]

    def write(self, file: Path) -> None:
        """Put it in place of the file at once, for the owner alone. Raises click.ClickException."""
        beside = file.with_name(f".{file.name}.{os.getpid()}")
        try:
            beside.touch(mode=0o600)
            beside.write_bytes(msgspec.json.format(msgspec.json.encode(self), indent=2) + b"\n")
            beside.replace(file)
        except OSError as error:
            beside.unlink(missing_ok=True)
            raise click.ClickException(f"--result: {file} cannot be written ({error.strerror}).") from None


class EventFile:
    """Takes the frames of each task as lines of JSON, as `cetp chat --json` prints them; does nothing without a file.

    Args:
        file: appended to; made, for its owner alone, when missing. May be a named pipe that somebody reads.
    """

    def __init__(self, file: Path | None) -> None:
        self._descriptor = -1 if file is None else _opened(file)

    def question(self, task: str) -> None:
        """A task begins."""
        self._write(msgspec.json.encode({"type": "message", "content": task}))

    def emit(self, event: TurnEvent) -> None:
        """Something happens in it."""
        if self._descriptor >= 0:
            for frame in turn_frames(event):
                self._write(frame.encode())

    def close(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
        self._descriptor = -1

    def _write(self, frame: bytes) -> None:
        if self._descriptor < 0:
            return
        try:
            rest = frame + b"\n"
            while rest:
                rest = rest[os.write(self._descriptor, rest) :]
        except OSError as error:
            _log.warning("--events: nothing more is written (%s)", error.strerror)
            self.close()


def _opened(file: Path) -> int:
    try:
        # Without O_NONBLOCK a pipe that nobody reads would hold the program up for ever.
        descriptor = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NONBLOCK, stat.S_IRUSR | stat.S_IWUSR)
    except OSError as error:
        raise click.ClickException(f"--events: {file} cannot be written ({error.strerror}).") from None
    os.set_blocking(descriptor, True)
    return descriptor
