"""Asks the person at a terminal about calls of their conversation (spec 13.4, `cetp.approvals`).

Above: chat. Knows no socket: frames in, answers out.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from cetp_gateway.cli.approvals import describe_call
from cetp_gateway.cli.turn_printer import TurnPrinter

Frame = dict[str, Any]

_CHOICES: Final = {"y": "once", "s": "session", "a": "always"}
_WORDS: Final = {"once": "[y]es", "session": "yes for this [s]ession", "always": "[a]lways"}
_TOO_LATE: Final = {
    "too_late": "(Too late: it is decided already.)",
    "mismatch": "(The call is not the one that was shown.)",
    "not_allowed": "(You may not decide here: policy.approvers.)",
}


class ApprovalPrompt:
    """Takes every frame of a conversation.

    Args:
        printer: shows remarks.
        ask: reads a line, as `input` does.
    """

    def __init__(self, printer: TurnPrinter, ask: Callable[[str], str] = input) -> None:
        self._printer = printer
        self._ask = ask
        self._session_id = ""

    def take(self, frame: Mapping[str, Any]) -> Frame | None:
        """The answer to a question about this conversation's own call. EOFError, KeyboardInterrupt: the person left."""
        match frame["type"]:
            case "session_start":
                self._session_id = frame["session_id"]
            case "approval_request" if frame.get("session_id") == self._session_id:
                return self._decide(frame)
            case "approval_ack" if frame["status"] in _TOO_LATE:
                self._printer.note(_TOO_LATE[frame["status"]])
            case "approval_closed" if frame["decision"] == "expired":
                self._printer.note("(Nobody decided in time, which is a no.)")
        return None

    def _decide(self, frame: Mapping[str, Any]) -> Frame:
        self._printer.note(describe_call({**frame, "arguments": frame["args"]}))
        offered = [scope for scope in _WORDS if scope in frame["scopes"]]
        words = ", ".join(_WORDS[scope] for scope in offered)
        said = self._ask(f"Allow this call? {words}, [N]o: ").strip().lower()[:1]
        answer: Frame = {"type": "approval_response", "id": frame["id"], "digest": frame["digest"], "decision": "deny"}
        scope = _CHOICES.get(said)
        return answer | {"decision": "allow", "scope": scope} if scope in offered else answer
