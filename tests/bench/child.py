"""A process of the benchmark: pinned to a core, heard line by line within bounds, ended by its own id."""

import os
import selectors
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

import msgspec

from .cores import pinned

ROOT = Path(__file__).parents[2]
_ERROR_CHARS = 1500
_END_S = 10.0


class ChildFailed(Exception):
    """A process ended, or said nothing in time; the message holds the end of its standard error."""


class Child:
    """Started when made. A line of its output that begins with a word is what it has to say.

    Args:
        command: arguments after the Python interpreter.
        core: where it runs.
        settings: added to the environment, in which nothing of the user's CETP settings is left.
    """

    def __init__(self, *command: str, core: int, settings: Mapping[str, str] | None = None) -> None:
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115  (closed by stop)
        self._heard = b""
        self.started_at = time.perf_counter()
        with pinned(core):
            self._process = subprocess.Popen(
                [sys.executable, *command],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                cwd=ROOT,
                env=_environment(settings or {}),
                bufsize=0,
            )

    @property
    def pid(self) -> int:
        return self._process.pid

    def line(self, word: str, *, within_s: float) -> str:
        """What follows `word` on the next line that begins with it.

        Raises:
            ChildFailed: no such line came in time, or the process ended.
        """
        deadline = time.monotonic() + within_s
        while True:
            line, newline, rest = self._heard.partition(b"\n")
            if newline:
                self._heard = rest
                if line.startswith(word.encode()):
                    return line[len(word) :].decode().strip()
            else:
                self._hear_more(word, deadline - time.monotonic())

    def value(self, word: str, *, within_s: float) -> dict[str, Any]:
        """The JSON object on the next line that begins with `word`."""
        said: dict[str, Any] = msgspec.json.decode(self.line(word, within_s=within_s))
        return said

    def tell(self, line: str) -> None:
        """Write a line to its standard input."""
        assert self._process.stdin is not None
        self._process.stdin.write(line.encode() + b"\n")

    def stop(self) -> None:
        """End it with SIGTERM, and with SIGKILL when that is not enough."""
        self._process.terminate()
        try:
            self._process.wait(_END_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait(_END_S)
        for pipe in (self._process.stdin, self._process.stdout, self._errors):
            if pipe is not None:
                pipe.close()

    def __enter__(self) -> "Child":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _hear_more(self, word: str, within_s: float) -> None:
        assert self._process.stdout is not None
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ)
            if within_s <= 0 or not selector.select(within_s):
                raise ChildFailed(f"no {word} in time{self._last_words()}")
        piece = os.read(self._process.stdout.fileno(), 65536)
        if not piece:
            raise ChildFailed(f"ended before {word}{self._last_words()}")
        self._heard += piece

    def _last_words(self) -> str:
        self._errors.seek(0)
        text = self._errors.read().decode(errors="replace").strip()
        return f":\n{text[-_ERROR_CHARS:]}" if text else ""


def process(name: str, *arguments: object, core: int) -> Child:
    """A module of `processes`."""
    return Child("-m", f"tests.bench.processes.{name}", *map(str, arguments), core=core)


def _environment(settings: Mapping[str, str]) -> dict[str, str]:
    users = ("CETP_", "ANTHROPIC_", "OPENAI_", "PYTHON", "MALLOC_")
    return {key: value for key, value in os.environ.items() if not key.startswith(users)} | dict(settings)
