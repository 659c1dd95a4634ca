"""What a phone says when a call has failed, as an Outcome.

Bridges write `[CODE] message — hint` (spec 6 has the codes) into one text; ours sends the parts as fields of their
own beside it. Everything here is a plain function. Above: `protocol`. Below: `frames`.
"""

import re

from cetp_gateway.api import Answered, Outcome, Refused
from cetp_gateway.devices.frames import ToolError, ToolResult

UNEXPLAINED = "The device reported an error without saying which."
PLAIN_ERROR = "INTERNAL_ERROR"
"""Code of an error text that names none."""

_CODE = re.compile(r"[A-Z][A-Z0-9_]{0,63}")
_TEXT = re.compile(r"\[([A-Z][A-Z0-9_]{0,63})\] (.*)", re.DOTALL)
_BEFORE_HINT = " — "


def outcome_of(frame: ToolResult | ToolError) -> Outcome:
    """What became of the call that this frame answers."""
    if isinstance(frame, ToolResult):
        if frame.success:
            return Answered(frame.output)
        return _refusal(frame, frame.error or frame.output)
    return _refusal(frame, frame.error or "")


def parse_refusal(text: str) -> Refused:
    """`[CODE] message — hint` in its parts. Joined again they give `text`; a text of another form is all message."""
    found = _TEXT.fullmatch(text)
    if found is None:
        return Refused(PLAIN_ERROR, text or UNEXPLAINED)
    code, rest = found.groups()
    message, dash, hint = rest.rpartition(_BEFORE_HINT)
    return Refused(code, message, hint) if dash and hint else Refused(code, rest)


def _refusal(frame: ToolResult | ToolError, text: str) -> Refused:
    code = frame.error_code or ""
    hint, intent = frame.resolution_hint or "", frame.authorize_intent or ""
    if not _CODE.fullmatch(code):
        said = parse_refusal(text)
        return Refused(said.code, said.message, hint or said.hint, intent)
    message = text.removeprefix(f"[{code}] ")
    if message != text and hint:
        # The provider's own dashes stay in its message: only the hint that came as a field is taken off.
        message = message.removesuffix(_BEFORE_HINT + hint)
    return Refused(code, message or UNEXPLAINED, hint, intent)
