"""From the text of a WebSocket message to a frame; never raises.

The fast way is one typed decode. Only what that refuses goes the tolerant way, which treats a field of the wrong
type as absent, as existing clients are used to. Above: `link`. Below: `frames`.
"""

from typing import Any

import msgspec
from msgspec import UNSET, Raw, UnsetType

from cetp_gateway.devices.frames import FRAME_TYPES, Frame, Unreadable
from cetp_gateway.devices.text import utf8_bytes
from cetp_gateway.settings.limits import LimitSettings

TYPE_SHOWN_CHARS = 40
"""An unknown type is repeated in the error, but not at any length."""


class _Loose(msgspec.Struct, gc=False):
    """Every field that some frame knows, unread. Fields of nobody are skipped without costing an object each."""

    type: Raw | UnsetType = UNSET
    device_id: Raw | UnsetType = UNSET
    device_name: Raw | UnsetType = UNSET
    capabilities: Raw | UnsetType = UNSET
    tools: Raw | UnsetType = UNSET
    replace: Raw | UnsetType = UNSET
    names: Raw | UnsetType = UNSET
    content: Raw | UnsetType = UNSET
    debug: Raw | UnsetType = UNSET
    files: Raw | UnsetType = UNSET
    attachments: Raw | UnsetType = UNSET
    id: Raw | UnsetType = UNSET
    output: Raw | UnsetType = UNSET
    success: Raw | UnsetType = UNSET
    error: Raw | UnsetType = UNSET
    error_code: Raw | UnsetType = UNSET
    resolution_hint: Raw | UnsetType = UNSET
    authorize_intent: Raw | UnsetType = UNSET
    digest: Raw | UnsetType = UNSET
    decision: Raw | UnsetType = UNSET
    scope: Raw | UnsetType = UNSET
    request_id: Raw | UnsetType = UNSET
    status: Raw | UnsetType = UNSET
    answer: Raw | UnsetType = UNSET


_decode_frame = msgspec.json.Decoder(Frame).decode
_decode_loose = msgspec.json.Decoder(_Loose).decode
_decode_nothing = msgspec.json.Decoder(Raw).decode
_decode_text = msgspec.json.Decoder(str).decode
_FIELD_DECODERS: dict[str, msgspec.json.Decoder[Any]] = {
    f"{kind}.{field.name}": msgspec.json.Decoder(field.type)
    for kind, frame in FRAME_TYPES.items()
    for field in msgspec.structs.fields(frame)
}

MESSAGE_TOO_LARGE = "MESSAGE_TOO_LARGE"
NOT_JSON = Unreadable("INVALID_JSON", "The frame is not valid JSON, or is nested too deeply.")
NO_OBJECT = Unreadable("UNKNOWN_MESSAGE_TYPE", 'A frame must be a JSON object with a "type".')


def decode(text: str, limits: LimitSettings) -> Frame | Unreadable:
    """Read one message.

    Returns:
        the frame, or why it is none: MESSAGE_TOO_LARGE (`limits.message_bytes`), INVALID_JSON or
        UNKNOWN_MESSAGE_TYPE.
    """
    if len(text) * 4 > limits.message_bytes and utf8_bytes(text) > limits.message_bytes:
        return Unreadable(
            MESSAGE_TOO_LARGE, f"A frame may have {limits.message_bytes} bytes (limits.message_bytes) at most."
        )
    try:
        return _decode_frame(text)
    except msgspec.ValidationError:
        return _decode_tolerantly(text)
    except (ValueError, RecursionError):
        return NOT_JSON


def _decode_tolerantly(text: str) -> Frame | Unreadable:
    try:
        loose = _decode_loose(text)
    except msgspec.ValidationError:
        return NO_OBJECT if _is_json(text) else NOT_JSON
    except (ValueError, RecursionError):
        return NOT_JSON
    kind = _read(_decode_text, loose.type)
    if kind is UNSET:
        return NO_OBJECT
    frame = FRAME_TYPES.get(kind)
    if frame is None:
        return unknown_type(kind)
    return _build(frame, kind, loose)


def unknown_type(kind: str) -> Unreadable:
    """The answer to a frame of a type that does not exist here."""
    shown = msgspec.json.encode(kind[:TYPE_SHOWN_CHARS]).decode()
    return Unreadable("UNKNOWN_MESSAGE_TYPE", f"There is no frame type {shown}. Known are: {', '.join(FRAME_TYPES)}.")


def _is_json(text: str) -> bool:
    # The typed decoders stop at the first wrong type and have not looked at the rest.
    try:
        _decode_nothing(text)
    except (ValueError, RecursionError):
        return False
    return True


def _build(frame: type[Frame], kind: str, loose: _Loose) -> Frame:
    values = {}
    for name in frame.__struct_fields__:
        raw = getattr(loose, name)
        value = _read(_FIELD_DECODERS[f"{kind}.{name}"].decode, raw)
        if value is UNSET and name == "output":
            value = _json_text(raw)
        if value is not UNSET:
            values[name] = value
    return frame(**values)


def _read(decode_field: Any, raw: Raw | UnsetType) -> Any:
    """The value, or UNSET when it was not sent or is of another type."""
    if raw is UNSET:
        return UNSET
    try:
        return decode_field(raw)
    except (ValueError, RecursionError):
        return UNSET


def _json_text(raw: Raw | UnsetType) -> str | UnsetType:
    """An output that is no text counts as the JSON it was sent as, digit for digit; null as nothing."""
    if isinstance(raw, UnsetType) or bytes(raw) == b"null":
        return UNSET
    return bytes(raw).decode()
