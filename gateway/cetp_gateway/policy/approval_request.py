"""A question to a person: may exactly this call run? Values and plain functions.

Above: `approvals`. Below: api.
"""

import hashlib
from enum import StrEnum
from typing import Any

import msgspec

from cetp_gateway.api import CallContext, Effect, ToolCall
from cetp_gateway.policy.audit_entry import arguments_text


class ApprovalScope(StrEnum):
    """How far a person's yes reaches."""

    ONCE = "once"
    SESSION = "session"
    """This tool, as it is now, for the rest of the session; until the gateway ends."""
    ALWAYS = "always"
    """This tool, as it is now, until it is revoked."""


class ApprovalEnd(StrEnum):
    """What came of a question."""

    ALLOWED = "allowed"
    DENIED = "denied"
    EXPIRED = "expired"
    """Nobody answered in time, which is a no."""
    CANCELLED = "cancelled"
    """Nobody waits for the answer any more."""


class ApprovalRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What is shown to whoever may decide."""

    id: str
    digest: str
    """SHA-256, hex, over the call: its id, session, tool with its whole definition, and arguments. The answer repeats
    it, so that what was shown is what is decided, and it is compared once more when the call runs."""
    tool: str
    """Public name."""
    arguments: dict[str, Any]
    effect: Effect
    device: str
    app: str
    reason: str
    """Why a person is asked, as a sentence."""
    caller: str
    client: str
    session_id: str
    scopes: tuple[ApprovalScope, ...]
    """What may be answered."""
    created_at: float
    """Seconds since the epoch."""
    expires_at: float


def call_digest(call: ToolCall, context: CallContext) -> str:
    """The hash to which an answer is bound."""
    head = f"{context.call_id}\0{context.session_id}\0{definition_digest(call)}\0".encode("utf-8", "replace")
    return hashlib.sha256(head + arguments_text(call.arguments)).hexdigest()


def definition_digest(call: ToolCall) -> str:
    """Hash over all that makes a tool what a person has seen: its name, where it comes from, what it says of itself.
    A tool that changes any of it has to be allowed anew.
    """
    return hashlib.sha256(arguments_text(msgspec.to_builtins(call.tool))).hexdigest()
