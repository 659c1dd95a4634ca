"""Every command runs on the domain it expects or not at all, whatever a page does about it."""

import logging
from collections.abc import AsyncIterator
from urllib.parse import quote

import pytest
import pytest_asyncio

from cetp_gateway.pipe import Failed, PipeCode
from support.pipe_pages import IDN, IDN_DOMAIN
from support.pipe_pages_browsing import Browsing, browsing

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.timeout(120)]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncIterator[Browsing]:
    async with browsing() as opened:
        yield opened


def refused(failed: Failed, *, executed: bool) -> bool:
    return failed.code == PipeCode.MAC_DOMAIN_MISMATCH and failed.details["executed"] is executed


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://b.localhost:{port}/home.html", "a.localhost:{port}"),
        ("http://a.localhost:{port}/home.html", "a.localhost"),
        ("http://a.localhost:{port}@b.localhost:{port}/", "a.localhost:{port}"),
        ("http://a.localhost.:{port}/home.html", "a.localhost:{port}"),
        ("http://sub.a.localhost:{port}/home.html", "a.localhost:{port}"),
        ("http://a.localhost:{port}\\@b.localhost/", "a.localhost:{port}"),
        ("data:text/html,hello", "a.localhost:{port}"),
        ("file:///etc/hostname", "a.localhost:{port}"),
        ("chrome://version", "a.localhost:{port}"),
        ("http://a.localhost:{port}/home.html", "A.localhost:{port}"),
        ("http://a.localhost:{port}/home.html", "*.localhost:{port}"),
    ],
)
async def test_an_address_of_another_domain_is_not_asked_for(browser: Browsing, url: str, expected: str) -> None:
    await browser.visit("other.html")
    port = browser.port
    failed = await browser.fail("navigate", on=expected.format(port=port), url=url.format(port=port))
    assert refused(failed, executed=False)
    assert (await browser.do("getPage"))["title"] == "Other"


async def test_upper_case_in_an_address_makes_no_other_domain(browser: Browsing) -> None:
    result = await browser.do("navigate", url=f"HTTP://A.LocalHost:{browser.port}/home.html")
    assert result["url"] == browser.url("home.html")


async def test_an_international_name_is_expected_in_its_ascii_form(browser: Browsing) -> None:
    url, domain = f"http://{IDN}:{browser.port}/home.html", f"{IDN_DOMAIN}:{browser.port}"
    assert (await browser.do("navigate", on=domain, url=url))["title"] == "Home"
    assert (await browser.do("getPage", on=domain))["origin"] == f"http://{domain}"
    assert refused(await browser.fail("getPage", on=f"{IDN}:{browser.port}"), executed=False)


@pytest.mark.parametrize("way", ["redirect", "script-redirect"])
async def test_a_page_that_leads_to_another_domain_is_left_at_once(browser: Browsing, way: str) -> None:
    target = quote(browser.url("home.html", "b.localhost"))
    failed = await browser.fail("navigate", url=browser.url(f"{way}?to={target}"))
    assert refused(failed, executed=True)
    assert failed.details["left_for"] == f"b.localhost:{browser.port}"
    assert refused(await browser.fail("getPage", on=f"b.localhost:{browser.port}"), executed=False)


async def test_a_redirect_that_stays_on_the_domain_is_followed(browser: Browsing) -> None:
    result = await browser.do("navigate", url=browser.url("redirect?to=/other.html"))
    assert result["url"] == browser.url("other.html")


async def test_an_empty_page_has_no_domain() -> None:
    async with browsing() as fresh:
        for action in ("getPage", "getText", "listElements", "screenshot", "back"):
            assert refused(await fresh.fail(action), executed=False)


async def test_a_page_in_a_sandbox_has_no_domain_whatever_it_claims(browser: Browsing) -> None:
    assert refused(await browser.fail("navigate", url=browser.url("sandboxed")), executed=True)


@pytest.mark.parametrize(
    ("action", "params"),
    [("click", {"selector": "#away"}), ("press", {"selector": "#away", "key": "Enter"})],
)
async def test_an_action_that_leads_to_another_domain_says_that_it_was_carried_out(
    browser: Browsing, action: str, params: dict[str, str]
) -> None:
    await browser.visit("home.html")
    failed = await browser.fail(action, **params)
    assert refused(failed, executed=True)
    assert failed.details["left_for"] == f"b.localhost:{browser.port}"
    assert (await browser.do("getPage", on=f"b.localhost:{browser.port}"))["title"] == "Home"


async def test_a_page_that_goes_elsewhere_by_itself_is_noticed_by_the_next_command(browser: Browsing) -> None:
    await browser.visit("traps.html")
    await browser.run("click", selector="#wander")
    failed = await browser.fail("click", selector="#count")
    assert refused(failed, executed=False)
    assert failed.details["domain"] == f"b.localhost:{browser.port}"


async def test_back_to_another_domain_is_told(browser: Browsing) -> None:
    await browser.do("navigate", on=f"b.localhost:{browser.port}", url=browser.url("other.html", "b.localhost"))
    await browser.visit("home.html")
    failed = await browser.fail("back")
    assert refused(failed, executed=True)
    assert failed.details["left_for"] == f"b.localhost:{browser.port}"


async def test_frames_of_the_same_domain_can_be_worked_in_at_any_depth(browser: Browsing) -> None:
    await browser.visit("frames.html")
    await browser.do("click", selector="#count", frame=["#same"])
    assert await browser.text("#counted", "#same") == "1"
    assert await browser.text("#text", "#nested", "#inner") == "The other page."


async def test_frames_without_an_address_inherit_the_domain(browser: Browsing) -> None:
    await browser.visit("frames.html")
    assert await browser.text("p", "#written") == "Written."
    assert await browser.text("p", "#empty") == "Filled in."


@pytest.mark.parametrize("path", [["#foreign"], ["#sandboxed"], ["#through"], ["#through", "#boxed"]])
async def test_frames_of_other_domains_are_out_of_reach_whatever_they_claim(browser: Browsing, path: list[str]) -> None:
    await browser.visit("frames.html")
    failed = await browser.fail("getText", selector="body", frame=path)
    assert refused(failed, executed=False)


async def test_a_frame_of_the_domain_inside_another_ones_can_be_read(browser: Browsing) -> None:
    await browser.visit("frames.html")
    assert await browser.text("#text", "#through", "#back") == "The other page."


@pytest.mark.parametrize("selector", ["#foreign", "#around"])
async def test_a_click_through_an_iframe_does_not_reach_another_domain(browser: Browsing, selector: str) -> None:
    await browser.visit("frames.html")
    await browser.do("scroll", selector="#foreign")
    assert refused(await browser.fail("click", selector=selector), executed=False)


async def test_a_key_does_not_reach_a_focused_frame_of_another_domain(browser: Browsing) -> None:
    await browser.visit("frames.html")
    await browser.do("press", selector="#foreign", key="Shift")
    assert refused(await browser.fail("press", key="a"), executed=False)


async def test_what_a_page_makes_of_its_origin_does_not_count(browser: Browsing) -> None:
    other = f"b.localhost:{browser.port}"
    await browser.do("navigate", on=other, url=browser.url("pretender.html", "b.localhost"))
    failed = await browser.fail("getText", selector="#text")
    assert refused(failed, executed=False)
    assert failed.details["domain"] == other
    assert (await browser.do("getText", on=other, selector="#text"))["text"] == "Not what it says."


async def test_log_lines_of_a_command_carry_its_number(browser: Browsing, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "cetp_gateway.pipe"):
        await browser.visit("home.html")
        await browser.do("type", selector="#secret", text="swordfish")
    lines = [line.getMessage() for line in caplog.records if f"seq={browser.seq} " in line.getMessage()]
    assert lines[0].endswith(f"execution begins: type on {browser.domain}")
    assert "execution ended: done after" in lines[-1]
    assert "swordfish" not in caplog.text
