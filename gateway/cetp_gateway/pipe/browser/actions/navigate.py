"""navigate: another address, whose domain is checked before it is asked for and after all redirects."""

import asyncio
from typing import Annotated, Literal

from msgspec import Meta
from playwright.async_api import Error
from playwright.async_api import TimeoutError as Late

from cetp_gateway.pipe.browser.domains import domain_of
from cetp_gateway.pipe.browser.execution import GRACE_S, Execution, Result, mismatch
from cetp_gateway.pipe.browser.failures import CommandFailed, translated
from cetp_gateway.pipe.browser.notes import well_formed
from cetp_gateway.pipe.browser.params import Params
from cetp_spec.pipe import PipeCode

NOWHERE = "about:blank"
NOWHERE_MS = 500.0


class Navigate(Params, frozen=True, kw_only=True):
    """Of navigate."""

    url: Annotated[str, Meta(min_length=8, max_length=8192)]
    wait_until: Literal["load", "domcontentloaded", "commit"] = "load"


async def navigate(execution: Execution, params: Navigate) -> Result:
    """Load a page. When it turns out to be of another domain, it is left for about:blank."""
    domain = domain_of(params.url)
    if domain != execution.domain:
        sentence = f"The address is of {domain or 'no domain'}, not of the expected {execution.domain}."
        raise CommandFailed(PipeCode.MAC_DOMAIN_MISMATCH, sentence, executed=False, domain=domain)
    arrivals = execution.tab.leaving.arrivals
    try:
        status = await _load(execution, params)
    except Error as error:
        await _stop(execution)
        await _leave_if_elsewhere(execution, arrivals, error)
        raise _failed(error, params) from error
    facts = await execution.arrived()
    if facts.domain != execution.domain:
        await _to_nowhere(execution)
        raise mismatch(execution.domain, facts.domain, executed=True)
    execution.tab.stuck = False
    return {"url": well_formed(facts.url), "status": status, "title": facts.title}


async def _load(execution: Execution, params: Navigate) -> int | None:
    page, limit = execution.tab.page, execution.deadline.left_ms
    response = await page.goto(params.url, wait_until=params.wait_until, timeout=limit)
    return response.status if response is not None else None


def _failed(error: Error, params: Navigate) -> CommandFailed:
    if isinstance(error, Late):
        sentence = f"The page did not come to {params.wait_until} within {params.timeout_ms} ms."
        return CommandFailed(PipeCode.CMD_NAVIGATION_FAILED, sentence)
    return translated(error)


async def _leave_if_elsewhere(execution: Execution, arrivals: int, cause: Error) -> None:
    """A load that failed half-way may have been led elsewhere; one that never began leaves the page as it was."""
    if execution.tab.leaving.arrivals == arrivals or execution.tab.gone.is_set():
        return
    facts = await execution.arrived()
    if facts.domain not in (None, execution.domain):
        await _to_nowhere(execution)
        raise mismatch(execution.domain, facts.domain, executed=True) from cause


async def _to_nowhere(execution: Execution) -> None:
    try:
        await execution.tab.page.goto(NOWHERE, timeout=NOWHERE_MS)
    except Late:
        # It stays where it is, refused to every command, until a fresh one takes its place.
        execution.tab.stuck = True


async def _stop(execution: Execution) -> None:
    """So that the page does not come after all, when nobody expects it."""
    try:
        async with asyncio.timeout(GRACE_S):
            await execution.tab.devtools.send("Page.stopLoading")
    except (Error, TimeoutError):
        execution.tab.stuck = True
