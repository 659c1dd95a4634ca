"""Dialogs, downloads and windows: answered or closed by the host, and told with the command that they belong to."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from cetp_gateway.pipe import PipeCode
from support.pipe_pages_browsing import Browsing, browsing

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.timeout(120)]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncIterator[Browsing]:
    async with browsing() as opened:
        yield opened


@pytest.mark.parametrize(
    ("kind", "message", "answer"),
    [("alert", "Sold out", "undefined"), ("confirm", "Delete?", "false"), ("prompt", "Your card?", "null")],
)
async def test_a_dialog_is_dismissed_and_told(browser: Browsing, kind: str, message: str, answer: str) -> None:
    await browser.visit("traps.html")
    assert await browser.do("click", selector=f"#{kind}") == {"dialogs": [{"kind": kind, "message": message}]}
    assert await browser.do("getText", selector="#said") == {"text": answer, "truncated": False}


async def test_of_many_dialogs_the_first_twenty_are_told(browser: Browsing) -> None:
    await browser.visit("traps.html")
    result = await browser.do("click", selector="#endless")
    assert [note["message"] for note in result["dialogs"]] == [str(number) for number in range(20)]


async def test_a_page_that_asks_whether_to_leave_is_left_when_the_command_says_so(browser: Browsing) -> None:
    await browser.visit("traps.html")
    await browser.do("click", selector="#guard")
    result = await browser.do("navigate", url=browser.url("other.html"))
    assert [note["kind"] for note in result["dialogs"]] == ["beforeunload"]
    assert result["title"] == "Other"


async def test_a_page_that_asks_whether_to_leave_stays_when_a_click_would_lead_away(browser: Browsing) -> None:
    await browser.visit("traps.html")
    await browser.do("click", selector="#guard")
    result = await browser.do("click", selector="#wander")
    assert [note["kind"] for note in result["dialogs"]] == ["beforeunload"]
    assert (await browser.do("getPage"))["title"] == "Traps"


async def test_a_download_is_refused_and_told(browser: Browsing) -> None:
    await browser.visit("traps.html")
    result = await browser.do("click", selector="#download")
    assert result == {"downloads": [{"name": "prices.bin", "url": browser.url("download")}]}
    assert (await browser.do("getPage"))["title"] == "Traps"


async def test_an_address_that_is_a_download_fails_and_leaves_the_page_as_it_was(browser: Browsing) -> None:
    await browser.visit("other.html")
    failed = await browser.fail("navigate", url=browser.url("download"))
    assert failed.code == PipeCode.CMD_NAVIGATION_FAILED
    assert (await browser.do("getPage"))["title"] == "Other"


@pytest.mark.parametrize(
    ("selector", "button", "address"),
    [
        ("#window", "left", "other.html?opened"),
        ("#tab", "left", "other.html"),
        ("#download", "middle", "download"),
    ],
)
async def test_a_window_is_closed_and_told(browser: Browsing, selector: str, button: str, address: str) -> None:
    await browser.visit("traps.html")
    result = await browser.do("click", selector=selector, button=button)
    assert result["popups"] == [{"url": browser.url(address)}]
    assert (await browser.do("getPage"))["title"] == "Traps"


async def test_a_field_for_files_opens_no_window_of_the_system(browser: Browsing) -> None:
    await browser.visit("traps.html")
    assert await browser.do("click", selector="#file") == {}


async def test_an_answer_without_content_leaves_the_page_as_it_was(browser: Browsing) -> None:
    await browser.visit("traps.html")
    assert await browser.do("click", selector="#nothing") == {}
    assert (await browser.do("getPage"))["title"] == "Traps"
    failed = await browser.fail("navigate", url=browser.url("nothing"))
    assert failed.code == PipeCode.CMD_NAVIGATION_FAILED
    assert (await browser.do("getPage"))["title"] == "Traps"
