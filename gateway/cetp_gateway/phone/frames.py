"""The frames that cross the phone's socket (spec 13): inbound ones typed, outbound ones encoded.

What a gateway sends is hostile until decoded here; a frame that does not fit is a value, never an exception.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from cetp_gateway.phone.replies import Bundle

CAPABILITIES = (
    "cetp.registration",
    "cetp.unregister",
    "cetp.cancel",
    "cetp.deadline",
    "cetp.shared",
    "cetp.read_only",
    "cetp.notices",
)
"""What this phone can do beyond the common frames (spec 13.4)."""


class Limits(msgspec.Struct, frozen=True):
    """What the gateway takes; 0 where it does not say."""

    message_bytes: int = 0
    """UTF-8 bytes of one frame."""


class SessionStart(msgspec.Struct, frozen=True):
    """The gateway's first frame."""

    session_id: str = ""


class Connected(msgspec.Struct, frozen=True):
    """The answer to `connect`."""

    capabilities: list[str] = []
    limits: Limits = Limits()


class Verdict(msgspec.Struct, frozen=True):
    """What became of one registered tool."""

    name: str
    state: str
    public_name: str = ""
    reason: str = ""


class ToolsRegistered(msgspec.Struct, frozen=True):
    """The answer to one registration frame; verdicts only from gateways that give them."""

    count: int = 0
    registered: int = 0
    tools: list[Verdict] = []


class CallRequest(msgspec.Struct, frozen=True):
    """Run a tool."""

    id: str
    name: str
    args: msgspec.Raw = msgspec.Raw(b"{}")
    """JSON text, passed on as it came: the app reads it. An object, unless the gateway is at fault."""
    deadline_ms: Any = None
    """Milliseconds left when the frame was sent."""


class CallCancel(msgspec.Struct, frozen=True):
    """Nobody waits for this call any more."""

    id: str


class GatewayError(msgspec.Struct, frozen=True):
    """The gateway did not like a frame."""

    message: str = ""
    code: str = ""


class Other(msgspec.Struct, frozen=True):
    """A frame that the phone has no use for."""

    type: str


class Unreadable(msgspec.Struct, frozen=True):
    """A message that is no frame, and why."""

    reason: str


Inbound = SessionStart | Connected | ToolsRegistered | CallRequest | CallCancel | GatewayError | Other | Unreadable


class _Envelope(msgspec.Struct):
    type: str


_envelope = msgspec.json.Decoder(_Envelope)
_decoders: dict[str, msgspec.json.Decoder[Any]] = {
    kind: msgspec.json.Decoder(struct)
    for kind, struct in {
        "session_start": SessionStart,
        "connected": Connected,
        "tools_registered": ToolsRegistered,
        "tool_call_request": CallRequest,
        "tool_call_cancel": CallCancel,
        "error": GatewayError,
    }.items()
}


def decode(message: str | bytes) -> Inbound:
    """Read one message. Binary messages are no frames."""
    if isinstance(message, bytes):
        return Unreadable("a binary message")
    try:
        kind = _envelope.decode(message).type
        decoder = _decoders.get(kind)
        frame: Inbound = decoder.decode(message) if decoder else Other(kind)
    except (msgspec.DecodeError, RecursionError) as error:
        return Unreadable(str(error))
    return frame


def connect(device_name: str, device_id: str, capabilities: Sequence[str]) -> bytes:
    """Who is there; without an id and with the one old capability as the original client sends it."""
    identity = {"device_id": device_id} if device_id else {}
    return _encode("connect", v=1, **identity, device_name=device_name, capabilities=list(capabilities))


def call_answer(call_id: str, bundle: Bundle, *, extended: bool) -> bytes:
    """The answer to a call: `tool_result` or `tool_error`, the latter with separate fields when `extended`."""
    if bundle["status"] == "success":
        return _encode("tool_result", id=call_id, output=bundle["data"], success=True)
    details = {key: bundle[key] for key in _DETAILS if key in bundle} if extended else {}
    return _encode("tool_error", id=call_id, error=error_text(bundle), success=False, **details)


_DETAILS = ("error_code", "resolution_hint", "authorize_intent")


def error_text(bundle: Mapping[str, str]) -> str:
    """`[CODE] message — hint`, as existing gateways know it."""
    hint = bundle.get("resolution_hint", "")
    return f"[{bundle['error_code']}] {bundle['error_message']}" + (f" — {hint}" if hint else "")


def _encode(kind: str, **fields: Any) -> bytes:
    return msgspec.json.encode({"type": kind, **fields})
