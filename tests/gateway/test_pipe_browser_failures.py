"""Whatever goes wrong ends in a code and a sentence, in time, and the next command finds a browser."""

import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from cetp_gateway.pipe import PipeCode
from support.pipe_pages_browsing import Browsing, browsing

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.timeout(120)]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncIterator[Browsing]:
    async with browsing() as opened:
        yield opened


@pytest.mark.requirement("pipe.7.structured")
@pytest.mark.parametrize(
    ("code", "action", "params"),
    [
        (PipeCode.CMD_SELECTOR_TIMEOUT, "click", {"selector": "#no-such"}),
        (PipeCode.CMD_SELECTOR_TIMEOUT, "click", {"selector": "#off"}),
        (PipeCode.CMD_SELECTOR_TIMEOUT, "getText", {"selector": "#no-such"}),
        (PipeCode.CMD_SELECTOR_INVALID, "click", {"selector": "p["}),
        (PipeCode.CMD_SELECTOR_INVALID, "click", {"selector": "text=Count"}),
        (PipeCode.CMD_SELECTOR_INVALID, "click", {"selector": "body >> button"}),
        (PipeCode.CMD_SELECTOR_INVALID, "click", {"selector": "button:has-text('Count')"}),
        (PipeCode.CMD_SELECTOR_INVALID, "getText", {"selector": "//p"}),
        (PipeCode.CMD_SELECTOR_INVALID, "getText", {"selector": "p", "frame": ["iframe:visible"]}),
        (PipeCode.CMD_SELECTOR_AMBIGUOUS, "click", {"selector": "p.many"}),
        (PipeCode.CMD_SELECTOR_AMBIGUOUS, "type", {"selector": "input", "text": "x"}),
        (PipeCode.CMD_FRAME_NOT_FOUND, "getText", {"selector": "p", "frame": ["#no-such"]}),
        (PipeCode.CMD_FRAME_NOT_FOUND, "getText", {"selector": "p", "frame": ["#greeting"]}),
        (PipeCode.CMD_WAIT_TIMEOUT, "waitFor", {"selector": "#no-such"}),
        (PipeCode.CMD_WAIT_TIMEOUT, "waitFor", {"text": "no such text"}),
        (PipeCode.CMD_WAIT_TIMEOUT, "waitFor", {"url": "**/no-such.html"}),
        (PipeCode.CMD_NOT_A_FIELD, "type", {"selector": "#greeting", "text": "x"}),
        (PipeCode.CMD_NOT_A_FIELD, "type", {"selector": "#greeting", "text": "x", "clear": False}),
        (PipeCode.CMD_NOT_A_FIELD, "type", {"selector": "#news", "text": "x"}),
        (PipeCode.CMD_NOT_A_FIELD, "type", {"selector": "#number", "text": "x"}),
        (PipeCode.CMD_NOT_A_FIELD, "type", {"selector": "#day", "text": "2026-31-12"}),
        (PipeCode.CMD_NOT_A_FIELD, "select", {"selector": "#name", "values": ["x"]}),
        (PipeCode.CMD_KEY_UNKNOWN, "press", {"key": "Enterr"}),
        (PipeCode.CMD_KEY_UNKNOWN, "press", {"key": "Hyper+a", "selector": "#name"}),
        (PipeCode.PIPE_SCHEMA_INVALID, "dance", {}),
        (PipeCode.PIPE_SCHEMA_INVALID, "click", {"selector": "#count", "times": 3}),
        (PipeCode.PIPE_SCHEMA_INVALID, "click", {"selector": ""}),
        (PipeCode.PIPE_SCHEMA_INVALID, "select", {"selector": "#name"}),
        (PipeCode.PIPE_SCHEMA_INVALID, "waitFor", {"selector": "p", "text": "x"}),
        (PipeCode.PIPE_SCHEMA_INVALID, "scroll", {}),
        (PipeCode.PIPE_SCHEMA_INVALID, "press", {"key": "a", "frame": ["#x"]}),
    ],
)
async def test_what_cannot_be_done_has_a_code_of_its_own(
    browser: Browsing, code: PipeCode, action: str, params: dict[str, Any]
) -> None:
    await browser.visit("home.html")
    waits = code.endswith("TIMEOUT") or code == PipeCode.CMD_FRAME_NOT_FOUND
    failed = await browser.fail(action, **params, timeout_ms=300 if waits else 10_000)
    assert failed.code == code
    assert 10 < len(failed.message) < 200
    assert "\n" not in failed.message


@pytest.mark.parametrize("wanted", [{"values": ["no-such"]}, {"labels": ["Blue"]}])
async def test_an_option_that_is_missing_or_off_is_told(browser: Browsing, wanted: dict[str, Any]) -> None:
    await browser.visit("lists.html")
    failed = await browser.fail("select", selector="#colour", timeout_ms=1500, **wanted)
    assert failed.code == PipeCode.CMD_OPTION_NOT_FOUND


async def test_an_ambiguous_selector_says_how_many_it_fits(browser: Browsing) -> None:
    await browser.visit("home.html")
    failed = await browser.fail("click", selector="p.many")
    assert failed.details["count"] == 3
    assert "3 elements" in failed.message


@pytest.mark.parametrize(
    ("page", "selector", "reason"),
    [("home.html", "#off", "disabled"), ("moving.html", "#never", "moving"), ("moving.html", "#under", "covers")],
)
async def test_an_element_that_cannot_be_acted_on_says_why(
    browser: Browsing, page: str, selector: str, reason: str
) -> None:
    await browser.visit(page)
    failed = await browser.fail("click", selector=selector, timeout_ms=2000)
    assert failed.code == PipeCode.CMD_SELECTOR_TIMEOUT
    assert reason in failed.message


async def test_an_address_that_nobody_answers_fails_and_the_next_one_works(browser: Browsing) -> None:
    failed = await browser.fail("navigate", on="a.localhost:9", url="http://a.localhost:9/")
    assert failed.code == PipeCode.CMD_NAVIGATION_FAILED
    assert "ERR_" in failed.message
    await browser.visit("home.html")


async def test_a_server_that_never_answers_costs_no_more_than_the_time_given(browser: Browsing) -> None:
    await browser.visit("home.html")
    failed = await browser.fail("navigate", url=browser.url("hanging"), timeout_ms=300)
    assert failed.code == PipeCode.CMD_NAVIGATION_FAILED
    assert (await browser.do("getPage"))["title"] == "Home"


async def test_a_click_towards_a_server_that_never_answers_is_done_and_the_next_command_waits(
    browser: Browsing,
) -> None:
    await browser.visit("traps.html")
    assert await browser.do("click", selector="#hanging", timeout_ms=2000) == {}
    failed = await browser.fail("click", selector="#alert", timeout_ms=200)
    assert failed.code == PipeCode.CMD_NAVIGATION_FAILED
    await browser.visit("home.html")


async def test_a_page_that_does_not_answer_is_told_and_navigate_gets_a_fresh_one(browser: Browsing) -> None:
    await browser.visit("traps.html")
    first = await browser.fail("click", selector="#loop", timeout_ms=2000)
    second = await browser.fail("getText", timeout_ms=300)
    assert {first.code, second.code} == {PipeCode.INTERNAL_UNKNOWN}
    assert "navigate" in second.message
    await browser.visit("home.html")
    await browser.do("click", selector="#count")


async def test_a_result_that_fits_no_line_is_cut_or_refused(browser: Browsing) -> None:
    await browser.visit("long.html")
    text = await browser.do("getText", selector="#long", max_chars=200_000)
    assert text["truncated"] is True
    assert len(text["text"].encode()) < 1_000_000
    failed = await browser.fail("getAttribute", selector="#marked", name="data-long")
    assert failed.code == PipeCode.CMD_RESULT_TOO_LARGE
    failed = await browser.fail("screenshot", full_page=True)
    assert failed.code == PipeCode.CMD_RESULT_TOO_LARGE


def descendants() -> dict[int, str]:
    """Processes below this one, with their command lines."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int(entry.joinpath("stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
    found = {os.getpid()}
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return {number: _command_line(number) for number in found - {os.getpid()}}


def _command_line(number: int) -> str:
    try:
        return Path(f"/proc/{number}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return ""


def kill(*words: str) -> None:
    for number, line in descendants().items():
        if all(word in line for word in words):
            os.kill(number, signal.SIGKILL)


def leftovers(folder: Path) -> list[Path]:
    return list(folder.glob("cetp-*"))


async def test_a_browser_that_was_killed_is_started_again_for_the_next_command() -> None:
    async with browsing() as opened:
        await opened.visit("home.html")
        kill("--user-data-dir=", "--remote-debugging-pipe")
        ended = await opened.run("getPage")
        assert getattr(ended, "code", "") in {PipeCode.INTERNAL_BROWSER_CLOSED, PipeCode.MAC_DOMAIN_MISMATCH}
        await opened.visit("home.html")


async def test_a_page_whose_process_dies_is_followed_by_a_new_one() -> None:
    async with browsing() as opened:
        await opened.visit("home.html")
        kill("--type=renderer")
        ended = await opened.run("getPage")
        assert getattr(ended, "code", "") in {PipeCode.INTERNAL_BROWSER_CLOSED, PipeCode.MAC_DOMAIN_MISMATCH}
        await opened.visit("home.html")


async def test_nothing_is_left_when_the_browser_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    before = descendants().keys()
    async with browsing() as opened:
        await opened.visit("home.html")
        assert leftovers(tmp_path)
        assert any("renderer" in line for line in descendants().values())
    assert not leftovers(tmp_path)
    assert descendants().keys() <= before
