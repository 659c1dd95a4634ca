"""Running commands: of the owner's list, without a shell, in a world that ends with them."""

import asyncio
import os
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cetp_gateway.api import Answered
from cetp_gateway.builtin.confined import SandboxState, World, run_confined, sandbox_state
from cetp_gateway.policy import CommandRules
from support.builtin_calls import Builtins

PYTHON = os.path.realpath(sys.executable)
FOLDERS = sorted({sys.base_prefix, str(Path(PYTHON).parents[1])})

needs_landlock = pytest.mark.skipif(not sandbox_state().files, reason="this kernel has no Landlock")
needs_namespaces = pytest.mark.skipif(not sandbox_state().namespaces, reason="users may have no namespaces here")


def shell(folder: Path, *allowed: str, **builtin: Any) -> Builtins:
    settings = {"command_folders": FOLDERS} | builtin
    return Builtins(folder / "data", {"commands": CommandRules(allowed)}, builtin=settings)


def python(folder: Path, **builtin: Any) -> Builtins:
    return shell(folder, PYTHON, **builtin)


async def run(tools: Builtins, code: str, *arguments: str, **more: Any) -> str:
    """What a Python program says."""
    return await tools.said("run_command", command=[PYTHON, "-I", "-S", "-c", code, *arguments], **more)


async def test_a_command_runs_in_the_workspace_and_tells_its_exit_code_output_and_errors(tmp_path: Path) -> None:
    tools = python(tmp_path)
    await tools.said("write_file", path="a.txt", content="hello")
    said = await run(
        tools,
        "import sys, os; print(os.getcwd()); print(open('a.txt').read()); print('oh', file=sys.stderr); sys.exit(3)",
    )
    assert said.startswith(f"[exit code 3]\n{tools.workspace}\nhello\n[errors]\noh")


async def test_arguments_are_passed_as_they_are(tmp_path: Path) -> None:
    words = ["$HOME", "*", "a b", ";", "|", "&&", "`id`", "'", '"', "\n", "ünï", ""]
    said = await run(python(tmp_path), "import sys; print(sys.argv[1:])", *words)
    assert said == f"[exit code 0]\n{words}"


async def test_without_a_list_there_is_no_such_tool(tmp_path: Path) -> None:
    tools = shell(tmp_path)
    assert tools.registry.view().find("run_command") is None


async def test_a_program_that_tools_can_write_is_not_run(tmp_path: Path) -> None:
    workspace = tmp_path / "data" / "workspace"
    workspace.mkdir(parents=True)
    program = workspace / "tool"
    program.write_text("#!/bin/sh\necho x\n")
    program.chmod(0o700)
    (tmp_path / "link").symlink_to(program)
    for path in (program, tmp_path / "link"):
        tools = shell(tmp_path, str(path))
        assert "where tools can write" in await tools.refusal("run_command", command=[str(path)])


async def test_a_command_sees_nothing_of_the_gateways_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CETP_MODEL_API_KEY", "sk-secret")
    said = await run(python(tmp_path), "import os; print(sorted(os.environ)); print(os.environ['HOME'])")
    names, home = said.splitlines()[1:3]
    assert names == "['HOME', 'LANG', 'PATH', 'TERM', 'TMPDIR']"
    assert not await asyncio.to_thread(os.path.exists, home)


async def test_a_command_is_given_no_input(tmp_path: Path) -> None:
    assert await run(python(tmp_path), "import sys; print(repr(sys.stdin.read()))") == "[exit code 0]\n''"


@needs_landlock
@pytest.mark.requirement("runtime.security.commands")
async def test_the_workspace_is_all_that_a_command_can_change_or_look_into(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("the secret")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "cetp.db").write_text("the secret")
    code = """
import os, sys
for path in sys.argv[1:]:
    for how in ("r", "a"):
        try:
            open(path, how).close()
            print("OPENED", how, path)
        except OSError as error:
            print(error.errno, end=" ")
    try:
        print("LISTED", os.listdir(os.path.dirname(path)))
    except OSError as error:
        print(error.errno, end=" ")
open("mine", "w").write("x"); os.mkdir("sub"); os.rename("mine", "sub/mine"); print(os.listdir("sub"))
open(os.environ["TMPDIR"] + "/scratch", "w").close()
"""
    secrets = [str(tmp_path / "secret"), str(tmp_path / "data" / "cetp.db"), "/etc/passwd", "/root/.ssh/id_rsa"]
    said = await run(python(tmp_path), code, *secrets, f"/proc/{os.getpid()}/environ")
    assert "OPENED" not in said
    assert "LISTED" not in said
    assert said.endswith("['mine']")


@needs_landlock
async def test_what_a_command_writes_is_no_program(tmp_path: Path) -> None:
    code = """
import os, subprocess
open("tool", "w").write("#!/bin/sh\\necho ran\\n"); os.chmod("tool", 0o700)
try:
    subprocess.run(["./tool"])
except PermissionError:
    print("no")
"""
    assert await run(python(tmp_path), code) == "[exit code 0]\nno"


@pytest.fixture
def listener() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


CONNECT = """
import socket, sys
try:
    socket.create_connection(("127.0.0.1", int(sys.argv[1])), timeout=5)
    print("connected")
except OSError:
    print("no")
"""


@pytest.mark.skipif(not sandbox_state().network, reason="this system cannot keep a program off the network")
async def test_there_is_no_network_unless_the_owner_gives_it(listener: int, tmp_path: Path) -> None:
    assert await run(python(tmp_path), CONNECT, str(listener)) == "[exit code 0]\nno"
    assert await run(python(tmp_path, command_network=True), CONNECT, str(listener)) == "[exit code 0]\nconnected"


FORKS = """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        open("child", "w").write("x")
        while True:
            time.sleep(0.01)
            os.utime("child")
    os._exit(0)
while not os.path.exists("child"):
    time.sleep(0.01)
print("started", flush=True)
if sys.argv[1] == "stay":
    time.sleep(60)
"""


async def is_quiet(file: Path) -> bool:
    """Whether nobody touches a file any more: two looks, with time for many touches between them."""
    before = await asyncio.to_thread(os.stat, file)
    for _ in range(20):
        await (await asyncio.create_subprocess_exec("true")).wait()
    return await asyncio.to_thread(os.stat, file) == before


@pytest.mark.parametrize("stays", ["stay", "go"])
async def test_nothing_that_a_command_has_started_outlives_it(stays: str, tmp_path: Path) -> None:
    tools = python(tmp_path)
    said = await run(tools, FORKS, stays, seconds=2)
    assert "started" in said
    assert ("ended after 2 s" in said) == (stays == "stay")
    assert await is_quiet(tools.workspace / "child")


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere no process inherits the orphans of another")
@pytest.mark.parametrize("stays", ["stay", "go"])
async def test_without_namespaces_and_landlock_nothing_outlives_its_command_either(stays: str, tmp_path: Path) -> None:
    nothing = SandboxState(landlock=0, namespaces=False)
    world = World(folder=tmp_path, memory_bytes=0, file_bytes=1 << 20)
    command = [PYTHON, "-I", "-S", "-c", FORKS, stays]
    ended = await run_confined(world, command, seconds=2, out_bytes=1000, sandbox=nothing)
    assert ended.out.text == "started\n"
    assert "no Landlock" in nothing.missing()
    assert await is_quiet(tmp_path / "child")


async def test_nothing_that_a_command_has_started_outlives_its_call(tmp_path: Path) -> None:
    tools = python(tmp_path)
    command = [PYTHON, "-I", "-S", "-c", FORKS, "stay"]
    running = asyncio.create_task(tools.outcome("run_command", command=command))
    child = tools.workspace / "child"
    async with asyncio.timeout(10):
        while not child.exists():  # noqa: ASYNC110  (another process makes it)
            await asyncio.sleep(0.01)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert await is_quiet(child)


async def test_a_command_that_takes_too_long_tells_what_it_has_said_so_far(tmp_path: Path) -> None:
    code = "import time; print('begun', flush=True); time.sleep(60)"
    said = await run(python(tmp_path), code, within_s=3)
    assert said.startswith("[it was ended after ")
    assert "begun" in said


async def test_of_a_long_output_the_beginning_and_the_end_are_kept(tmp_path: Path) -> None:
    said = await run(python(tmp_path), "print('first'); print('x' * 1_000_000); print('last')")
    assert said.startswith("[exit code 0]\nfirst\n")
    assert said.endswith("xx\nlast")
    assert "bytes left out" in said
    assert len(said) < 17_000


async def test_a_program_that_never_stops_talking_is_ended(tmp_path: Path) -> None:
    said = await run(python(tmp_path), "import os\nwhile True: os.write(1, b'x' * 65536)")
    assert said.startswith("[it was ended when it had written")


async def test_memory_and_files_are_bounded(tmp_path: Path) -> None:
    tools = python(tmp_path, command_memory_mb=256)
    assert "MemoryError" in await run(tools, "x = bytearray(1 << 30)")
    too_large = "f = open('a', 'wb'); f.seek((256 << 20) - 1); f.write(b'xx'); f.flush()"
    assert "File too large" in await run(tools, too_large)


@needs_namespaces
async def test_a_command_has_no_rights_that_it_could_use(tmp_path: Path) -> None:
    said = await run(python(tmp_path), "print([l for l in open('/proc/self/status') if l.startswith('Cap')])")
    assert "Permission denied" in said or "CapEff:\t0000000000000000" in said


async def test_a_system_that_cannot_confine_says_so_in_each_result(tmp_path: Path) -> None:
    state = sandbox_state()
    said = await run(python(tmp_path), "print('x')")
    assert ("not confined" in said) == bool(state.missing())
    required = await python(tmp_path, command_sandbox="required").outcome(
        "run_command", command=[PYTHON, "-I", "-S", "-c", ""]
    )
    assert isinstance(required, Answered) == (not state.missing())


async def test_a_program_that_cannot_be_started_says_why(tmp_path: Path) -> None:
    program = tmp_path / "broken"
    program.write_bytes(b"\x7fELF")
    program.chmod(0o700)
    said = await shell(tmp_path, str(program), command_folders=[str(tmp_path)]).said(
        "run_command", command=[str(program)]
    )
    assert said == f"[exit code 126]\n[errors]\n{program}: Exec format error"
