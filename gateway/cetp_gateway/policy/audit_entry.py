"""One line of the audit trail. Values and plain functions.

Above: `audit_log`. Below: api.
"""

import hashlib
from datetime import UTC, datetime
from typing import Any, Final, Literal

import msgspec

from cetp_gateway.api import Answered, CallContext, Outcome, ToolCall

Kind = Literal["started", "call", "approval", "grant", "revoked", "autonomy", "tools", "pruned", "lost"]
"""started: a call that does more than read is about to run; call: one has ended; approval: a person was asked, and this
came of it; grant, revoked: a standing permission; autonomy: a session's level; pruned: older entries were removed up to
and with `through`; lost: so many entries could not be written.
"""
CONTENT_CHARS: Final = 100_000
"""Of arguments and result each, when content is kept; their hashes are those of the whole."""


class AuditEntry(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is written down; fields that do not apply are left out."""

    at: datetime
    kind: Kind
    call_id: str = ""
    caller: str = ""
    client: str = ""
    session: str = ""
    tool: str = ""
    effect: str = ""
    device: str = ""
    app: str = ""
    arguments_sha256: str = ""
    """Of the arguments as JSON with sorted keys."""
    result_sha256: str = ""
    """Of the tool's output in UTF-8."""
    decision: str = ""
    """What let the call run or kept it back: `policy`, `grant`, `person`, `hook`; of an approval, what was decided."""
    by: str = ""
    """Who decided: a hook's name, a grant's id, a client."""
    outcome: str = ""
    reason: str = ""
    ms: float = 0.0
    """From the first hook to the outcome, a person's thinking included."""
    through: int = 0
    seal: str = ""
    """Of a removed stretch, the seal of its end."""
    count: int = 0
    arguments: str = ""
    """JSON text; only with `audit.content`."""
    result: str = ""


class EndedCall(msgspec.Struct, gc=False):
    """A call that has ended or is about to run, as it is handed to the trail."""

    kind: Kind
    call: ToolCall
    context: CallContext
    outcome: Outcome | None
    decision: str
    by: str
    at: float
    """When it ended or was about to run: seconds since the epoch."""
    took_s: float

    @property
    def chars(self) -> int:
        """About how much it holds on to."""
        return len(self.outcome.output) if isinstance(self.outcome, Answered) else 0


_encode = msgspec.json.Encoder(order="deterministic").encode


def entry_of(ended: EndedCall, *, content: bool) -> AuditEntry:
    """The line for a call."""
    tool, origin, context = ended.call.tool, ended.call.tool.origin, ended.context
    arguments = arguments_text(ended.call.arguments)
    output = ended.outcome.output if isinstance(ended.outcome, Answered) else ""
    reason = getattr(ended.outcome, "reason", "")
    return AuditEntry(
        at=moment(ended.at),
        kind=ended.kind,
        call_id=context.call_id,
        caller=context.caller,
        client=context.client,
        session=context.session_id,
        tool=tool.name,
        effect=tool.effect.value,
        device=origin.device if origin else "",
        app=origin.app if origin else "",
        arguments_sha256=hashlib.sha256(arguments).hexdigest(),
        result_sha256=hashlib.sha256(output.encode("utf-8", "replace")).hexdigest() if output else "",
        decision=ended.decision,
        by=ended.by,
        outcome=ended.outcome.__struct_config__.tag if ended.outcome is not None else "",  # type: ignore[arg-type]
        reason=_well_formed(reason) if reason else "",
        ms=int(ended.took_s * 1e6) / 1000,
        arguments=arguments.decode()[:CONTENT_CHARS] if content else "",
        result=_well_formed(output[:CONTENT_CHARS]) if content else "",
    )


def arguments_text(arguments: dict[str, Any]) -> bytes:
    """A call's arguments as JSON with sorted keys; equal arguments give equal text."""
    try:
        return _encode(arguments)
    except (ValueError, TypeError, RecursionError):
        # Halves of characters and the like, which no device can be sent either.
        return repr(arguments).encode("utf-8", "backslashreplace")


def moment(at: float) -> datetime:
    """Seconds since the epoch as a time with a zone."""
    return datetime.fromtimestamp(at, UTC)


def _well_formed(text: str) -> str:
    return text.encode("utf-8", "replace").decode()
