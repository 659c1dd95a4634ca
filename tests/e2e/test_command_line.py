"""The command line against a gateway of its own process and a virtual phone, as a user has them."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from support.served import CETP, Served, cetp, end, environment, served


@asynccontextmanager
async def phone(gateway: Served, *words: str) -> AsyncIterator[None]:
    """Run `cetp phone` until its tools are registered, and to the end of the block."""
    process = await asyncio.create_subprocess_exec(
        *CETP,
        "phone",
        "--json",
        *words,
        env=environment(gateway.folder, CETP_GATEWAY=gateway.url),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    try:
        async with asyncio.timeout(20):
            while b'"registered"' not in await process.stdout.readline():
                assert process.returncode is None
        yield
    finally:
        await end(process)


@pytest.mark.requirement("runtime.overview.server", "runtime.start.gateway", "runtime.remote.usable")
async def test_serve_pair_chat_is_all_it_takes(tmp_path: Path) -> None:
    async with served(tmp_path) as gateway, phone(gateway):
        answer = await gateway.cetp("chat", "What is due this week?")
        assert answer.code == 0, answer.err
        assert "→ notes__search_notes" in answer.out
        assert "Quarterly report" in answer.out


@pytest.mark.requirement("runtime.remote.register", "runtime.remote.visible", "runtime.registries.agree")
async def test_tools_are_listed_and_called_without_a_model(tmp_path: Path) -> None:
    async with served(tmp_path) as gateway, phone(gateway):
        listed = await gateway.cetp("tools", "--json")
        names = {tool["name"] for tool in json.loads(listed.out)["tools"]}
        assert {"notes__search_notes", "energy__current_power"} <= names
        called = await gateway.cetp("call", "notes__list_notebooks")
        assert called.code == 0, called.err
        assert "Work" in called.out
        assert "notes__search_notes" in (await gateway.cetp("tools")).out


async def test_a_call_that_is_not_answered_says_why_and_ends_with_1(tmp_path: Path) -> None:
    async with served(tmp_path) as gateway, phone(gateway):
        unknown = await gateway.cetp("call", "notes__serch_notes")
        assert unknown.code == 1
        assert "notes__search_notes" in unknown.err
        wrong = await gateway.cetp("call", "notes__search_notes", '{"limit": "many"}')
        assert wrong.code == 1
        assert "/limit" in wrong.err
        unauthorised = await gateway.cetp("call", "energy__current_power")
        assert unauthorised.code == 1
        assert "open Home Energy" in unauthorised.err
        no_json = await gateway.cetp("call", "notes__search_notes", "{")
        assert (no_json.code, "JSON object" in no_json.err) == (1, True)


async def test_a_device_is_paired_used_and_revoked(tmp_path: Path) -> None:
    async with served(tmp_path) as gateway:
        code = (await gateway.cetp("pair", "--no-wait")).out.strip()
        paired = await gateway.cetp("pair", "--code", code, "--name", "kitchen tablet")
        token = paired.out.strip()
        assert len(token) == 64
        assert (await gateway.cetp("pair", "--code", code)).code == 1
        assert "kitchen tablet" in (await gateway.cetp("devices")).out
        assert (await gateway.cetp("tools", CETP_TOKEN=token)).code == 0
        assert (await gateway.cetp("devices", "revoke", "kitchen tablet")).code == 0
        refused = await gateway.cetp("tools", CETP_TOKEN=token)
        assert refused.code == 1
        assert "revoked" in refused.err
        database = (tmp_path / "data" / "cetp" / "cetp.db").read_bytes()
        assert token.encode() not in database


async def test_chat_shows_frames_to_machines_and_reads_questions_line_by_line(tmp_path: Path) -> None:
    async with served(tmp_path) as gateway, phone(gateway):
        answer = await gateway.cetp("chat", "--json", given="What is due this week?\nWhich notebooks are there?\n")
        frames = [json.loads(line) for line in answer.out.splitlines()]
        assert [frame["type"] for frame in frames].count("done") == 2


async def test_the_gateway_ends_within_its_limit_with_a_phone_connected(tmp_path: Path) -> None:
    async with served(tmp_path) as gateway, phone(gateway):
        assert await gateway.terminate() == 0


async def test_commands_say_what_to_do_when_no_gateway_answers(tmp_path: Path) -> None:
    ended = await cetp("tools", "--gateway", "127.0.0.1:9", folder=tmp_path)
    assert ended.code == 1
    assert "cetp serve" in ended.err


async def test_a_taken_port_is_told_in_one_line(tmp_path: Path) -> None:
    async with served(tmp_path) as gateway:
        ended = await cetp("serve", "--port", gateway.url.rpartition(":")[2], folder=tmp_path)
        assert ended.code == 1
        assert "--port" in ended.err
        assert "Traceback" not in ended.err


async def test_a_misspelt_setting_is_refused_with_the_nearest_known_one(tmp_path: Path) -> None:
    ended = await cetp("serve", folder=tmp_path, CETP_MODEL_PROVIDR="offline")
    assert ended.code == 1
    assert "CETP_MODEL_PROVIDER" in ended.err


@pytest.mark.parametrize(
    "command",
    ["serve", "reload", "doctor", "demo", "chat", "tools", "call", "phone", "pair", "devices", "memory", "validate"],
)
async def test_every_command_has_a_help_text_with_an_example(command: str, tmp_path: Path) -> None:
    ended = await cetp(command, "--help", folder=tmp_path)
    assert ended.code == 0
    assert "Example" in ended.out
    assert f"cetp {command}" in ended.out


async def test_the_demo_leaves_nothing_behind(tmp_path: Path) -> None:
    folder = tmp_path / "temporary"
    folder.mkdir()
    ended = await cetp("demo", folder=tmp_path, TMPDIR=str(folder))
    assert ended.code == 0, ended.err
    assert ended.out.count("\n? ") >= 3
    assert "AUTH_REQUIRED" in ended.out
    assert list(folder.iterdir()) == []
    assert not (tmp_path / "data").exists()
