"""click: the mouse on an element, as a person would: in view, at rest, not covered."""

from typing import Annotated, Literal

from msgspec import Meta

from cetp_gateway.pipe.browser.execution import Execution, Result
from cetp_gateway.pipe.browser.locating import Place, at_element, let_go
from cetp_gateway.pipe.browser.params import Located

# A click on what holds an iframe lands in it. The innermost element in the middle of the clicked one is looked at.
_HIT = """element => {
  element.scrollIntoViewIfNeeded?.();
  const box = element.getBoundingClientRect();
  let root = element.ownerDocument, hit = null;
  while (root) {
    const next = root.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    if (!next || next === hit) break;
    hit = next;
    root = hit.shadowRoot;
  }
  return hit && ['IFRAME', 'FRAME', 'OBJECT', 'EMBED'].includes(hit.tagName) ? hit : null;
}"""
_IS_FRAME = f"element => ({_HIT})(element) !== null"


class Click(Located, frozen=True, kw_only=True):
    """Of click."""

    button: Literal["left", "middle", "right"] = "left"
    count: Annotated[int, Meta(ge=1, le=3)] = 1


async def click(execution: Execution, params: Click) -> Result:
    """Click once the element can be clicked; a navigation that begins is waited for by the check after it."""

    async def check(place: Place) -> None:
        await _require_no_foreign_frame(execution, place)

    async def act(place: Place) -> None:
        await place.element.click(
            button=params.button, click_count=params.count, no_wait_after=True, timeout=execution.deadline.left_ms
        )

    await at_element(execution, params, act, check=check)
    return {}


async def _require_no_foreign_frame(execution: Execution, place: Place) -> None:
    if not await place.element.evaluate(_IS_FRAME):
        return
    hit = (await place.element.evaluate_handle(_HIT)).as_element()
    if hit is not None:
        inner = await hit.content_frame()
        await let_go(hit)
        if inner is not None:
            await execution.require_frame(inner)
