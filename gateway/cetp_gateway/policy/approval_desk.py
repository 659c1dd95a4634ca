"""Gets a person's decision about one call, or finds that it was given before.

Above: `security_policy`. Below: `approvals`, `grants`, `audit_log`.
"""

import asyncio
import time
from typing import Final

import msgspec

from cetp_gateway.api import CallContext, Denied, ToolCall
from cetp_gateway.errors import StorageError
from cetp_gateway.policy.approval_request import ApprovalEnd, ApprovalScope, call_digest
from cetp_gateway.policy.approvals import Approvals, Decision
from cetp_gateway.policy.audit_entry import AuditEntry, moment
from cetp_gateway.policy.audit_log import AuditLog
from cetp_gateway.policy.grants import Grants
from cetp_gateway.policy.judgement import EFFECT_IN_WORDS
from cetp_gateway.policy.open_calls import OpenCall

NAME: Final = "approval"


class ApprovalDesk:
    """Knows the standing permissions and puts the questions."""

    def __init__(self, approvals: Approvals, grants: Grants, audit: AuditLog) -> None:
        self._approvals = approvals
        self._grants = grants
        self._audit = audit

    async def ask(
        self, call: ToolCall, context: CallContext, opened: OpenCall, *, always: bool
    ) -> CallContext | Denied:
        """The call's context when it may run: with a later deadline when a person took their time.

        Args:
            call: exactly as it would run.
            context: of the call.
            opened: told what let the call run.
            always: a rule wants a person each time, so no standing permission counts.
        """
        grant = None if always else self._grants.covers(call, context.session_id)
        if grant is not None:
            opened.decision, opened.by = "grant", grant.id
            return context
        digest, loop = call_digest(call, context), asyncio.get_running_loop()
        began = loop.time()
        decision = await self._approvals.ask(
            call,
            context,
            reason=_reason(call, always=always),
            scopes=_scopes(context, always=always),
            within_s=None if context.patient else context.deadline - began,
        )
        opened.decision, opened.by = ("person", decision.by) if decision.by else ("policy", NAME)
        self._note(call, context, decision)
        refusal = await self._refusal(call, context, decision, digest)
        if refusal:
            return Denied(refusal, NAME)
        waited_s = loop.time() - began if context.patient else 0.0
        return msgspec.structs.replace(context, deadline=context.deadline + waited_s)

    async def _refusal(self, call: ToolCall, context: CallContext, decision: Decision, digest: str) -> str:
        """Why the call may not run; a yes beyond this call is remembered on the way."""
        if decision.end is ApprovalEnd.DENIED:
            return "The user was asked and said no. Do not try it again unless the user wants it."
        if decision.end is not ApprovalEnd.ALLOWED and self._approvals.nobody_because:
            return f"This call needs a person's approval, and {self._approvals.nobody_because}."
        if decision.end is not ApprovalEnd.ALLOWED:
            return (
                f"This call needs the user's approval, and nobody gave it within {self._approvals.timeout_s:g} s. The "
                "user can give it in an app that shows approvals or with `cetp approvals`; tell them, then try again."
            )
        if call_digest(call, context) != digest:
            return "The call is not the one that the user was shown any more."
        try:
            if decision.scope is not ApprovalScope.ONCE:
                session_id = context.session_id if decision.scope is ApprovalScope.SESSION else ""
                await self._grants.add(call, by=decision.by, session_id=session_id)
        except StorageError as error:
            return f"The approval could not be stored. {error.message}"
        return ""

    def _note(self, call: ToolCall, context: CallContext, decision: Decision) -> None:
        self._audit.note(
            AuditEntry(
                at=moment(time.time()),
                kind="approval",
                call_id=context.call_id,
                caller=context.caller,
                client=context.client,
                session=context.session_id,
                tool=call.tool.name,
                effect=call.tool.effect.value,
                decision=f"{decision.end}, {decision.scope}" if decision.end is ApprovalEnd.ALLOWED else decision.end,
                by=decision.by,
            )
        )


def _reason(call: ToolCall, *, always: bool) -> str:
    if always:
        return "A rule in policy.always_ask wants a person for this tool each time."
    return f"The agent may not do this on its own: {EFFECT_IN_WORDS[call.tool.effect]}."


def _scopes(context: CallContext, *, always: bool) -> tuple[ApprovalScope, ...]:
    if always:
        return (ApprovalScope.ONCE,)
    if not context.session_id:
        return (ApprovalScope.ONCE, ApprovalScope.ALWAYS)
    return (ApprovalScope.ONCE, ApprovalScope.SESSION, ApprovalScope.ALWAYS)
