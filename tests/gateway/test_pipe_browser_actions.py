"""What each action does on a real page."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from support.pipe_pages_browsing import Browsing, browsing

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.timeout(120)]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncIterator[Browsing]:
    async with browsing() as opened:
        yield opened


async def test_navigate_tells_where_the_page_is(browser: Browsing) -> None:
    result = await browser.do("navigate", url=browser.url("home.html"))
    assert result == {"url": browser.url("home.html"), "status": 200, "title": "Home"}


async def test_navigate_tells_the_status_of_a_page_that_is_missing(browser: Browsing) -> None:
    result = await browser.do("navigate", url=browser.url("missing"))
    assert (result["status"], result["title"]) == (404, "Missing")


async def test_get_page_tells_the_true_origin(browser: Browsing) -> None:
    await browser.visit("other.html")
    page = await browser.do("getPage")
    assert page == {"url": browser.url("other.html"), "title": "Other", "origin": f"http://{browser.domain}"}


async def test_click_presses_once_or_as_often_as_told(browser: Browsing) -> None:
    await browser.visit("home.html")
    assert await browser.do("click", selector="#count") == {}
    await browser.do("click", selector="#count")
    await browser.do("click", selector="#twice", count=2)
    assert (await browser.text("#counted"), await browser.text("#doubled")) == ("2", "yes")


async def test_a_click_that_leads_to_another_page_ends_on_it(browser: Browsing) -> None:
    await browser.visit("home.html")
    await browser.do("click", selector="#next")
    assert await browser.text("#text") == "The other page."


async def test_type_replaces_what_stands_in_the_field_or_adds_to_it(browser: Browsing) -> None:
    await browser.visit("home.html")
    await browser.do("type", selector="#nick", text="ra")
    await browser.do("type", selector="#nick", text="nda", clear=False)
    await browser.do("type", selector="#rich", text=" text", clear=False)
    nick = next(element for element in await elements(browser) if element["selector"] == "#nick")
    assert (nick["value"], await browser.text("#rich")) == ("randa", "rich text")


async def test_type_presses_enter_when_told_to(browser: Browsing) -> None:
    await browser.visit("home.html")
    await browser.do("type", selector="#name", text="Ada", submit=True)
    assert await browser.text("#heard") == "sent Ada"


@pytest.mark.parametrize("text", ["x" * 100_000, "שלום עולם", "مرحبا", "你好，世界", "こんにちは", "👩‍👩‍👧", "a\nb"])
async def test_text_of_any_script_and_length_arrives_as_it_is(browser: Browsing, text: str) -> None:
    await browser.visit("texts.html")
    await browser.do("type", selector="#cjk", text=text)
    result = await browser.do("getText", selector="#cjk-echo", max_chars=200_000)
    assert result["text"] == text.replace("\n", " ")


async def test_get_text_reads_from_right_to_left_in_reading_order(browser: Browsing) -> None:
    await browser.visit("texts.html")
    assert await browser.text("#arabic") == "مرحبا بالعالم ١٢٣"


async def test_get_text_reads_the_whole_page_when_nothing_is_named(browser: Browsing) -> None:
    await browser.visit("other.html")
    assert (await browser.do("getText"))["text"].split() == ["Other", "page", "The", "other", "page.", "Home"]


async def test_get_text_of_several_elements_is_that_of_the_first(browser: Browsing) -> None:
    await browser.visit("home.html")
    assert await browser.text("p.many") == "one"


async def test_get_text_ends_after_as_many_characters_as_are_wanted(browser: Browsing) -> None:
    await browser.visit("texts.html")
    cut = await browser.do("getText", selector="#chinese", max_chars=2)
    whole = await browser.do("getText", selector="#chinese", max_chars=5)
    assert (cut, whole) == ({"text": "你好", "truncated": True}, {"text": "你好，世界", "truncated": False})


async def test_half_a_character_becomes_a_replacement_mark(browser: Browsing) -> None:
    await browser.visit("texts.html")
    assert await browser.text("#half") == "half \ufffd of a character"


async def test_get_attribute_reads_the_document_and_null_where_there_is_none(browser: Browsing) -> None:
    await browser.visit("home.html")
    assert await browser.do("getAttribute", selector="#name", name="placeholder") == {"value": "Your name"}
    assert await browser.do("getAttribute", selector="#name", name="title") == {"value": None}


async def test_select_chooses_by_value_or_by_label(browser: Browsing) -> None:
    await browser.visit("lists.html")
    assert await browser.do("select", selector="#colour", values=["g"]) == {"selected": ["g"]}
    assert await browser.text("#chosen") == "g"
    assert await browser.do("select", selector="#colour", labels=["Red"]) == {"selected": ["r"]}
    assert await browser.do("select", selector="#sizes", labels=["S", "L"]) == {"selected": ["S", "L"]}
    assert await browser.do("select", selector="#sizes", values=[]) == {"selected": []}


async def test_select_waits_for_an_option_that_comes_later(browser: Browsing) -> None:
    await browser.visit("lists.html")
    assert await browser.do("select", selector="#late", values=["there"]) == {"selected": ["there"]}


async def test_press_reaches_an_element_or_the_focus(browser: Browsing) -> None:
    await browser.visit("home.html")
    await browser.do("type", selector="#name", text="Eve")
    await browser.do("press", key="Control+a")
    await browser.do("press", key="Delete")
    await browser.do("press", key="Q")
    await browser.do("press", selector="#name", key="Enter")
    assert await browser.text("#heard") == "sent Q"


async def test_scroll_goes_to_ends_by_pixels_and_to_elements(browser: Browsing) -> None:
    await browser.visit("home.html")
    bottom = await browser.do("scroll", to="bottom")
    assert bottom["y"] > 2000
    assert await browser.do("scroll", to="top") == {"x": 0, "y": 0}
    assert await browser.do("scroll", dy=120) == {"x": 0, "y": 120}
    assert (await browser.do("scroll", selector="#part"))["y"] > 2000


async def test_scroll_moves_the_box_of_an_application_whose_page_stands_still(browser: Browsing) -> None:
    await browser.visit("box.html")
    assert (await browser.do("scroll", dy=300))["y"] == 300
    assert (await browser.do("scroll", to="bottom"))["y"] > 4000


@pytest.mark.parametrize(
    "wanted",
    [
        {"selector": "#late"},
        {"selector": "#late", "state": "attached"},
        {"text": "ready"},
        {"url": "http://a.localhost:*/*.html"},
        {"url": "**/slow.html"},
        {"selector": "#no-such", "state": "detached"},
    ],
)
async def test_wait_for_ends_when_it_has_come_to_that(browser: Browsing, wanted: dict[str, str]) -> None:
    await browser.visit("slow.html")
    assert await browser.do("waitFor", **wanted) == {}


async def test_back_goes_to_the_page_before_and_stops_at_the_first() -> None:
    async with browsing() as fresh:
        await fresh.visit("home.html")
        await fresh.visit("other.html")
        back = await fresh.do("back")
        assert back == {"url": fresh.url("home.html"), "title": "Home", "moved": True}
        assert (await fresh.do("back"))["moved"] is False


async def test_back_walks_through_the_views_of_a_single_page_application(browser: Browsing) -> None:
    await browser.visit("spa.html")
    await browser.do("click", selector="[data-view=sent]")
    await browser.do("click", selector="[data-view=drafts]")
    await browser.do("waitFor", text="drafts")
    assert (await browser.do("back"))["url"] == browser.url("spa.html/sent")
    await browser.do("waitFor", url="**/sent")


async def test_elements_in_open_shadow_roots_are_found_through_their_hosts(browser: Browsing) -> None:
    await browser.visit("shadow.html")
    await browser.do("type", selector="#second input.in", text="far")
    await browser.do("click", selector="#second .go")
    assert await browser.text("#second output") == "went far"
    assert await browser.text("#first output") == ""


async def test_a_button_that_moves_is_clicked_when_it_rests_and_one_that_is_covered_when_it_is_not(
    browser: Browsing,
) -> None:
    await browser.visit("moving.html")
    await browser.do("click", selector="#gliding")
    await browser.do("click", selector="#below")
    assert await browser.text("#done") == "2"


async def test_an_element_that_is_drawn_anew_is_clicked_once(browser: Browsing) -> None:
    await browser.visit("moving.html")
    await browser.do("click", selector="#redrawn")
    assert await browser.text("#done") == "1"


async def test_a_form_signs_in_and_the_cookie_is_kept(browser: Browsing) -> None:
    await browser.visit("login.html")
    await browser.do("type", selector="[name=user]", text="ada")
    await browser.do("type", selector="[name=password]", text="wrong", submit=True)
    assert await browser.text("#problem") == "Wrong name or password."
    await browser.do("type", selector="[name=user]", text="ada")
    await browser.do("type", selector="[name=password]", text="secret", submit=True)
    assert await browser.text("h1") == "Hello Ada"
    await browser.visit("account")
    assert await browser.text("h1") == "Hello Ada"


async def elements(browser: Browsing) -> list[dict[str, object]]:
    listed = await browser.do("listElements", limit=500)
    return list(listed["elements"])
