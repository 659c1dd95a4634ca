"""`cetp pipe host` as people run it: a process, an agent below it, a real Chromium, and a log that can be followed."""

import asyncio
import re
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from support.pipe_chromium import require_chromium
from support.pipe_pages import serving_pages
from support.served import CETP, Ended, environment

LIMIT_S = 60.0
AGENT = (sys.executable, "-m", "support.pipe_pages_agent")
pytestmark = pytest.mark.timeout(120)


@asynccontextmanager
async def hosting(folder: Path, *words: str) -> AsyncIterator[asyncio.subprocess.Process]:
    process = await asyncio.create_subprocess_exec(
        *CETP,
        *("pipe", "host", "--browser", str(require_chromium()), *words),
        env=environment(folder, TMPDIR=str(folder)),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def host(folder: Path, *words: str) -> Ended:
    async with hosting(folder, *words) as process, asyncio.timeout(LIMIT_S):
        out, err = await process.communicate()
        return Ended(process.returncode or 0, out.decode(), err.decode())


def left(folder: Path) -> list[Path]:
    return list(folder.glob("cetp-*"))


@pytest.mark.requirement("pipe.1.browser-side", "pipe.7.log")
async def test_an_agent_works_on_a_page_and_its_commands_can_be_followed_by_their_numbers(tmp_path: Path) -> None:
    async with serving_pages() as port:
        ended = await host(tmp_path, "--", *AGENT, f"a.localhost:{port}")
    assert ended.code == 0, ended.err
    assert ended.out == "The session ended after 7 commands.\n"
    assert "agent: getText {'text': 'Hello Ada', 'truncated': False}" in ended.err
    assert "agent: click CMD_SELECTOR_TIMEOUT" in ended.err
    for seq in range(1, 8):
        lines = re.findall(rf"seq={seq} (request|execution begins|execution ended|response)", ended.err)
        assert lines == ["request", "execution begins", "execution ended", "response"], ended.err
    assert "secret" not in ended.err
    assert left(tmp_path) == []


async def test_commands_for_a_domain_that_is_not_allowed_never_reach_the_browser(tmp_path: Path) -> None:
    async with serving_pages() as port:
        ended = await host(tmp_path, "--allow-domain", "example.org", "--", *AGENT, f"a.localhost:{port}")
    assert "agent: navigate MAC_DOMAIN_NOT_ALLOWED" in ended.err
    assert "execution begins" not in ended.err


async def test_the_page_that_is_named_is_open_before_the_agent_begins(tmp_path: Path) -> None:
    async with serving_pages() as port:
        log = tmp_path / "log"
        url = f"http://a.localhost:{port}/home.html"
        ended = await host(tmp_path, "--start-url", url, "--log", str(log), "--", *AGENT, f"a.localhost:{port}")
        wrong = await host(tmp_path, "--start-url", "nonsense", "--", *AGENT, f"a.localhost:{port}")
    assert (ended.code, ended.err) == (0, "")
    assert "seq=0 execution ended: done" in log.read_text("utf-8")
    assert wrong.code == 1
    assert "--start-url" in wrong.err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_a_signal_ends_agent_and_browser_in_order(tmp_path: Path, number: signal.Signals) -> None:
    async with serving_pages() as port, hosting(tmp_path, "--", *AGENT, f"a.localhost:{port}", "wait") as process:
        assert process.stderr is not None
        async with asyncio.timeout(LIMIT_S):
            while "agent: waiting" not in (line := (await process.stderr.readline()).decode()):
                assert line, "the host ended by itself"
            process.send_signal(number)
            await process.communicate()
    assert process.returncode == 0
    assert left(tmp_path) == []


@pytest.mark.parametrize(
    ("agent", "code", "words"),
    [
        (["/no/such/agent"], 1, "/no/such/agent"),
        ([sys.executable, "-c", "print('hello')"], 1, "PIPE_INVALID_JSON"),
    ],
)
async def test_an_agent_that_cannot_be_used_is_told_in_one_line(
    tmp_path: Path, agent: list[str], code: int, words: str
) -> None:
    ended = await host(tmp_path, "--", *agent)
    assert ended.code == code
    assert words in ended.err.splitlines()[-1]
    assert left(tmp_path) == []


async def test_a_browser_that_is_missing_is_told_with_the_way_to_get_one(tmp_path: Path) -> None:
    ended = await host(tmp_path, "--browser", "/no/such/browser", "--", *AGENT, "a.localhost")
    assert ended.code == 1
    assert "/no/such/browser" in ended.err
