"""back: the page before this one."""

from playwright.async_api import TimeoutError as Late

from cetp_gateway.pipe.browser.execution import Execution, Result
from cetp_gateway.pipe.browser.failures import CommandFailed
from cetp_gateway.pipe.browser.notes import well_formed
from cetp_gateway.pipe.browser.params import Params
from cetp_spec.pipe import PipeCode


async def back(execution: Execution, params: Params) -> Result:
    """Go back when there is an earlier page; the empty one that a tab begins with is none."""
    moved = await _has_earlier(execution)
    if moved:
        try:
            await execution.tab.page.go_back(wait_until="commit", timeout=execution.deadline.left_ms)
        except Late as error:
            sentence = f"The earlier page did not come within {params.timeout_ms} ms."
            raise CommandFailed(PipeCode.CMD_NAVIGATION_FAILED, sentence) from error
    facts = await execution.arrived()
    return {"url": well_formed(facts.url), "title": facts.title, "moved": moved}


async def _has_earlier(execution: Execution) -> bool:
    history = await execution.tab.devtools.send("Page.getNavigationHistory")
    current: int = history["currentIndex"]
    return current > 0 and history["entries"][current - 1]["url"] != "about:blank"
