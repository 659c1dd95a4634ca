"""waitFor: until the page shows what is expected, or is where it is expected."""

import re
from collections.abc import Awaitable
from typing import Annotated, Any, Literal

from msgspec import Meta
from playwright.async_api import TimeoutError as Late

from cetp_gateway.pipe.browser.execution import Execution, Result
from cetp_gateway.pipe.browser.failures import CommandFailed
from cetp_gateway.pipe.browser.locating import frame_of, require_css
from cetp_gateway.pipe.browser.params import Params, Selector, Selectors
from cetp_spec.pipe import PipeCode


class WaitFor(Params, frozen=True, kw_only=True):
    """Of waitFor; exactly one of selector, text and url."""

    selector: Selector | None = None
    state: Literal["attached", "visible", "hidden", "detached"] = "visible"
    text: Annotated[str, Meta(min_length=1, max_length=1024)] | None = None
    url: Annotated[str, Meta(min_length=1, max_length=8192)] | None = None
    frame: Selectors = ()


async def wait_for(execution: Execution, params: WaitFor) -> Result:
    """Wait; CMD_WAIT_TIMEOUT when it does not come to that."""
    if [params.selector, params.text, params.url].count(None) != 2:
        raise CommandFailed(PipeCode.PIPE_SCHEMA_INVALID, "params: give exactly one of selector, text and url.")
    waiting = _for_url(execution, params.url) if params.url is not None else _in_frame(execution, params)
    try:
        await waiting
    except Late as error:
        sentence = f"It did not come to that within {params.timeout_ms} ms."
        raise CommandFailed(PipeCode.CMD_WAIT_TIMEOUT, sentence) from error
    return {}


async def _for_url(execution: Execution, glob: str) -> None:
    page, limit = execution.tab.page, execution.deadline.left_ms
    await page.wait_for_url(glob_pattern(glob), wait_until="commit", timeout=limit)


async def _in_frame(execution: Execution, params: WaitFor) -> None:
    await require_css(execution, *params.frame, *filter(None, [params.selector]))
    frame = await frame_of(execution, params.frame)
    await execution.require_frame(frame)
    shown: Awaitable[Any]
    if params.selector is not None:
        limit = execution.deadline.left_ms
        shown = frame.wait_for_selector(f"css={params.selector}", state=params.state, timeout=limit)
    else:
        words = frame.get_by_text(re.compile(_literally(params.text or ""))).filter(visible=True)
        shown = words.first.wait_for(state="attached", timeout=execution.deadline.left_ms)
    await shown


def glob_pattern(glob: str) -> re.Pattern[str]:
    """`**` stands for anything, `*` for anything but /; all else for itself."""
    parts = re.split(r"(\*\*|\*)", glob)
    written = {"**": ".*", "*": "[^/]*"}
    inner = "".join(written.get(part) or re.escape(part) for part in parts)
    return re.compile(f"^{inner}$", re.DOTALL)


def _literally(text: str) -> str:
    """For JavaScript's expressions too, which know fewer escapes; blanks of any kind and number are alike."""
    words = [re.sub(r"[\\^$.*+?()\[\]{}|/]", r"\\\g<0>", word) for word in text.split()]
    return r"\s+".join(words)
