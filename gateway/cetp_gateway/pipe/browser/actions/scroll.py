"""scroll: an element into view, to an end of the page, or by pixels."""

from typing import Annotated, Literal

from msgspec import Meta

from cetp_gateway.pipe.browser.execution import Execution, Result
from cetp_gateway.pipe.browser.failures import CommandFailed
from cetp_gateway.pipe.browser.locating import Place, at_element
from cetp_gateway.pipe.browser.params import Located, Params, Selector, Selectors
from cetp_spec.pipe import PipeCode

Pixels = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]

# Many applications keep the page still and scroll a box in it: then the one in the middle of the window is meant.
_SCROLLED = """(() => {
  const page = document.scrollingElement || document.documentElement;
  const scrolls = box => box.scrollHeight > box.clientHeight && /auto|scroll/.test(getComputedStyle(box).overflowY);
  let box = page;
  if (page.scrollHeight <= innerHeight && page.scrollWidth <= innerWidth) {
    box = document.elementFromPoint(innerWidth / 2, innerHeight / 2);
    while (box && !scrolls(box)) box = box.parentElement;
  }
  box = box || page;
  %s;
  return [box.scrollLeft, box.scrollTop];
})()"""


class Scroll(Params, frozen=True, kw_only=True):
    """Of scroll: selector, or to, or dx and dy."""

    selector: Selector | None = None
    frame: Selectors = ()
    to: Literal["top", "bottom"] | None = None
    dx: Pixels | None = None
    dy: Pixels | None = None


async def scroll(execution: Execution, params: Scroll) -> Result:
    """Scroll at once, whatever the page's style says of smoothness."""
    by = params.dx is not None or params.dy is not None
    if [params.selector is not None, params.to is not None, by].count(True) != 1:
        raise CommandFailed(PipeCode.PIPE_SCHEMA_INVALID, "params: give either selector, or to, or dx and dy.")
    if params.selector is not None:
        await _into_view(execution, params, params.selector)
    x, y = await execution.origins.world.ask(_SCROLLED % _movement(params))
    return {"x": x, "y": y}


async def _into_view(execution: Execution, params: Scroll, selector: str) -> None:
    async def act(place: Place) -> None:
        await place.element.scroll_into_view_if_needed(timeout=execution.deadline.left_ms)

    located = Located(selector=selector, frame=params.frame, timeout_ms=params.timeout_ms)
    await at_element(execution, located, act)


def _movement(params: Scroll) -> str:
    if params.to is not None:
        end = "0" if params.to == "top" else "box.scrollHeight"
        return f"box.scrollTo({{top: {end}, behavior: 'instant'}})"
    if params.selector is not None:
        return ""
    return f"box.scrollBy({{left: {params.dx or 0}, top: {params.dy or 0}, behavior: 'instant'}})"
