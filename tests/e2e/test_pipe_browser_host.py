"""`cetp pipe host` as people run it: a process, an agent below it, a real Chromium, and a log that can be followed."""

import asyncio
import re
import signal
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from support import pipe_pages_agent
from support.pipe_chromium import require_chromium
from support.pipe_pages import serving_pages
from support.served import CETP, Ended, environment

LIMIT_S = 60.0
AGENT = (sys.executable, pipe_pages_agent.__file__)
pytestmark = pytest.mark.timeout(120)


@pytest.fixture
def folder() -> Iterator[Path]:
    """For the host's temporary files; its name is short, so that the browser's lie in it too."""
    with TemporaryDirectory(prefix="host-") as name:
        yield Path(name)


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
async def test_an_agent_works_on_a_page_and_its_commands_can_be_followed_by_their_numbers(folder: Path) -> None:
    async with serving_pages() as port:
        ended = await host(folder, "--", *AGENT, f"a.localhost:{port}")
    assert ended.code == 0, ended.err
    assert ended.out == "The session ended after 7 commands.\n"
    assert "agent: getText {'text': 'Hello Ada', 'truncated': False}" in ended.err
    assert "agent: click CMD_SELECTOR_TIMEOUT" in ended.err
    for seq in range(1, 8):
        lines = re.findall(rf"seq={seq} (request|execution begins|execution ended|response)", ended.err)
        assert lines == ["request", "execution begins", "execution ended", "response"], ended.err
    assert "secret" not in ended.err
    assert left(folder) == []


async def test_commands_for_a_domain_that_is_not_allowed_never_reach_the_browser(folder: Path) -> None:
    async with serving_pages() as port:
        ended = await host(folder, "--allow-domain", "example.org", "--", *AGENT, f"a.localhost:{port}")
    assert "agent: navigate MAC_DOMAIN_NOT_ALLOWED" in ended.err
    assert "execution begins" not in ended.err


async def test_the_page_that_is_named_is_open_before_the_agent_begins(folder: Path) -> None:
    async with serving_pages() as port:
        log = folder / "log"
        url = f"http://a.localhost:{port}/home.html"
        ended = await host(folder, "--start-url", url, "--log", str(log), "--", *AGENT, f"a.localhost:{port}")
        wrong = await host(folder, "--start-url", "nonsense", "--", *AGENT, f"a.localhost:{port}")
    assert (ended.code, ended.err) == (0, "")
    assert "seq=0 execution ended: done" in log.read_text("utf-8")
    assert wrong.code == 1
    assert "--start-url" in wrong.err


async def test_temporary_files_in_a_folder_with_a_long_name_are_no_hindrance(tmp_path: Path) -> None:
    folder = tmp_path / ("long" * 16)
    folder.mkdir()
    async with serving_pages() as port:
        ended = await host(folder, "--", *AGENT, f"a.localhost:{port}")
    assert ended.out == "The session ended after 7 commands.\n", ended.err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_a_signal_ends_agent_and_browser_in_order(folder: Path, number: signal.Signals) -> None:
    async with serving_pages() as port, hosting(folder, "--", *AGENT, f"a.localhost:{port}", "wait") as process:
        assert process.stderr is not None
        async with asyncio.timeout(LIMIT_S):
            while "agent: waiting" not in (line := (await process.stderr.readline()).decode()):
                assert line, "the host ended by itself"
            process.send_signal(number)
            await process.communicate()
    assert process.returncode == 0
    assert left(folder) == []


@pytest.mark.parametrize(
    ("agent", "code", "words"),
    [
        (["/no/such/agent"], 1, "/no/such/agent"),
        ([sys.executable, "-c", "print('hello')"], 1, "PIPE_INVALID_JSON"),
    ],
)
async def test_an_agent_that_cannot_be_used_is_told_in_one_line(
    folder: Path, agent: list[str], code: int, words: str
) -> None:
    ended = await host(folder, "--", *agent)
    assert ended.code == code
    assert words in ended.err.splitlines()[-1]
    assert left(folder) == []


async def test_a_browser_that_is_missing_is_told_with_the_way_to_get_one(folder: Path) -> None:
    ended = await host(folder, "--browser", "/no/such/browser", "--", *AGENT, "a.localhost")
    assert ended.code == 1
    assert "/no/such/browser" in ended.err
