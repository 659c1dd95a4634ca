"""`cetp pipe demo` as a user runs it: on a real Chromium, and without anything left behind."""

import asyncio
import secrets
import signal
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest

from cetp_gateway.cli.pipe.demo_site import PASSWORD, USER, shop
from support.fake_vendor import FakeVendor, stream
from support.pipe_chromium import require_chromium
from support.served import CETP, environment
from support.vendor_streams import openai_text

LIMIT_S = 50.0
MARK = "DEMO_MARK"


class RunningDemo:
    """The command, and how to find what it has started."""

    def __init__(self, process: asyncio.subprocess.Process, mark: str, temporary: Path) -> None:
        self.process = process
        self._mark = f"{MARK}={mark}".encode()
        self._temporary = temporary

    async def ended(self) -> tuple[int, str, str]:
        async with asyncio.timeout(LIMIT_S):
            out, err = await self.process.communicate()
        return self.process.returncode or 0, out.decode(), err.decode()

    def left_behind(self) -> list[str]:
        """Processes that live, and files."""
        return [*self._processes(), *(path.name for path in self._temporary.iterdir())]

    def _processes(self) -> list[str]:
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            try:
                if self._mark in (process / "environ").read_bytes():
                    found.append((process / "cmdline").read_bytes().decode())
            except (FileNotFoundError, ProcessLookupError, PermissionError):
                continue
        return found


@asynccontextmanager
async def demo(folder: Path, **settings: str) -> AsyncIterator[RunningDemo]:
    mark = secrets.token_hex(8)
    # Short, since Chromium has a socket in it.
    with tempfile.TemporaryDirectory(prefix="demo-") as temporary:
        async with _started(mark, Path(temporary), environment(folder, **settings)) as running:
            yield running


@asynccontextmanager
async def _started(mark: str, temporary: Path, variables: dict[str, str]) -> AsyncIterator[RunningDemo]:
    variables = variables | {"TMPDIR": str(temporary), "PYTHONUNBUFFERED": "1", MARK: mark}
    process = await asyncio.create_subprocess_exec(
        *CETP, "pipe", "demo", env=variables, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    try:
        yield RunningDemo(process, mark, temporary)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def test_the_demo_signs_in_searches_and_reads_a_total_in_a_real_browser(tmp_path: Path) -> None:
    chromium = require_chromium()
    async with demo(tmp_path, CHROMIUM_PATH=str(chromium)) as running:
        status, out, err = await running.ended()
        assert status == 0, err
        for action in ("navigate", "list_elements", "type", "click", "get_text"):
            assert f"→ browser_{action} " in out
        assert "script of fixed steps; that is no LLM" in out
        assert "The order with the kettle comes to 61.40 EUR." in out
        assert "8 commands crossed the pipe" in out
        assert running.left_behind() == []


async def test_the_demo_asks_a_model_where_there_is_one(tmp_path: Path) -> None:
    chromium = require_chromium()
    async with FakeVendor() as vendor:
        vendor.will(stream(*openai_text("I would rather not.")))
        model = {"CETP_MODEL_BASE_URL": f"{vendor.url}/v1", "CETP_MODEL_NAME": "small", "CETP_MODEL_PROVIDER": "openai"}
        async with demo(tmp_path, CHROMIUM_PATH=str(chromium), **model) as running:
            status, out, err = await running.ended()
            assert status == 0, err
            assert "Model: openai small" in out
            assert "I would rather not." in out
            assert running.left_behind() == []


async def test_without_a_browser_the_demo_says_what_to_install(tmp_path: Path) -> None:
    async with demo(tmp_path, CHROMIUM_PATH="/nowhere/chromium") as running:
        status, _, err = await running.ended()
        assert status == 1
        assert "CHROMIUM_PATH" in err
        assert "Traceback" not in err
        assert running.left_behind() == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_a_demo_that_is_stopped_leaves_nothing(tmp_path: Path, number: signal.Signals) -> None:
    chromium = require_chromium()
    async with demo(tmp_path, CHROMIUM_PATH=str(chromium)) as running:
        assert running.process.stdout is not None
        async with asyncio.timeout(LIMIT_S):
            while "→" not in (line := (await running.process.stdout.readline()).decode()):
                assert line, (await running.ended())[2]
        running.process.send_signal(number)
        status, _, err = await running.ended()
        assert status != 0
        assert "Traceback" not in err
        assert running.left_behind() == []


async def test_the_shop_of_the_demo_shows_orders_to_those_alone_who_have_signed_in() -> None:
    with shop() as url:
        async with httpx.AsyncClient(base_url=url, follow_redirects=True) as visitor:
            assert "Sign in" in (await visitor.get("/orders/1057")).text
            wrong = await visitor.post("/login", data={"user": USER, "password": "guess"})
            assert wrong.status_code == 401
            assert "Sign in" in (await visitor.get("/orders")).text
            await visitor.post("/login", data={"user": USER, "password": PASSWORD})
            assert "Order 1057" in (await visitor.get("/orders", params={"q": "kettle"})).text
            found = await visitor.get("/orders", params={"q": "<script>"})
            assert "<script>" not in found.text
            assert "Nothing was found." in found.text
            assert (await visitor.get("/orders/9999")).status_code == 404
