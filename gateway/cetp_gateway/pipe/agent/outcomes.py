"""What became of a command, as the outcome of a tool call. Plain functions of values.

Whatever a page or a host says is data to the model: the tools have an origin, so the agent wraps it.
"""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from cetp_gateway.api import Answered, DeviceGone, Outcome, Refused
from cetp_gateway.pipe.values import Done, Ended, Failed
from cetp_spec.pipe import PipeCode

BROWSER: Final = "browser"
"""What the tools' answers name as their device."""

DETAILS_CHARS: Final = 2000
"""Of a failure's details, which may tell a dialog's text."""

_HINTS: Final[Mapping[str, str]] = {
    PipeCode.CMD_SELECTOR_TIMEOUT: "browser_list_elements lists what there is, with a selector for each.",
    PipeCode.CMD_SELECTOR_AMBIGUOUS: "Take a selector that fits one element; browser_list_elements has one for each.",
    PipeCode.CMD_FRAME_NOT_FOUND: "browser_list_elements names the frame of each element.",
    PipeCode.MAC_DOMAIN_NOT_ALLOWED: "The browser's host forbids this domain; only its owner can change that.",
    PipeCode.MAC_ACTION_NOT_ALLOWED: "The browser's host does not offer this; use another tool.",
    PipeCode.INTERNAL_CIRCUIT_OPEN: "It failed too often in a row. Do something else meanwhile, or tell the user.",
}


def outcome_of(ended: Ended, *, domain: str, moved_to: str) -> Outcome:
    """For the model.

    Args:
        ended: of the command.
        domain: for which it was signed.
        moved_to: where the page is now, when that is elsewhere.
    """
    if isinstance(ended, Done):
        return Answered(_json({"domain": domain, **ended.result}))
    if ended.code == PipeCode.PIPE_CLOSED:
        return DeviceGone(BROWSER)
    return Refused(ended.code, _message(ended), _hint(ended.code, moved_to))


def _message(failed: Failed) -> str:
    if not failed.details:
        return failed.message
    return f"{failed.message} {_json(failed.details)[:DETAILS_CHARS]}"


def _hint(code: str, moved_to: str) -> str:
    if code != PipeCode.MAC_DOMAIN_MISMATCH:
        return _HINTS.get(code, "")
    if moved_to:
        return f"Nothing works until you have looked: browser_get_page looks at {moved_to}, browser_navigate leaves it."
    return "Only browser_navigate works now; go to the address that is wanted."


def _json(value: dict[str, Any]) -> str:
    return msgspec.json.encode(value).decode()
