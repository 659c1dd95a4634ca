"""The policy: what an agent may do, who decides about the rest and is asked, and the trail of what was done.

Above: `assemble`, the server, the command line. Below: api, settings, storage, errors. Knows nothing of the agent,
sessions or sockets: it is handed calls, as every hook is.
"""

from cetp_gateway.policy.approval_request import ApprovalEnd, ApprovalRequest, ApprovalScope
from cetp_gateway.policy.approvals import AnswerStatus, Approvals, Decision
from cetp_gateway.policy.audit_chain import Stretch, Verified, verify
from cetp_gateway.policy.audit_entry import AuditEntry
from cetp_gateway.policy.audit_log import AuditLog
from cetp_gateway.policy.audit_reader import AuditReader, NumberedEntry
from cetp_gateway.policy.commands import CommandRules
from cetp_gateway.policy.grants import Grant, Grants
from cetp_gateway.policy.levels import Levels, levels_of_clients
from cetp_gateway.policy.parts import PolicyParts, open_policy
from cetp_gateway.policy.questions import Question, QuestionEnd, Questions, Reply, ReplyStatus
from cetp_gateway.policy.security_policy import SecurityPolicy
from cetp_gateway.policy.session_tools import SessionTools

__all__ = [
    "AnswerStatus",
    "ApprovalEnd",
    "ApprovalRequest",
    "ApprovalScope",
    "Approvals",
    "AuditEntry",
    "AuditLog",
    "AuditReader",
    "CommandRules",
    "Decision",
    "Grant",
    "Grants",
    "Levels",
    "NumberedEntry",
    "PolicyParts",
    "Question",
    "QuestionEnd",
    "Questions",
    "Reply",
    "ReplyStatus",
    "SecurityPolicy",
    "SessionTools",
    "Stretch",
    "Verified",
    "levels_of_clients",
    "open_policy",
    "verify",
]
