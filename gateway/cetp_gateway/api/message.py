"""What is said between the gateway and a model, in no vendor's words."""

from typing import Any

import msgspec


class UserMessage(msgspec.Struct, frozen=True, tag="user"):
    """What a person wrote."""

    text: str


class ToolUse(msgspec.Struct, frozen=True):
    """One call that the model asks for."""

    id: str
    """The model's own id, unique within the conversation."""
    name: str
    arguments: Any
    """Decoded JSON; an object unless `problem` says otherwise."""
    problem: str = ""
    """Why the arguments could not be read (not JSON, not an object); the tool is then not run."""


class AssistantMessage(msgspec.Struct, frozen=True, tag="assistant"):
    """What the model said in one step: text, calls, or both."""

    text: str
    calls: tuple[ToolUse, ...] = ()
    replay: str = ""
    """The vendor's own JSON of this message, when it must come back verbatim (signed reasoning); only the
    adapter named in it reads it."""


class ToolResult(msgspec.Struct, frozen=True):
    """The text that the model is given for one call."""

    call_id: str
    name: str
    text: str
    is_error: bool = False


class ToolResults(msgspec.Struct, frozen=True, tag="tool_results"):
    """The results of all calls of the assistant message before it, in the same order."""

    results: tuple[ToolResult, ...]


Message = UserMessage | AssistantMessage | ToolResults
