"""The frames that a device may send, as typed values.

Payloads whose shape is the sender's own business stay raw JSON; `protocol` reads them within the limits. Knows
nothing of sockets. Above: `decode` makes these from text. Unknown fields are ignored, for newer clients' sake.
"""

import msgspec
from msgspec import Raw

ABSENT = Raw(b"null")
"""Stands in a raw field that was not sent; a sent null means the same."""


class DeviceFrame(msgspec.Struct, frozen=True, tag_field="type", gc=False):
    """Base of all inbound frames: one JSON object with a `type`."""


class Connect(DeviceFrame, frozen=True, tag="connect"):
    """Who the client is and what it can do. `session_id` and `v` may come along and are not used."""

    device_id: str | None = None
    device_name: str | None = None
    capabilities: Raw = ABSENT


class RegisterTools(DeviceFrame, frozen=True, tag="register_tools"):
    """Tools to add, or the whole toolset when `replace` is set."""

    tools: Raw = ABSENT
    replace: bool = False


class UnregisterTools(DeviceFrame, frozen=True, tag="unregister_tools"):
    """Wire names of tools to take away (capability `cetp.unregister`)."""

    names: Raw = ABSENT


class Message(DeviceFrame, frozen=True, tag="message"):
    """What the user wrote; empty when `content` was no text."""

    content: str = ""
    debug: bool = False
    files: Raw = ABSENT
    attachments: Raw = ABSENT


class RegenerateAnswer(DeviceFrame, frozen=True, tag="regenerate"):
    """Answer the last user message again."""

    debug: bool = False


class AbortTurn(DeviceFrame, frozen=True, tag="abort"):
    """Stop the session's running turn."""


class ToolResult(DeviceFrame, frozen=True, tag="tool_result"):
    """Answer to a tool_call_request. `error` and the fields after it count when `success` is false."""

    id: str = ""
    output: str = ""
    success: bool = True
    error: str | None = None
    error_code: str | None = None
    resolution_hint: str | None = None
    authorize_intent: str | None = None


class ToolError(DeviceFrame, frozen=True, tag="tool_error"):
    """Answer to a tool_call_request that failed."""

    id: str = ""
    error: str | None = None
    error_code: str | None = None
    resolution_hint: str | None = None
    authorize_intent: str | None = None


class GetRegisteredTools(DeviceFrame, frozen=True, tag="get_registered_tools"):
    """Ask for the tools of this socket."""


class ApprovalResponse(DeviceFrame, frozen=True, tag="approval_response"):
    """A person's decision about a call (capability `cetp.approvals`)."""

    id: str = ""
    digest: str = ""
    decision: str = ""
    scope: str = "once"


class AskUserResponse(DeviceFrame, frozen=True, tag="ask_user_response"):
    """A person's answer to a model's question (capability `cetp.questions`). Of ClawSeed's fields, these count."""

    request_id: str = ""
    status: str = ""
    answer: str = ""


Frame = (
    Connect
    | RegisterTools
    | UnregisterTools
    | Message
    | RegenerateAnswer
    | AbortTurn
    | ToolResult
    | ToolError
    | GetRegisteredTools
    | ApprovalResponse
    | AskUserResponse
)

FRAME_TYPES: dict[str, type[Frame]] = {
    "connect": Connect,
    "register_tools": RegisterTools,
    "unregister_tools": UnregisterTools,
    "message": Message,
    "regenerate": RegenerateAnswer,
    "abort": AbortTurn,
    "tool_result": ToolResult,
    "tool_error": ToolError,
    "get_registered_tools": GetRegisteredTools,
    "approval_response": ApprovalResponse,
    "ask_user_response": AskUserResponse,
}
"""Every type that a device may send."""


class Unreadable(msgspec.Struct, frozen=True):
    """A text that is no frame of ours: the code and sentence of the `error` frame that answers it."""

    code: str
    message: str
