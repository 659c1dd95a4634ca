"""The standard's fifth acceptance point: at least 99 of 100 core actions succeed, on pages that resist."""

from collections import Counter
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
import pytest_asyncio

from cetp_gateway.pipe import Failed
from support.pipe_pages_browsing import Browsing, browsing

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.timeout(300)]

AT_LEAST = 500
ROUNDS = 9
Step = tuple[str, dict[str, Any]]
HEBREW, ARABIC, CHINESE, JAPANESE = "שלום עולם", "مرحبا بالعالم ١٢٣", "你好，世界", "こんにちは世界"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncIterator[Browsing]:
    async with browsing() as opened:
        yield opened


def click(selector: str, *frame: str) -> Step:
    return "click", {"selector": selector, "frame": list(frame)}


def write(selector: str, text: str, *, frame: tuple[str, ...] = (), **more: bool) -> Step:
    return "type", {"selector": selector, "text": text, "frame": list(frame), **more}


def read(text: str, selector: str, *frame: str) -> Step:
    """Read and compare: an action that succeeds has also done what it was to do."""
    return "getText", {"selector": selector, "frame": list(frame), "expected": text}


def steps(browser: Browsing, turn: int) -> Iterator[Step]:
    """What people do: plain pages, slow, moving, in frames, behind shadow roots, in applications, in any script."""

    def visit(page: str) -> Step:
        return "navigate", {"url": browser.url(page)}

    yield visit("home.html")
    yield from (click("#count"), click("#count"), read("2", "#counted"))
    yield from (write("#name", f"Ada {turn}", submit=True), read(f"sent Ada {turn}", "#heard"))
    yield from (write("#rich", " more", clear=False), read("rich more", "#rich"))
    yield from (
        click("#next"),
        read("The other page.", "#text"),
        click("#home"),
        read("Welcome to the shop.", "#greeting"),
    )
    yield visit("slow.html")
    yield from (click("#late"), read("clicked", "#late"), read("ready", "#state"))
    yield visit("moving.html")
    yield from (click("#gliding"), click("#redrawn"), click("#below"), read("3", "#done"))
    yield visit("frames.html")
    yield from (click("#count", "#same"), read("1", "#counted", "#same"))
    yield from (write("#name", "Eve", frame=("#same",), submit=True), read("sent Eve", "#heard", "#same"))
    yield from (read("The other page.", "#text", "#nested", "#inner"), read("Filled in.", "p", "#empty"))
    yield from (click("button", "#written"), read("1", "button", "#written"))
    yield visit("shadow.html")
    yield from (write("#second input.in", "far"), click("#second .go"), read("went far", "#second output"))
    yield visit("spa.html")
    for view in ("sent", "drafts", "inbox", "sent"):
        yield from (click(f"[data-view={view}]"), read(view, "main h1"))
    yield visit("login.html")
    yield from (write("[name=user]", "ada"), write("[name=password]", "wrong"), click("button"))
    yield from (read("Wrong name or password.", "#problem"), write("[name=user]", "ada"))
    yield from (write("[name=password]", "secret", submit=True), read("Hello Ada", "h1"))
    yield visit("texts.html")
    yield from (read(HEBREW, "#hebrew"), read(ARABIC, "#arabic"), read(CHINESE, "#chinese"))
    yield from (write("#rtl", HEBREW), read(HEBREW, "#rtl-echo"), write("#rtl", ARABIC), read(ARABIC, "#rtl-echo"))
    yield from (write("#cjk", CHINESE), write("#cjk", JAPANESE, clear=False), read(CHINESE + JAPANESE, "#cjk-echo"))


@pytest.mark.requirement("pipe.7.actions")
async def test_at_least_99_of_100_core_actions_succeed(browser: Browsing) -> None:
    counts, failures = Counter[str](), []
    for turn in range(ROUNDS):
        for action, params in steps(browser, turn):
            expected = params.pop("expected", None)
            ended = await browser.run(action, **params)
            counts[action] += 1
            if isinstance(ended, Failed):
                failures.append(f"{action} {params}: {ended.code} {ended.message}")
            elif expected is not None and ended.result["text"] != expected:
                failures.append(f"{action} {params}: {ended.result['text']!r} is not {expected!r}")
    total = sum(counts.values())
    print(f"{total} actions {dict(counts)}, {len(failures)} failed", *failures, sep="\n")
    assert total >= AT_LEAST
    assert len(failures) <= total / 100, failures
