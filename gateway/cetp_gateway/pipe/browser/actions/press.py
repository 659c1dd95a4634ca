"""press: a key, at an element or wherever the focus is."""

from typing import Annotated

from msgspec import Meta
from playwright.async_api import Frame

from cetp_gateway.pipe.browser.execution import Execution, Result
from cetp_gateway.pipe.browser.failures import CommandFailed
from cetp_gateway.pipe.browser.locating import Place, at_element, let_go
from cetp_gateway.pipe.browser.params import Located, Params, Selector, Selectors
from cetp_spec.pipe import PipeCode

_FOCUSED = """() => {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  return focused && ['IFRAME', 'FRAME'].includes(focused.tagName) ? focused : null;
}"""
DEEPEST = 16


class Press(Params, frozen=True, kw_only=True):
    """Of press."""

    key: Annotated[str, Meta(min_length=1, max_length=64)]
    selector: Selector | None = None
    frame: Selectors = ()


async def press(execution: Execution, params: Press) -> Result:
    """Press and let go; without a selector the key must not reach a frame of another domain."""
    if params.selector is None:
        if params.frame:
            raise CommandFailed(PipeCode.PIPE_SCHEMA_INVALID, "params: frame needs a selector.")
        await _require_focus(execution)
        await execution.tab.page.keyboard.press(params.key)
        return {}

    async def act(place: Place) -> None:
        await place.element.press(params.key, no_wait_after=True, timeout=execution.deadline.left_ms)

    located = Located(selector=params.selector, frame=params.frame, timeout_ms=params.timeout_ms)
    await at_element(execution, located, act)
    return {}


async def _require_focus(execution: Execution) -> None:
    frame: Frame | None = execution.tab.page.main_frame
    for _ in range(DEEPEST):
        frame = await _focused_frame(frame) if frame is not None else None
        if frame is None:
            return
        await execution.require_frame(frame)


async def _focused_frame(frame: Frame) -> Frame | None:
    element = (await frame.evaluate_handle(_FOCUSED)).as_element()
    if element is None:
        return None
    try:
        return await element.content_frame()
    finally:
        await let_go(element)
