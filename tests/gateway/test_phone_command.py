"""`cetp phone` as people and scripts use it: a real process against the scripted gateway."""

import asyncio
import json
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from cetp_gateway.cli.phone import phone_command
from cetp_gateway.phone import (
    FAULTS,
    CallReceived,
    Connecting,
    Misbehaved,
    Noticed,
    Pack,
    PhoneEvent,
    Stopped,
    VirtualPhone,
    obey,
    shipped_packs,
    told,
)
from cetp_gateway.testing.fake_gateway import FakeGateway
from support.phones import ENERGY, NOTES, WITHIN_S, pack, tool

TOKEN = "hush-0123456789"
COMMAND = (sys.executable, "-m", "cetp_gateway.cli", "phone")


@asynccontextmanager
async def running(*arguments: str) -> AsyncIterator[Process]:
    """The command as a process with its own pipes; gone at the end, whatever happens."""
    environment = {**os.environ, "CETP_TOKEN": TOKEN}
    process = await asyncio.create_subprocess_exec(
        *COMMAND, *arguments, stdin=PIPE, stdout=PIPE, stderr=PIPE, env=environment
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def line_with(process: Process, words: str) -> str:
    """The next line of the output that holds the words."""
    assert process.stdout is not None
    async with asyncio.timeout(WITHIN_S):
        while line := (await process.stdout.readline()).decode():
            if words in line:
                return line
    raise AssertionError(f"the output ended without {words!r}: {(await process.stderr.read()).decode()}")  # type: ignore[union-attr]


def command_line_of(process: Process) -> bytes:
    """What a process list shows to everybody on the machine."""
    return Path(f"/proc/{process.pid}/cmdline").read_bytes()


async def code_of(process: Process) -> int:
    return await asyncio.wait_for(process.wait(), WITHIN_S)


async def type_line(process: Process, line: str) -> None:
    assert process.stdin is not None
    process.stdin.write(f"{line}\n".encode())
    await process.stdin.drain()


def said_by(*arguments: str) -> tuple[int, str]:
    """Exit code and output of a command that ends by itself, in this process."""
    result = CliRunner().invoke(phone_command, list(arguments), env={"CETP_TOKEN": TOKEN})
    return result.exit_code, result.output


async def test_it_offers_the_shipped_apps_prints_the_calls_and_ends_cleanly_at_ctrl_c() -> None:
    async with FakeGateway(token=TOKEN) as gateway, running("--gateway", gateway.url) as process:
        assert "6 tools offered" in await line_with(process, "offered")
        device = await gateway.device()
        await device.call("notes__search_notes", {"query": "rent"})
        call = await line_with(process, "call notes__search_notes")
        process.send_signal(signal.SIGINT)

        assert '{"query":"rent"}' in call
        assert await device.ended() == 1000
        assert await code_of(process) == 0


async def test_sigterm_ends_it_as_cleanly() -> None:
    async with FakeGateway(token=TOKEN) as gateway, running("--gateway", gateway.url) as process:
        await line_with(process, "offered")
        process.terminate()

        assert await (await gateway.device()).ended() == 1000
        assert await code_of(process) == 0


async def test_for_machines_every_line_is_one_event() -> None:
    async with FakeGateway(token=TOKEN) as gateway, running("--gateway", gateway.url, "--json") as process:
        registered = json.loads(await line_with(process, '"registered"'))
        await (await gateway.device()).call("notes__read_note", {"id": "n-101"})
        received = json.loads(await line_with(process, '"call_received"'))
        process.send_signal(signal.SIGINT)
        stopped = json.loads(await line_with(process, '"stopped"'))

    assert registered["offered"] == registered["held"] == 6
    assert received["arguments"] == {"id": "n-101"}
    assert stopped == {"event": "stopped", "reason": "stopped"}


async def test_quiet_prints_nothing() -> None:
    async with FakeGateway(token=TOKEN) as gateway, running("--gateway", gateway.url, "--quiet") as process:
        device = await gateway.device()
        await device.take("register_tools")
        process.send_signal(signal.SIGINT)

        assert await process.communicate() == (b"", b"")
        assert process.returncode == 0


async def test_the_user_authorises_installs_and_removes_apps_by_typing(tmp_path: Path) -> None:
    file = tmp_path / "lamp.json"
    file.write_bytes(msgspec.json.encode({"package": "com.example.lamp", "label": "Lamp", "tools": [tool()]}))
    async with FakeGateway(token=TOKEN) as gateway, running("--gateway", gateway.url) as process:
        await line_with(process, "offered")
        device = await gateway.device()
        before = await device.call("energy__current_power", {})
        await type_line(process, f"authorise {ENERGY}\ninstall {file}")
        await line_with(process, "com.example.lamp is installed")
        await line_with(process, "7 tools offered")
        after = await device.call("energy__current_power", {})
        await type_line(process, f"uninstall {NOTES}")
        await line_with(process, "4 tools offered")
        await type_line(process, "quit")

        assert before["error_code"] == "AUTH_REQUIRED"
        assert after["success"] is True
        assert await code_of(process) == 0


async def test_it_goes_on_when_its_input_ends() -> None:
    async with FakeGateway(token=TOKEN) as gateway, running("--gateway", gateway.url) as process:
        assert process.stdin is not None
        process.stdin.close()
        await line_with(process, "offered")

        assert (await (await gateway.device()).call("notes__list_notebooks", {}))["success"] is True


async def test_faults_packs_and_identity_come_from_the_command_line(tmp_path: Path) -> None:
    file = tmp_path / "lamp.json"
    file.write_bytes(msgspec.json.encode({"package": "com.example.lamp", "label": "Lamp", "tools": [tool()]}))
    arguments = [
        "--pack",
        str(file),
        "--device-id",
        "attic",
        "--device-name",
        "Attic",
        "--fault",
        "twice",
        "--session",
        "s1",
    ]
    async with FakeGateway(token=TOKEN) as gateway, running("--gateway", gateway.url, *arguments) as process:
        await line_with(process, "1 tools offered")
        device = await gateway.device()
        await device.call("lamp__state", {})
        await line_with(process, "misbehaving: twice")

        assert device.path.endswith("?session_id=s1")
        assert device.frames[0]["device_id"] == "attic"
        assert device.frames[0]["device_name"] == "Attic"


async def test_a_token_from_the_environment_shows_nowhere() -> None:
    async with FakeGateway(token=TOKEN) as gateway, running("--gateway", gateway.url, "--once") as process:
        await line_with(process, "offered")
        listed = command_line_of(process)
        await (await gateway.device()).close(4401)
        out, err = await process.communicate()

    assert process.returncode == 1
    assert b"cetp pair" in err
    assert TOKEN.encode() not in out + err + listed


async def test_a_refused_token_ends_it_with_the_next_step() -> None:
    async with FakeGateway(token="another") as gateway, running("--gateway", gateway.url) as process:
        _, err = await asyncio.wait_for(process.communicate(), WITHIN_S)

    assert process.returncode == 1
    assert b"does not know this token; pair this device with `cetp pair`" in err


async def test_without_a_gateway_it_says_how_to_start_one_and_keeps_trying() -> None:
    async with FakeGateway() as gateway:
        url = gateway.url
    async with running("--gateway", url) as process:
        assert "cetp serve" in await line_with(process, "trying again")
        process.send_signal(signal.SIGINT)

        assert await code_of(process) == 0


def test_the_table_of_faults_has_every_fault_and_how_to_write_one() -> None:
    code, said = said_by("--faults")

    assert code == 0
    assert all(name in said for name in FAULTS)
    assert "late=3000@notes__*#2" in said


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--fault", "nevr"], "there is no fault 'nevr'"),
        (["--gateway", "ftp://box"], "HOST:PORT"),
        (["--pack", "gone.json"], "gone.json: cannot be read"),
        (["--authorise", "gone.app"], "gone.app is not installed"),
        (["--device-id", "with blank"], "device id"),
    ],
)
def test_a_wrong_argument_is_one_line_that_says_what_is_right(arguments: list[str], words: str) -> None:
    code, said = said_by(*arguments)

    assert code == 1
    assert words in said
    assert said.count("\n") == 1


def test_the_help_has_an_example_and_hides_the_token() -> None:
    code, said = said_by("--help")

    assert code == 0
    assert "Example: cetp phone" in said
    assert "CETP_TOKEN" in said
    assert TOKEN not in said


def phone(*packs: Pack) -> VirtualPhone:
    return VirtualPhone("box", "", packs)


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("apps", f"{ENERGY} 1.8.0, 3 tools, not authorised; {NOTES} 3.2.1, 3 tools"),
        (f"authorise {ENERGY}", f"{ENERGY} is authorised"),
        (f"revoke {ENERGY}", f"{ENERGY} is no longer authorised"),
        ("authorise gone.app", f"gone.app is not installed; there are: {ENERGY}, {NOTES}"),
        ("install gone.json", "gone.json: cannot be read (No such file or directory); give the path of a pack file"),
        (
            "hello",
            "commands: authorise PACKAGE, revoke PACKAGE, install FILE, update FILE, uninstall PACKAGE, apps, quit",
        ),
    ],
)
def test_a_typed_line_is_answered_with_what_it_did(line: str, answer: str) -> None:
    assert obey(phone(*shipped_packs()), line) == answer


def test_an_update_by_typing_keeps_the_app_authorised(tmp_path: Path) -> None:
    lamp: dict[str, Any] = {"package": "com.example.lamp", "label": "Lamp", "authorisation": {"message": "no"}}
    file = tmp_path / "lamp.json"
    file.write_text(json.dumps({**lamp, "version": "2", "tools": [tool()]}))
    own = phone(pack(authorisation={"message": "no"}))
    obey(own, "authorise com.example.lamp")

    assert obey(own, f"update {file}") == "com.example.lamp is updated to 2"
    assert obey(own, "apps") == "com.example.lamp 2, 1 tools"


@pytest.mark.parametrize(
    "event",
    [
        Noticed(message="\x1b[2Jgone\nand \u202ereversed"),
        CallReceived(id="1", tool="\x07bell", arguments={"a": "\x1b]0;title\x07"}),
        Misbehaved(fault="x" * 5000, id=""),
        Stopped(reason="\r\rover"),
    ],
)
def test_no_text_of_others_can_steer_the_terminal(event: PhoneEvent) -> None:
    line = told(event)

    assert line.isprintable()
    assert len(line) <= 1200 * 10


def test_every_event_has_a_line_of_its_own_words() -> None:
    assert told(Connecting(url="ws://box/ws/chat")) == "connecting to ws://box/ws/chat"
    assert all(told(kind) != type(kind).__name__ for kind in (Noticed(message="m"), Stopped(reason="r")))
