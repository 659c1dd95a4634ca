"""listElements: what can be acted on, in the page and in those of its frames that are of the same domain.

A page may lie about its own elements; every value is checked for its form, and every selector against the element.
"""

import asyncio
from importlib import resources
from typing import Annotated

import msgspec
from msgspec import Meta
from playwright.async_api import ElementHandle, Error, Frame, JSHandle

from cetp_gateway.pipe.browser.execution import Execution, Result, fits
from cetp_gateway.pipe.browser.failures import CommandFailed
from cetp_gateway.pipe.browser.notes import well_formed
from cetp_gateway.pipe.browser.params import Params
from cetp_spec.pipe import PipeCode

_COLLECT = resources.files(__package__).joinpath("elements.js").read_text("utf-8").partition("\n(limit)")
_SCRIPT = "(limit)" + _COLLECT[2]
_SAME = "(found, [nodes, index]) => found.length === 1 && found[0] === nodes[index]"
FRAMES = 20
"""Documents that are looked into."""
DEEPEST = 8
AT_ONCE = 25


class Fact(msgspec.Struct, frozen=True, kw_only=True):
    """What the page says of one element."""

    selector: str
    path: str
    role: str
    name: str
    tag: str
    type: str | None
    value: str | None
    disabled: bool | None
    checked: bool | None


class Document(msgspec.Struct, frozen=True, kw_only=True):
    """What the page says of one document; elements first, then iframes."""

    facts: list[Fact]
    count: int
    truncated: bool
    shadows: bool


class ListElements(Params, frozen=True, kw_only=True):
    """Of listElements."""

    limit: Annotated[int, Meta(ge=1, le=500)] = 100


async def list_elements(execution: Execution, params: ListElements) -> Result:
    """In the order of the document, those that are shown; a frame's elements after those around it."""
    listing = _Listing(execution, params.limit)
    await listing.add(execution.tab.page.main_frame, ())
    while not fits(listing.elements):
        listing.truncated = True
        del listing.elements[len(listing.elements) * 3 // 4 :]
    return {"elements": listing.elements, "truncated": listing.truncated}


class _Listing:
    def __init__(self, execution: Execution, limit: int) -> None:
        self._execution = execution
        self._limit = limit
        self._documents = 0
        self.elements: list[Result] = []
        self.truncated = False

    async def add(self, frame: Frame, path: tuple[str, ...]) -> None:
        self._documents += 1
        limit = self._limit - len(self.elements)
        collected = await frame.evaluate_handle(_SCRIPT, limit)
        try:
            document = await _read(collected)
            selectors = await _selectors(frame, collected, document)
            self.truncated = self.truncated or document.truncated
            self._add(document, selectors, path)
            await self._add_frames(collected, document, selectors, path)
        finally:
            await collected.dispose()

    def _add(self, document: Document, selectors: list[str | None], path: tuple[str, ...]) -> None:
        for fact, selector in zip(document.facts[: document.count], selectors, strict=False):
            if selector is not None:
                self.elements.append(_told(fact, selector, path))

    async def _add_frames(
        self, collected: JSHandle, document: Document, selectors: list[str | None], path: tuple[str, ...]
    ) -> None:
        for index in range(document.count, len(document.facts)):
            selector = selectors[index]
            if selector is None or len(path) == DEEPEST:
                continue
            if self._documents == FRAMES or len(self.elements) == self._limit:
                self.truncated = True
                return
            inner = await _frame_at(collected, index)
            if inner is not None and await self._execution.origins.is_of(inner, self._execution.domain):
                await self.add(inner, (*path, selector))


async def _read(collected: JSHandle) -> Document:
    told = await collected.evaluate("({ facts, count, truncated, shadows }) => ({ facts, count, truncated, shadows })")
    try:
        return msgspec.convert(told, Document)
    except msgspec.ValidationError as error:
        raise CommandFailed(PipeCode.INTERNAL_UNKNOWN, "The page's scripts garble its elements.") from error


async def _selectors(frame: Frame, collected: JSHandle, document: Document) -> list[str | None]:
    """For each fact a selector that finds this element and no other; None where there is none."""
    if not document.shadows:
        return [fact.selector if _usable(fact.selector) else None for fact in document.facts]
    nodes = await collected.get_property("nodes")
    few = asyncio.Semaphore(AT_ONCE)

    async def proven(index: int, fact: Fact) -> str | None:
        async with few:
            for selector in (fact.selector, fact.path):
                if _usable(selector) and await _is_alone(frame, selector, nodes, index):
                    return selector
            return None

    try:
        return list(await asyncio.gather(*(proven(index, fact) for index, fact in enumerate(document.facts))))
    finally:
        await nodes.dispose()


async def _is_alone(frame: Frame, selector: str, nodes: JSHandle, index: int) -> bool:
    return bool(await frame.eval_on_selector_all(f"css={selector}", _SAME, [nodes, index]))


def _usable(selector: str) -> bool:
    return 0 < len(selector) <= 1024 and well_formed(selector) == selector


async def _frame_at(collected: JSHandle, index: int) -> Frame | None:
    element = (await collected.evaluate_handle("({ nodes }, index) => nodes[index]", index)).as_element()
    if not isinstance(element, ElementHandle):
        return None
    try:
        return await element.content_frame()
    except Error:
        # The page has taken the iframe away again.
        return None
    finally:
        await element.dispose()


def _told(fact: Fact, selector: str, path: tuple[str, ...]) -> Result:
    return {
        "selector": selector,
        "frame": list(path),
        "role": well_formed(fact.role),
        "name": well_formed(fact.name),
        "tag": well_formed(fact.tag),
        "type": fact.type,
        "value": None if fact.value is None else well_formed(fact.value),
        "disabled": fact.disabled,
        "checked": fact.checked,
    }
