"""Keeps an agent running: after a crash another session, with pauses and an end to them (pipe 5.7).

Above: the command line. Below: `host_link`.
"""

import asyncio
import logging
from collections.abc import Callable
from time import monotonic

import msgspec

from cetp_gateway.pipe.host_link import HostLink
from cetp_gateway.pipe.session_end import SessionEnd, SessionState

log = logging.getLogger(__name__)


class RestartPolicy(msgspec.Struct, frozen=True, kw_only=True):
    """When an agent that crashed is started again."""

    first_wait_s: float = 1.0
    """Doubled for each crash in a row."""
    longest_wait_s: float = 30.0
    max_crashes: int = 5
    """In a row; the last one is final."""
    steady_s: float = 60.0
    """A session that ran so long ends a row of crashes."""


DEFAULT_POLICY = RestartPolicy()


class Restarts:
    """Counts crashes; no clock of its own."""

    def __init__(self, policy: RestartPolicy) -> None:
        self._policy = policy
        self._crashes = 0

    def wait_s(self, end: SessionEnd, ran_s: float) -> float | None:
        """Seconds until the next start after a session that ended so; None when there is none."""
        if end.state is not SessionState.CRASHED:
            return None
        if ran_s >= self._policy.steady_s:
            self._crashes = 0
        self._crashes += 1
        if self._crashes >= self._policy.max_crashes:
            return None
        return min(self._policy.first_wait_s * 2.0 ** (self._crashes - 1), self._policy.longest_wait_s)


class Keeper:
    """Runs session after session. `make_link` makes a new link, and so a new seed, for each."""

    def __init__(self, make_link: Callable[[], HostLink], policy: RestartPolicy = DEFAULT_POLICY) -> None:
        self._make_link = make_link
        self._restarts = Restarts(policy)
        self._link: HostLink | None = None
        self._closing = asyncio.Event()

    async def run(self) -> SessionEnd:
        """Until a session ends as it should, fails for good or the crashes are too many; how the last one ended."""
        while True:
            self._link = self._make_link()
            began = monotonic()
            end = await self._link.run()
            wait_s = self._restarts.wait_s(end, monotonic() - began)
            if wait_s is None or await self._closed_within(wait_s):
                return end

    def close(self) -> None:
        """End the running session, and start no other."""
        self._closing.set()
        if self._link is not None:
            self._link.close()

    async def _closed_within(self, wait_s: float) -> bool:
        if not self._closing.is_set():
            log.warning("the agent is started again in %g s", wait_s)
        try:
            async with asyncio.timeout(wait_s):
                await self._closing.wait()
        except TimeoutError:
            return False
        return True
