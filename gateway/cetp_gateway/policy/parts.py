"""The policy as a whole, from its settings and the database.

Above: `assemble`. Below: everything here.
"""

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Literal

import msgspec

from cetp_gateway.policy.action_limit import HOUR_S, ActionLimit
from cetp_gateway.policy.approval_desk import ApprovalDesk
from cetp_gateway.policy.approvals import Approvals
from cetp_gateway.policy.audit_entry import AuditEntry, moment
from cetp_gateway.policy.audit_log import AuditLog
from cetp_gateway.policy.audit_reader import AuditReader
from cetp_gateway.policy.grants import Grants
from cetp_gateway.policy.levels import Levels
from cetp_gateway.policy.past_actions import past_actions
from cetp_gateway.policy.questions import Questions
from cetp_gateway.policy.security_policy import SecurityPolicy
from cetp_gateway.policy.session_tools import SessionTools
from cetp_gateway.settings.policy import PolicySettings
from cetp_gateway.settings.schema import Settings
from cetp_gateway.storage import Database


class PolicyParts(msgspec.Struct, frozen=True, kw_only=True):
    """What the gateway's other rooms need of the policy."""

    guard: SecurityPolicy
    levels: Levels
    tools: SessionTools
    approvals: Approvals
    questions: Questions
    """Of models to the person."""
    grants: Grants
    audit: AuditLog
    trail: AuditReader
    limit: ActionLimit

    def use(self, settings: PolicySettings) -> None:
        """Hold to other rules from the next decision on. Raises SettingsError and changes nothing."""
        self.levels.use(settings)
        self.guard.use(settings)
        self.limit.use(settings.max_actions_per_hour)
        self.approvals.use(
            timeout_s=settings.approval_timeout_s, most=settings.max_open_approvals, approvers=settings.approvers
        )
        self.questions.use(most=settings.max_open_approvals, approvers=settings.approvers)

    def forget_session(self, session_id: str) -> None:
        """A session was deleted: what was allowed in it does not pass to another of the same id."""
        self.levels.forget(session_id)
        self.tools.forget(session_id)
        self.grants.forget_session(session_id)

    def waits_for_person(self, session_id: str) -> bool:
        """Does something in this session wait for a person, be it for a decision or for an answer?"""
        return self.approvals.is_waiting(session_id) or self.questions.is_waiting(session_id)

    def ask_nobody(self) -> None:
        """The gateway ends: nothing waits for a person any more."""
        self.approvals.close()
        self.questions.close()

    def note(
        self, kind: Literal["revoked", "autonomy", "tools"], *, by: str, tool: str = "", session: str = "", to: str
    ) -> None:
        """Write down what a person has changed, outside any call."""
        entry = AuditEntry(at=moment(time.time()), kind=kind, by=by, tool=tool, session=session, decision=to)
        self.audit.note(entry)


@asynccontextmanager
async def open_policy(settings: Settings, database: Database) -> AsyncIterator[PolicyParts]:
    """Load what lasts, and write the audit trail until the end of the block.

    Raises:
        StorageError: the database cannot be used.
        SettingsError: a rule of `policy.clients` or `policy.allowed_commands` cannot be read.
    """
    policy = settings.policy
    levels = await Levels.load(database, policy)
    tools = await SessionTools.load(database)
    grants = await Grants.load(database)
    limit = ActionLimit(policy.max_actions_per_hour, time.time)
    since = time.time() - HOUR_S
    limit.fill(await database.read(lambda connection: past_actions(connection, since=since)))
    approvals = Approvals(
        timeout_s=policy.approval_timeout_s, most=policy.max_open_approvals, approvers=policy.approvers
    )
    questions = Questions(most=policy.max_open_approvals, approvers=policy.approvers)
    async with AuditLog.opened(database, settings.audit) as audit:
        desk = ApprovalDesk(approvals, grants, audit)
        try:
            yield PolicyParts(
                guard=SecurityPolicy(policy, levels=levels, tools=tools, limit=limit, desk=desk, audit=audit),
                levels=levels,
                tools=tools,
                approvals=approvals,
                questions=questions,
                grants=grants,
                audit=audit,
                trail=AuditReader(database, audit),
                limit=limit,
            )
        finally:
            approvals.close()
            questions.close()
