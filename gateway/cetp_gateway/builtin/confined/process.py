"""Runs one program in its world, from its start to the end of everything that it has started.

Above: `commands`, the queries over data. Below: `launcher` (as a process), `world`, `output`, `sandbox_state`.
"""

import asyncio
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

import msgspec

from cetp_gateway.builtin.confined.output import HeadAndTail
from cetp_gateway.builtin.confined.sandbox_state import LAUNCHER, SandboxState, sandbox_state
from cetp_gateway.builtin.confined.world import Plan, World, plan_for

END_S: Final = 2.0
"""For the launcher to clear up after itself."""
RUNAWAY_BYTES: Final = 64 * 1024 * 1024
"""A program that says more is ended."""
_PIECE: Final = 64 * 1024


class Ended(msgspec.Struct, frozen=True):
    """What became of a program."""

    code: int
    """128 and more: ended by a signal. Meaningless when it was stopped."""
    out: HeadAndTail
    err: HeadAndTail
    stopped: str
    """Why it was ended before its time; empty when it was not."""
    sandbox: SandboxState


async def run_confined(
    world: World,
    arguments: Sequence[str],
    *,
    seconds: float,
    script: str = "",
    given: bytes = b"",
    out_bytes: int,
    err_bytes: int = 8192,
    sandbox: SandboxState | None = None,
) -> Ended:
    """Run it, in at most so many seconds.

    Args:
        world: what it may use.
        arguments: an absolute path and arguments; arguments alone for a script.
        seconds: by the clock; then it is ended.
        script: a Python file of ours to be run instead of a program.
        given: its standard input.
        out_bytes: kept of its output.
        err_bytes: kept of its errors.
        sandbox: what to confine it with; all that the system has when nothing is said.

    Raises:
        OSError: no process can be started.
        asyncio.CancelledError: it was ended with all that it has started.
    """
    if sandbox is None:
        sandbox = await asyncio.to_thread(sandbox_state)
    plan = plan_for(
        world, arguments, script=script, seconds=seconds, landlock=sandbox.landlock, namespaces=sandbox.namespaces
    )
    process = await _launched(plan, is_script=bool(script), has_input=bool(given))
    out, err = HeadAndTail(out_bytes), HeadAndTail(err_bytes)
    stopped = ""
    try:
        async with asyncio.timeout(seconds):
            stopped = await _talk(process, given, out, err)
    except TimeoutError:
        stopped = f"it was ended after {seconds:.3g} s"
    finally:
        await _end(process)
    return Ended(process.returncode or 0, out, err, stopped, sandbox)


async def _launched(plan: Plan, *, is_script: bool, has_input: bool) -> Process:
    # Scripts of ours need installed packages, programs nothing of Python.
    flags = ("-I",) if is_script else ("-I", "-S")
    return await asyncio.create_subprocess_exec(
        sys.executable,
        *flags,
        LAUNCHER,
        msgspec.json.encode(plan).decode(),
        stdin=PIPE if has_input else DEVNULL,
        stdout=PIPE,
        stderr=PIPE,
        cwd="/",
        env=dict(plan.environment),
        start_new_session=True,
    )


async def _talk(process: Process, given: bytes, out: HeadAndTail, err: HeadAndTail) -> str:
    """Until it has ended and has nothing more to say; why it was stopped."""
    assert process.stdout is not None  # noqa: S101
    assert process.stderr is not None  # noqa: S101
    async with asyncio.TaskGroup() as group:
        runaways = [
            group.create_task(_listen(process, process.stdout, out)),
            group.create_task(_listen(process, process.stderr, err)),
        ]
        if given:
            group.create_task(_give(process, given))
        await process.wait()
    return next((reason for runaway in runaways if (reason := runaway.result())), "")


async def _listen(process: Process, stream: asyncio.StreamReader, heard: HeadAndTail) -> str:
    stopped = ""
    while piece := await stream.read(_PIECE):
        heard.take(piece)
        if heard.total > RUNAWAY_BYTES and not stopped:
            stopped = f"it was ended when it had written {RUNAWAY_BYTES} bytes"
            with suppress(ProcessLookupError):
                process.send_signal(signal.SIGTERM)
    return stopped


async def _give(process: Process, given: bytes) -> None:
    assert process.stdin is not None  # noqa: S101
    with suppress(ConnectionError):
        process.stdin.write(given)
        await process.stdin.drain()
    process.stdin.close()


async def _end(process: Process) -> None:
    """End the launcher, which ends all below it; by force when it does not. Its pipes are read to their end."""
    if process.returncode is None:
        with suppress(ProcessLookupError):
            process.send_signal(signal.SIGTERM)
    try:
        async with asyncio.timeout(END_S):
            await _hear_out(process)
    except TimeoutError:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await _hear_out(process)


async def _hear_out(process: Process) -> None:
    for stream in (process.stdout, process.stderr):
        while stream is not None and await stream.read(_PIECE):
            pass
    await process.wait()
