"""`cetp pipe check` on the two programs of this project, as a stranger would run it on theirs."""

import json
import shlex
from pathlib import Path

import pytest

from support.pipe_chromium import require_chromium
from support.served import CETP, cetp, cetp_within

pytestmark = pytest.mark.timeout(240)

STEPS = [
    {"calls": [{"name": "browser_navigate", "arguments": {"url": "https://shop.example/"}}]},
    {"calls": [{"name": "browser_get_text"}]},
    {"text": "Read."},
]


async def test_our_host_passes_every_check(tmp_path: Path) -> None:
    host = shlex.join([*CETP, "pipe", "host", "--browser", str(require_chromium()), "--"])
    words = ("--host", host, "--handshakes", "3", "--rounds", "3")

    ended = await cetp_within(220, "pipe", "check", *words, folder=tmp_path)

    assert ended.code == 0, ended.out + ended.err
    assert "skipped" not in ended.out


async def test_our_agent_passes_every_check(tmp_path: Path) -> None:
    script = tmp_path / "steps.json"
    script.write_text(json.dumps(STEPS), "utf-8")
    data = tmp_path / "data"
    agent = shlex.join([*CETP, "pipe", "agent", "--script", str(script), "--task", "Read.", "--data", str(data)])

    ended = await cetp_within(220, "pipe", "check", "--agent", agent, "--handshakes", "3", folder=tmp_path)

    assert ended.code == 0, ended.out + ended.err
    assert "skipped" not in ended.out


async def test_a_program_that_is_not_there_is_told_before_anything_is_checked(tmp_path: Path) -> None:
    ended = await cetp("pipe", "check", "--agent", "/no/such/agent --task x", folder=tmp_path)

    assert ended.code == 2
    assert "/no/such/agent" in ended.err
    assert ended.out == ""
