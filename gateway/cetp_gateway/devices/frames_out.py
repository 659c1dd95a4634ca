"""The frames that go to a device: one function each, giving the text to send.

What existing clients demand holds for all: one JSON object, no field of ours is ever null (absent instead), texts
are texts, numbers whole, `args` an object. Above: `link`, and whoever renders a turn. Knows nothing of sockets.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from cetp_gateway.api import Arguments, OfferedTool, ToolVerdict, Usage
from cetp_gateway.devices.capabilities import Capability
from cetp_gateway.devices.text import well_formed
from cetp_gateway.settings.limits import LimitSettings

PROTOCOL_VERSION = 1
LIMITS_TOLD = (
    "message_bytes",
    "calls_per_device",
    "tools_per_device",
    "schema_bytes",
    "schema_depth",
    "schema_refs",
    "description_chars",
    "result_chars",
)
"""Limits that a client with our extensions is told, under the names they have in the settings."""

_encode = msgspec.json.Encoder().encode


class _ToolCallRequest(msgspec.Struct, tag="tool_call_request", tag_field="type", omit_defaults=True, gc=False):
    id: str
    name: str
    args: Arguments
    deadline_ms: int = 0
    call_id: str = ""


class _ResultAcknowledged(msgspec.Struct, tag="result_acknowledged", tag_field="type", gc=False):
    id: str


def tool_call_request(
    request_id: str, name: str, arguments: Arguments, *, deadline_ms: int = 0, call_id: str = ""
) -> str:
    """Run a tool. `deadline_ms` and `call_id` are for clients with `cetp.deadline`.

    Raises:
        ValueError, TypeError, RecursionError: the arguments cannot be written as JSON.
    """
    return _encode(_ToolCallRequest(request_id, name, arguments, deadline_ms, call_id)).decode()


def tool_call_cancel(request_id: str) -> str:
    """Nobody waits for this call any more (`cetp.cancel`)."""
    return _frame("tool_call_cancel", id=request_id)


def result_acknowledged(request_id: str) -> str:
    """An answer came in; says nothing about its use."""
    return _encode(_ResultAcknowledged(request_id)).decode()


def session_start(session_id: str, *, resumed: bool, message_count: int, name: str = "", persona: str = "") -> str:
    """The first frame of every socket."""
    optional = {key: value for key, value in (("name", name), ("persona", persona)) if value}
    return _frame(
        "session_start",
        v=PROTOCOL_VERSION,
        session_id=session_id,
        resumed=resumed,
        message_count=message_count,
        **optional,
    )


def connected(capabilities: Collection[Capability], limits: LimitSettings) -> str:
    """Answer to connect; with capabilities and limits only for a client that has some of ours."""
    if not capabilities:
        return _frame("connected", v=PROTOCOL_VERSION, message="ok")
    told = {name: getattr(limits, name) for name in LIMITS_TOLD}
    return _frame("connected", v=PROTOCOL_VERSION, message="ok", capabilities=sorted(capabilities), limits=told)


def tools_registered(
    count: int, registered: int, *, verdicts: Sequence[ToolVerdict] | None = None, revision: int = 0
) -> str:
    """Answer to register_tools and unregister_tools: entries received, names now held for this socket.
    `verdicts` and `revision` are for clients with `cetp.registration`.
    """
    if verdicts is None:
        return _frame("tools_registered", count=count, registered=registered)
    tools = [_verdict(verdict) for verdict in verdicts]
    return _frame("tools_registered", count=count, registered=registered, tools=tools, revision=revision)


def registered_tools(tools: Iterable[OfferedTool]) -> str:
    """Answer to get_registered_tools: this socket's tools, as they were sent."""
    rows = [{"name": tool.name, "description": tool.description, "parameters": tool.parameters} for tool in tools]
    return _frame("registered_tools", tools=rows)


def tools_changed(revision: int) -> str:
    """Somebody's tools have changed (`cetp.notices`)."""
    return _frame("tools_changed", revision=revision)


def approval_request(
    request_id: str, *, tool: str, arguments: Arguments, expires_in_ms: int, **more: str | Sequence[str]
) -> str:
    """A person has to decide about this call (`cetp.approvals`). `more` is what else the question says; empty texts are
    left out.
    """
    told = {key: value for key, value in more.items() if value}
    return _frame(
        "approval_request", id=request_id, tool=tool, args=arguments, expires_in_ms=max(0, expires_in_ms), **told
    )


def approval_closed(request_id: str, decision: str, by: str = "") -> str:
    """Nobody needs to decide about this call any more (`cetp.approvals`)."""
    told = {"by": by} if by else {}
    return _frame("approval_closed", id=request_id, decision=decision, **told)


def approval_ack(request_id: str, status: str) -> str:
    """What became of an `approval_response`."""
    return _frame("approval_ack", id=request_id, status=status)


def ask_user_request(
    request_id: str,
    *,
    question: str,
    choices: Sequence[str],
    only_choices: bool,
    expires_in_ms: int,
    **more: str,
) -> str:
    """A model asks the person (`cetp.questions`). `more` is what else is known; empty texts are left out."""
    told = {key: value for key, value in more.items() if value}
    options = [{"id": str(number), "label": choice} for number, choice in enumerate(choices, start=1)]
    return _frame(
        "ask_user_request",
        request_id=request_id,
        kind="choice" if choices else "text",
        question=question,
        options=options,
        other_answers=not only_choices,
        expires_in_ms=max(0, expires_in_ms),
        **told,
    )


def ask_user_closed(request_id: str, status: str, by: str = "") -> str:
    """Nobody needs to answer this question any more (`cetp.questions`)."""
    told = {"by": by} if by else {}
    return _frame("ask_user_closed", request_id=request_id, status=status, **told)


def ask_user_ack(request_id: str, status: str, error: str = "") -> str:
    """What became of an `ask_user_response`."""
    told = {"error": error} if error else {}
    return _frame("ask_user_ack", request_id=request_id, status=status, **told)


def chunk(text: str) -> str:
    """A piece of the answer."""
    return _frame("chunk", content=text)


def thinking(text: str) -> str:
    """A piece of the reasoning."""
    return _frame("thinking", content=text)


def tool_call(call_id: str, name: str, arguments: Any) -> str:
    """A call that the model made, for people to see. `call_id` is the model's own id, not that of a request."""
    return _frame("tool_call", id=call_id, name=name, args=arguments if isinstance(arguments, Mapping) else {})


def tool_result(call_id: str, name: str, output: str) -> str:
    """What came of a call, for people to see; after all calls of a step."""
    return _frame("tool_result", id=call_id, name=name, output=output)


def debug_prompt(messages: Sequence[Mapping[str, Any]], estimated_tokens: int) -> str:
    """The first request of a turn; `messages` travels as text that holds JSON."""
    text = _encode(well_formed(list(messages))).decode()
    return _frame("debug_prompt", messages=text, estimated_tokens=estimated_tokens)


def chunk_reset() -> str:
    """Drop the draft; right before done."""
    return _frame("chunk_reset")


def done(full_response: str, *, usage: Usage | None = None, elapsed_ms: int = 0) -> str:
    """The turn has ended; `full_response` is the text of all its steps."""
    if usage is None:
        return _frame("done", full_response=full_response)
    metrics = {
        "input_tokens": usage.input_tokens,
        "cached_input_tokens": usage.cached_input_tokens,
        "output_tokens": usage.output_tokens,
        "elapsed_ms": elapsed_ms,
    }
    return _frame("done", full_response=full_response, metrics=metrics)


def title_updated(title: str) -> str:
    """The session has got a name."""
    return _frame("title_updated", title=title)


def cron_result(job_id: str, output: str, timestamp: str, *, success: bool, name: str, session_id: str) -> str:
    """A schedule has run. `timestamp` is in ISO 8601."""
    return _frame(
        "cron_result",
        job_id=job_id,
        success=success,
        output=output,
        timestamp=timestamp,
        name=name,
        session_id=session_id,
    )


def aborted() -> str:
    """The turn was stopped."""
    return _frame("aborted")


def abort_ack(*, stopped: bool) -> str:
    """Answer to abort."""
    return _frame("abort_ack", status="aborted" if stopped else "no_active_response")


def error(message: str, code: str = "") -> str:
    """Something did not work; `code` is one of the ClawSeed wire protocol's or of ours."""
    return _frame("error", message=message, code=code) if code else _frame("error", message=message)


def agent_start(provider: str, model: str) -> str:
    """A turn of this session has begun."""
    return _frame("agent_start", provider=provider, model=model)


def agent_end(provider: str, model: str) -> str:
    """A turn of this session has ended."""
    return _frame("agent_end", provider=provider, model=model)


def _verdict(verdict: ToolVerdict) -> dict[str, str]:
    row: dict[str, str] = {"name": verdict.wire_name, "state": verdict.state}
    if verdict.public_name:
        row["public_name"] = verdict.public_name
    if verdict.reason:
        row["reason"] = verdict.reason
    return row


def _frame(kind: str, /, **fields: Any) -> str:
    frame = {"type": kind, **fields}
    try:
        return _encode(frame).decode()
    except UnicodeEncodeError:
        return _encode(well_formed(frame)).decode()
