"""One command under way: its tab, its time, its domain, and the checks that every action needs.

Above: the actions. Below: `tab`, `origins`.
"""

from typing import Any

import msgspec
from playwright.async_api import Frame

from cetp_gateway.pipe.browser.deadline import Deadline
from cetp_gateway.pipe.browser.failures import CommandFailed
from cetp_gateway.pipe.browser.origins import Facts, Origins
from cetp_gateway.pipe.browser.shots import ScreenshotFolder
from cetp_gateway.pipe.browser.tab import Tab
from cetp_spec.pipe import PipeCode

Result = dict[str, Any]
GRACE_S = 1.0
"""What a check may take beyond the command's own time, so that a page that merely works is not called stuck."""
RESULT_BYTES = 960_000
"""Of a result as JSON: a line of 1 MB has room for it, whatever stands around it."""


class Execution:
    """What an action works with."""

    def __init__(self, origins: Origins, domain: str, deadline: Deadline, shots: ScreenshotFolder) -> None:
        self.tab: Tab = origins.tab
        self.origins = origins
        self.domain = domain
        self.deadline = deadline
        self.shots = shots

    async def arrived(self) -> Facts:
        """Facts of the page once it has ended going elsewhere.

        Raises:
            CommandFailed: it does not arrive in time, or does not answer.
        """
        while True:
            facts = await self._facts()
            if facts is not None and not self.tab.leaving.under_way:
                await self.tab.settle_downloads()
                return facts
            if not await self.tab.leaving.over(self.deadline.left_s(GRACE_S)):
                raise CommandFailed(
                    PipeCode.CMD_NAVIGATION_FAILED, "The page is still being loaded; wait and try again."
                )

    async def _facts(self) -> Facts | None:
        """None while a page is being replaced, in which time Chromium may keep silent."""
        try:
            return await self.origins.facts(self.deadline.left_s(GRACE_S))
        except TimeoutError:
            if self.tab.leaving.under_way:
                return None
            self.tab.stuck = True
            raise stuck() from None

    async def require_page(self) -> Facts:
        """Facts of the page; MAC_DOMAIN_MISMATCH when it is not of the expected domain."""
        facts = await self.arrived()
        if facts.domain != self.domain:
            raise mismatch(self.domain, facts.domain, executed=False)
        return facts

    async def require_frame(self, frame: Frame) -> None:
        """MAC_DOMAIN_MISMATCH unless the page and this frame of it are of the expected domain."""
        await self.require_page()
        if frame.parent_frame is not None and not await self.origins.is_of(frame, self.domain):
            sentence = f"The frame is not of the expected domain {self.domain}."
            raise CommandFailed(PipeCode.MAC_DOMAIN_MISMATCH, sentence, executed=False)


def mismatch(expected: str, found: str | None, *, executed: bool) -> CommandFailed:
    """The page is of another domain, or of none."""
    where = f"of {found}" if found else "of no domain (empty, a local or a sandboxed page)"
    if executed:
        sentence = f"The action was carried out, and the page is now {where}, not of the expected {expected}."
        return CommandFailed(PipeCode.MAC_DOMAIN_MISMATCH, sentence, executed=True, left_for=found)
    sentence = f"The page is {where}, not of the expected {expected}."
    return CommandFailed(PipeCode.MAC_DOMAIN_MISMATCH, sentence, executed=False, domain=found)


def stuck() -> CommandFailed:
    """The page's scripts keep it from answering anything."""
    return CommandFailed(PipeCode.INTERNAL_UNKNOWN, "The page does not answer; navigate opens a fresh one.")


def too_large(what: str) -> CommandFailed:
    """A result that would not fit into a line."""
    return CommandFailed(PipeCode.CMD_RESULT_TOO_LARGE, f"{what} is larger than an answer may be.")


def fits(result: Any) -> bool:
    """Whether it fits into an answer."""
    return len(msgspec.json.encode(result)) <= RESULT_BYTES
