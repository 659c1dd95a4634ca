"""The browser that `cetp pipe host` drives."""

import asyncio
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Final

from cetp_gateway.doctor.case import Case
from cetp_gateway.doctor.finding import Finding, ok, skipped
from cetp_gateway.errors import BrowserUnusable
from cetp_gateway.pipe.browser import find_chromium

ABOUT: Final = "browser"


async def check_browser(case: Case) -> Sequence[Finding]:  # noqa: ARG001  (every check is given the case)
    try:
        path = await asyncio.to_thread(find_chromium)
    except BrowserUnusable as error:
        return [skipped(ABOUT, f"{error.message} Only `cetp pipe host` needs one.")]
    if find_spec("playwright") is None:
        return [skipped(ABOUT, f"{path} is there; `cetp pipe host` needs cetp-toolkit[browser] besides.")]
    return [ok(ABOUT, f"{path} is there for `cetp pipe host`.")]
