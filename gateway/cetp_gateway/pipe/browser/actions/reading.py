"""getText, getAttribute, getPage: what a page says."""

from typing import Annotated

from msgspec import Meta

from cetp_gateway.pipe.browser.execution import Execution, Result, fits
from cetp_gateway.pipe.browser.locating import Place, at_element
from cetp_gateway.pipe.browser.notes import well_formed
from cetp_gateway.pipe.browser.params import Located, Params, Selector

# Twice the limit in UTF-16 holds as many characters as are wanted, and one more shows that there are more.
_TEXT = "(element, limit) => String(element.innerText ?? element.textContent ?? '').slice(0, 2 * limit + 1)"


class GetText(Located, frozen=True, kw_only=True):
    """Of getText."""

    selector: Selector = "body"
    max_chars: Annotated[int, Meta(ge=1, le=200_000)] = 20_000


class GetAttribute(Located, frozen=True, kw_only=True):
    """Of getAttribute."""

    name: Annotated[str, Meta(min_length=1, max_length=256)]


async def get_text(execution: Execution, params: GetText) -> Result:
    """Text as it is shown, of the first element that fits."""

    async def act(place: Place) -> str:
        text: str = await place.element.evaluate(_TEXT, params.max_chars)
        return text

    whole = well_formed(await at_element(execution, params, act, strict=False))
    text = whole[: params.max_chars]
    while not fits(text):
        text = text[: len(text) * 3 // 4]
    return {"text": text, "truncated": len(text) < len(whole)}


async def get_attribute(execution: Execution, params: GetAttribute) -> Result:
    """An attribute as the document has it, of the first element that fits."""

    async def act(place: Place) -> str | None:
        return await place.element.get_attribute(params.name)

    value = await at_element(execution, params, act, strict=False)
    return {"value": None if value is None else well_formed(value)}


async def get_page(execution: Execution, params: Params) -> Result:  # noqa: ARG001  (the form of every action)
    """Where the page is."""
    facts = await execution.require_page()
    return {"url": well_formed(facts.url), "title": facts.title, "origin": facts.origin}
