"""screenshot: a picture that stays with the host; the answer says which it is."""

import msgspec

from cetp_gateway.pipe.browser.execution import Execution, Result
from cetp_gateway.pipe.browser.failures import CommandFailed
from cetp_gateway.pipe.browser.params import Params
from cetp_spec.pipe import PipeCode

HIGHEST = 16_384
"""Pixels; Chromium draws no higher picture, and a page of any height costs that much memory."""


class TakeScreenshot(Params, frozen=True, kw_only=True):
    """Of screenshot."""

    full_page: bool = False


async def screenshot(execution: Execution, params: TakeScreenshot) -> Result:
    """Draw what is in view, or the whole page."""
    if params.full_page:
        await _require_size(execution)
    page, limit = execution.tab.page, execution.deadline.left_ms
    png = await page.screenshot(full_page=params.full_page, type="png", timeout=limit)
    await execution.require_page()
    return msgspec.to_builtins(execution.shots.keep(png))  # type: ignore[no-any-return]


async def _require_size(execution: Execution) -> None:
    metrics = await execution.tab.devtools.send("Page.getLayoutMetrics")
    size = metrics["cssContentSize"]
    if max(size["width"], size["height"]) > HIGHEST:
        sentence = f"The page is larger than {HIGHEST} pixels; take a screenshot without full_page."
        raise CommandFailed(PipeCode.CMD_RESULT_TOO_LARGE, sentence)
