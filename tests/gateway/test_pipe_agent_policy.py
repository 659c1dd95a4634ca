"""The browser's tools inside the same policy, approval and audit as all others."""

from pathlib import Path

import pytest

from cetp_gateway.api import Answered, Denied
from support.pipe_agent import SHOP, PaperBrowser
from support.pipe_agent_wire import browsing

BUY = {"selector": "#buy"}


@pytest.mark.requirement("pipe.1.runtime-side")
async def test_read_only_looks_and_does_not_act(tmp_path: Path) -> None:
    paper = PaperBrowser()
    async with browsing(tmp_path, paper, autonomy="read_only") as browser:
        await browser.call("navigate", {"url": SHOP})
        assert isinstance(await browser.call("getText"), Answered)
        outcome = await browser.call("click", BUY)
        assert isinstance(outcome, Denied)
        assert "read_only" in outcome.reason
        assert paper.done == ["navigate", "getText"]


async def test_supervised_asks_with_the_whole_call_and_its_domain(tmp_path: Path) -> None:
    paper = PaperBrowser()
    async with browsing(tmp_path, paper, autonomy="supervised") as browser:
        await browser.call("navigate", {"url": SHOP})
        running = browser.start("click", BUY)
        request = await browser.policed.asked()
        assert request.tool == "browser_click"
        assert request.arguments == {"selector": "#buy", "expected_domain": "shop.example"}
        assert request.device == "browser"
        assert paper.done == ["navigate"]
        browser.policed.answer(request)
        assert isinstance(await running, Answered)


async def test_what_a_person_was_shown_is_what_is_signed(tmp_path: Path) -> None:
    paper = PaperBrowser()
    async with browsing(tmp_path, paper, autonomy="supervised") as browser:
        await browser.call("navigate", {"url": SHOP})
        running = browser.start("click", BUY)
        request = await browser.policed.asked()
        # Meanwhile another call of the session opens another page.
        opening = browser.start("navigate", {"url": "https://bank.example/"}, session="other")
        paper.url = "https://bank.example/"
        browser.policed.answer(request)
        await running
        await opening
        assert [c.expected_domain for c in paper.commands if c.action == "click"] == ["shop.example"]


async def test_a_call_that_a_person_denies_is_not_sent_and_stops_the_acting_rest(tmp_path: Path) -> None:
    paper = PaperBrowser()
    async with browsing(tmp_path, paper, autonomy="supervised") as browser:
        await browser.call("navigate", {"url": SHOP})
        typing = browser.start("type", {"selector": "#sum", "text": "5"})
        question = await browser.policed.asked()
        clicking = browser.start("click", BUY)
        second = await browser.policed.asked(2)
        browser.policed.answer(second)
        browser.policed.answer(question, allow=False)
        assert isinstance(await typing, Denied)
        assert not isinstance(await clicking, Answered)
        assert paper.done == ["navigate"]


async def test_without_anybody_to_ask_a_call_is_denied_at_once_and_the_reason_said(tmp_path: Path) -> None:
    paper = PaperBrowser()
    async with browsing(tmp_path, paper, autonomy="supervised") as browser:
        browser.policed.parts.approvals.nobody_because = "nobody is here"
        await browser.call("navigate", {"url": SHOP})
        outcome = await browser.call("click", BUY)
        assert isinstance(outcome, Denied)
        assert outcome.reason == "This call needs a person's approval, and nobody is here."
        assert paper.done == ["navigate"]


async def test_the_audit_trail_has_every_call_and_what_became_of_it(tmp_path: Path) -> None:
    async with browsing(tmp_path, PaperBrowser(), autonomy="full", audit={"content": True}) as browser:
        await browser.call("navigate", {"url": SHOP})
        await browser.call("getText")
        await browser.call("click", BUY)
        await browser.call("click", {"selector": "#missing"})
        await browser.call("navigate", {"url": "http://localhost/"})
        entries = [entry for entry in await browser.policed.entries() if entry.kind == "call"]
        entries.sort(key=lambda entry: entry.at)
        assert [(entry.tool, entry.outcome) for entry in entries] == [
            ("browser_navigate", "answered"),
            ("browser_get_text", "answered"),
            ("browser_click", "answered"),
            ("browser_click", "refused"),
            ("browser_navigate", "denied"),
        ]
        assert entries[2].arguments == '{"expected_domain":"shop.example","selector":"#buy"}'
        assert entries[4].by == "browser"
        assert {entry.device for entry in entries} == {"browser"}
