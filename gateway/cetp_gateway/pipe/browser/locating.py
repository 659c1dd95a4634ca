"""From selectors to the element that is meant (pipe 8): CSS, through iframes and open shadow roots.

Elements are handles of one document: when the page goes elsewhere, acting on them fails and reaches nothing.
"""

import json
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

import msgspec
from playwright.async_api import ElementHandle, Error, Frame
from playwright.async_api import TimeoutError as Late

from cetp_gateway.pipe.browser.execution import Execution
from cetp_gateway.pipe.browser.failures import CommandFailed, is_replaced, never_began, replaced_meanwhile
from cetp_gateway.pipe.browser.params import Located
from cetp_spec.pipe import PipeCode

LOG = logging.getLogger("cetp_gateway.pipe")
T = TypeVar("T")
_IS_CSS = "(document.createDocumentFragment().querySelector({}), true)"


class Place(msgspec.Struct, frozen=True):
    """An element and the frame it is in."""

    element: ElementHandle
    frame: Frame


Act = Callable[[Place], Awaitable[T]]


async def at_element(
    execution: Execution, params: Located, act: Act[T], *, strict: bool = True, check: Act[None] | None = None
) -> T:
    """Do something to the element; `strict` is for what acts: one element must be meant, and nothing is done twice.

    When the page replaces the element before anything was done, the new one is taken. `check` is made before.

    Raises:
        CommandFailed: the selector is not CSS, fits nothing or too much, or the frame is of another domain.
    """
    await require_css(execution, params.selector, *params.frame)
    while True:
        began = False
        try:
            async with _place(execution, params, strict=strict) as place:
                await execution.require_frame(place.frame)
                if check is not None:
                    await check(place)
                began = strict
                return await act(place)
        except Error as error:
            if not is_replaced(error) or execution.deadline.over or execution.tab.gone.is_set():
                raise
            if began and not never_began(error):
                raise replaced_meanwhile() from error


async def frame_of(execution: Execution, selectors: tuple[str, ...]) -> Frame:
    """The frame at the end of a path of iframes; CMD_FRAME_NOT_FOUND."""
    frame = execution.tab.page.main_frame
    for number, selector in enumerate(selectors, start=1):
        inner = await _inner(execution, frame, selector)
        if inner is None:
            raise CommandFailed(PipeCode.CMD_FRAME_NOT_FOUND, f"Selector {number} of frame fits no iframe.")
        frame = inner
    return frame


async def require_css(execution: Execution, *selectors: str) -> None:
    """CMD_SELECTOR_INVALID for what a browser does not take as CSS; Playwright would take more."""
    for selector in selectors:
        if await execution.origins.world.ask(_IS_CSS.format(json.dumps(selector))) is not True:
            raise CommandFailed(PipeCode.CMD_SELECTOR_INVALID, "The selector is not CSS.")


@asynccontextmanager
async def _place(execution: Execution, params: Located, *, strict: bool) -> AsyncIterator[Place]:
    frame = await frame_of(execution, params.frame)
    element = await _first(execution, frame, params.selector, strict=strict)
    try:
        yield Place(element, frame)
    finally:
        await let_go(element)


async def _inner(execution: Execution, frame: Frame, selector: str) -> Frame | None:
    try:
        element = await _first(execution, frame, selector, strict=True)
    except Late:
        return None
    try:
        return await element.content_frame()
    finally:
        await let_go(element)


async def _first(execution: Execution, frame: Frame, selector: str, *, strict: bool) -> ElementHandle:
    limit = execution.deadline.left_ms
    found = await frame.wait_for_selector(f"css={selector}", state="attached", strict=strict, timeout=limit)
    if found is None:
        # Playwright's type allows it; its wait for `attached` does not.
        raise CommandFailed(PipeCode.CMD_SELECTOR_TIMEOUT, "Nothing fitted the selector in time.")
    return found


async def let_go(element: ElementHandle) -> None:
    """Handles live as long as their page; thousands of commands on one page must not gather them."""
    try:
        await element.dispose()
    except Error as error:
        # The page has gone, and the handle with it.
        LOG.debug("a handle was gone: %s", error.message.partition("\n")[0][:200])
