"""listElements and screenshot: what a page offers, and what it looks like."""

import hashlib
import stat
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from support.pipe_pages_browsing import Browsing, browsing

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.timeout(120)]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncIterator[Browsing]:
    async with browsing() as opened:
        yield opened


async def listed(browser: Browsing, **params: Any) -> list[dict[str, Any]]:
    return list((await browser.do("listElements", **params))["elements"])


async def test_an_element_is_told_with_its_role_its_name_and_its_state(browser: Browsing) -> None:
    await browser.visit("home.html")
    by_selector = {element["selector"]: element for element in await listed(browser)}
    assert by_selector["#count"] == {
        "selector": "#count",
        "frame": [],
        "role": "button",
        "name": "Count",
        "tag": "button",
        "type": "submit",
        "value": None,
        "disabled": False,
        "checked": None,
    }
    assert by_selector["#off"]["disabled"] is True
    assert by_selector["#news"] | {"selector": ""} == by_selector["#news"] | {"selector": "", "checked": True}
    assert (by_selector["#news"]["role"], by_selector["#news"]["name"]) == ("checkbox", "News")
    assert (by_selector["#nick"]["role"], by_selector["#nick"]["value"]) == ("textbox", "Mi")
    assert (by_selector["#next"]["role"], by_selector["#next"]["name"]) == ("link", "Next")


async def test_what_stands_in_a_password_field_is_never_told(browser: Browsing) -> None:
    await browser.visit("home.html")
    answer = await browser.do("listElements")
    secret = next(element for element in answer["elements"] if element["selector"] == "#secret")
    assert (secret["type"], secret["value"]) == ("password", None)
    assert "hunter2" not in str(answer)


@pytest.mark.parametrize("page", ["home.html", "shadow.html", "frames.html", "lists.html", "spa.html", "login.html"])
async def test_every_selector_finds_its_element_and_no_other(browser: Browsing, page: str) -> None:
    await browser.visit(page)
    elements = await listed(browser, limit=500)
    assert elements
    assert len({(tuple(element["frame"]), element["selector"]) for element in elements}) == len(elements)
    for element in elements:
        # Scrolling insists on a single element, as all that acts does.
        await browser.do("scroll", selector=element["selector"], frame=element["frame"])
        if element["tag"] in {"a", "button"}:
            assert await browser.text(element["selector"], *element["frame"]) == element["name"]


async def test_elements_behind_shadow_roots_are_told_apart(browser: Browsing) -> None:
    await browser.visit("shadow.html")
    for number, element in enumerate(element for element in await listed(browser) if element["tag"] == "input"):
        await browser.do("type", selector=element["selector"], text=f"text {number}")
    assert [element["value"] for element in await listed(browser) if element["tag"] == "input"] == ["text 0", "text 1"]


async def test_frames_of_the_domain_are_looked_into_and_others_are_not(browser: Browsing) -> None:
    await browser.visit("frames.html")
    paths = {tuple(element["frame"]) for element in await listed(browser, limit=500)}
    assert paths == {("#same",), ("#nested", "#inner"), ("#written",)}


async def test_a_crowded_page_is_cut_at_the_limit_and_says_so(browser: Browsing) -> None:
    await browser.visit("crowded.html")
    answer = await browser.do("listElements", limit=500)
    assert (len(answer["elements"]), answer["truncated"]) == (500, True)
    last = answer["elements"][-1]
    assert last["name"] == "Row 499"
    assert await browser.text(last["selector"]) == "Row 499"


def names(folder: Path) -> set[str]:
    return {file.name for file in folder.iterdir()}


async def test_a_screenshot_stays_with_the_host_under_the_name_that_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "shots"
    async with browsing(folder) as opened:
        await opened.visit("home.html")
        part, whole = await opened.do("screenshot"), await opened.do("screenshot", full_page=True)
        for shot in (part, whole):
            png = folder.joinpath(shot["ref"]).read_bytes()
            assert shot["sha256"] == hashlib.sha256(png).hexdigest()
            assert shot["ref"].endswith(shot["sha256"][:16])
            assert (shot["bytes"], shot["media_type"]) == (len(png), "image/png")
        assert whole["height"] > part["height"] > 0
        assert stat.S_IMODE(folder.joinpath(part["ref"]).stat().st_mode) == 0o600
    assert len(names(folder)) == 2


async def test_of_many_screenshots_the_last_fifty_are_kept(tmp_path: Path) -> None:
    async with browsing(tmp_path) as opened:
        await opened.visit("other.html")
        refs = [(await opened.do("screenshot"))["ref"] for _ in range(52)]
    assert names(tmp_path) == set(refs[2:])
