"""The browser at the other end of the pipe, as its tools use it: which domain a call is for, its time, its record.

Above: `hook`, `tools`. Below: `AgentLink`, `rules`, `seen`, `order`.
"""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, Final

from cetp_gateway.api import CallContext, Outcome, Refused, TimedOut
from cetp_gateway.pipe.agent.order import Order, Place
from cetp_gateway.pipe.agent.outcomes import outcome_of
from cetp_gateway.pipe.agent.patience import within
from cetp_gateway.pipe.agent.rules import DomainRules
from cetp_gateway.pipe.agent.seen import Seen
from cetp_gateway.pipe.agent.trail import CommandRecord, Trail, shown_params
from cetp_gateway.pipe.agent_link import AgentLink
from cetp_gateway.pipe.browser import domain_of
from cetp_gateway.pipe.values import Done, Ended
from cetp_gateway.settings.pipe import PipeSettings
from cetp_spec.pipe import actions

WAIT_FOR_EARLIER: Final = "EARLIER_CALL_WAITS"
EARLIER_FAILED: Final = "EARLIER_CALL_FAILED"
"""Codes of our own: calls that were not sent because of others of the same step."""


class NotPossible(Exception):
    """There is no domain for which the call could be signed; the text says what to do."""


class Browser:
    """One session with a host."""

    def __init__(self, link: AgentLink, settings: PipeSettings) -> None:
        self.link = link
        self.rules = DomainRules(settings)
        self.order = Order()
        self.trail = Trail()
        self._settings = settings
        self._seen = Seen()

    def domain_for(self, action: str, params: Mapping[str, Any], session_id: str) -> str:
        """The domain for which a call is signed: what the session has seen, and for `navigate` where it leads.

        Raises:
            NotPossible: no page was opened, the address has no domain, or the owner's rules forbid it.
        """
        domain = self._domain(action, params, session_id)
        if objection := self.rules.objection(domain):
            raise NotPossible(objection)
        return domain

    async def run(self, action: str, params: Mapping[str, Any], place: Place, context: CallContext) -> Outcome:
        """Carry one call out once those before it have ended; ends by the context's deadline."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        try:
            async with asyncio.timeout_at(context.deadline):
                await place.turn()
        except TimeoutError:
            return Refused(WAIT_FOR_EARLIER, "An earlier call of this step has not ended, so this one was not sent.")
        if place.follows_failure and actions()[action].effect != "reads":
            return Refused(
                EARLIER_FAILED,
                "An earlier call of this step was not done, so this one was not sent.",
                "Look at the page, then decide anew.",
            )
        try:
            async with asyncio.timeout_at(context.deadline):
                return await self._run(action, params, place.domain, context)
        except TimeoutError:
            return TimedOut(round(context.deadline - began, 3))

    def _domain(self, action: str, params: Mapping[str, Any], session_id: str) -> str:
        if action == "navigate":
            domain = domain_of(params["url"])
            if domain is None:
                raise NotPossible("url: it must be an absolute http or https address with a plain host.")
            return domain
        view = self._seen.of(session_id)
        domain = view.moved_to if action == "getPage" and view.moved_to else view.domain
        if not domain:
            raise NotPossible("No page was open when this was asked. Call browser_navigate alone, then this.")
        return domain

    async def _run(self, action: str, params: Mapping[str, Any], domain: str, context: CallContext) -> Outcome:
        loop = asyncio.get_running_loop()
        began, last = loop.time(), self.link.last_seq
        fitted = within(action, params, context.deadline - began, self._settings)
        ended: Ended | None = None
        try:
            ended = await self.link.command(action, fitted, domain)
        finally:
            seq = range(last + 1, self.link.last_seq + 1)
            self._record(action, params, domain=domain, ended=ended, seq=seq, took_s=loop.time() - began)
        self._seen.note(context.session_id, action, domain, ended)
        return outcome_of(ended, domain=domain, moved_to=self._seen.of(context.session_id).moved_to)

    def _record(
        self,
        action: str,
        params: Mapping[str, Any],
        *,
        domain: str,
        ended: Ended | None,
        seq: Sequence[int],
        took_s: float,
    ) -> None:
        outcome = "given up" if ended is None else "done" if isinstance(ended, Done) else ended.code
        self.trail.add(
            CommandRecord(
                seq=tuple(seq),
                action=action,
                domain=domain,
                params=shown_params(action, params),
                outcome=outcome,
                ms=round(took_s * 1000, 1),
            )
        )
