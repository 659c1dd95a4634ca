"""The bridge and the sample on Android's own framework, in one process that `make android` has built.

`tests/android/phone` is the other end; it answers lines of JSON. Nothing here knows what the commands mean.
"""

import asyncio
import itertools
import json
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import IO, Any

from android.apk.module import properties
from android.host import java
from android.host.maven import OUT

START_S = 120
ANSWER_S = 30
END_S = 20
QUICK_START = ("-XX:TieredStopAtLevel=1",)
"""The second compiler costs more than it brings in a process that lives for some seconds."""
READY = (OUT / "phone" / "runtime.txt").is_file()
"""Whether there is anything to start."""


class PhoneRefused(Exception):
    """The phone's process answered a command with an error, or ended."""


class AndroidPhone:
    """A running process; made by `running`."""

    def __init__(self, process: asyncio.subprocess.Process, log: IO[bytes]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._input, self._output, self._log = process.stdin, process.stdout, log
        self._numbers = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self.up: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def do(self, command: str, **words: Any) -> Any:
        """Send a command and wait for its value.

        Raises:
            PhoneRefused: it answered with an error, or ended.
        """
        number = next(self._numbers)
        answer = self._waiting[number] = asyncio.get_running_loop().create_future()
        self._input.write(json.dumps({"id": number, "do": command, **words}).encode() + b"\n")
        await self._input.drain()
        said = await asyncio.wait_for(answer, ANSWER_S)
        if "error" in said:
            raise PhoneRefused(said["error"])
        return said["value"]

    async def switch_off(self) -> None:
        """End this phone; the next command finds a new and empty one in its place."""
        self._input.write(b'{"do": "off"}\n')
        await self._input.drain()

    async def read(self) -> None:
        """Hand each line to whoever waits for it, until the process ends."""
        async for line in self._output:
            said = json.loads(line)
            if "up" in said:
                if not self.up.done():
                    self.up.set_result(None)
            else:
                self._waiting.pop(said["id"]).set_result(said)
        self._log.seek(0)
        ended = PhoneRefused("the phone's process ended:\n" + self._log.read().decode(errors="replace")[-4000:])
        unanswered: list[asyncio.Future[Any]] = [self.up, *self._waiting.values()]
        for waiting in unanswered:
            if not waiting.done():
                waiting.set_exception(ended)
                # Nobody may be waiting any more.
                waiting.exception()


@asynccontextmanager
async def running(java_options: Sequence[str] = QUICK_START) -> AsyncIterator[AndroidPhone]:
    """A phone that is up, with nothing but the bridge; it ends with the block."""
    with tempfile.TemporaryFile() as log:
        process = await asyncio.create_subprocess_exec(
            *_command(java_options),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=log,
            limit=16 << 20,
        )
        phone = AndroidPhone(process, log)
        reader = asyncio.create_task(phone.read())
        try:
            await asyncio.wait_for(asyncio.shield(phone.up), START_S)
            yield phone
        finally:
            await _end(process)
            await reader


async def _end(process: asyncio.subprocess.Process) -> None:
    assert process.stdin is not None
    process.stdin.close()
    try:
        await asyncio.wait_for(process.wait(), END_S)
    except TimeoutError:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()


def _command(java_options: Sequence[str]) -> list[str]:
    app = OUT / "app"
    resources = app / "android"
    outside_the_sandbox = _framework(resources, properties("app")["framework.34"])
    path = [
        OUT / "phone" / "classes",
        *(Path(word) for word in (OUT / "phone" / "runtime.txt").read_text("utf-8").split(":")),
        resources / "test-resources",
        app / "monitor" / "classes.jar",
        outside_the_sandbox,
    ]
    return [
        *(str(java.on_path() / "bin" / "java"), "-Xmx1500m", "-XX:+UseSerialGC", *java_options),
        *("-cp", ":".join(map(str, path))),
        f"-Drobolectric-deps.properties={resources / 'frameworks.properties'}",
        f"-Dphone.sample={OUT / 'sample' / 'android' / 'base.apk'}",
        "org.cetp.phone.MainKt",
    ]


def _framework(resources: Path, version: str) -> Path:
    for line in (resources / "frameworks.properties").read_text("utf-8").splitlines():
        name, _, file = line.partition("=")
        if name.endswith(version):
            return Path(file)
    raise LookupError(f"frameworks.properties names no {version}")
