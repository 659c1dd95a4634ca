"""Events as the two APIs send them, for scripts of the fake vendor."""

from typing import Any

from support.fake_vendor import data, event

USAGE = {"prompt_tokens": 11, "completion_tokens": 7, "prompt_tokens_details": {"cached_tokens": 4}}


def chunk(delta: dict[str, Any] | None = None, finish: str | None = None, **more: Any) -> str:
    """One chunk of a chat completions stream."""
    choices = [] if delta is None and finish is None else [{"index": 0, "delta": delta or {}, "finish_reason": finish}]
    return data({"id": "x", "object": "chat.completion.chunk", "model": "m", "choices": choices, **more})


def call_piece(arguments: Any = None, *, name: str | None = None, id: str | None = None, index: int | None = 0) -> str:  # noqa: A002
    """One chunk with one fragment of a call; what is None is left out."""
    function = {key: value for key, value in (("name", name), ("arguments", arguments)) if value is not None}
    fragment = {key: value for key, value in (("index", index), ("id", id)) if value is not None}
    return chunk({"tool_calls": [{**fragment, "type": "function", "function": function}]})


def openai_text(*texts: str, finish: str = "stop") -> list[str]:
    """A whole stream that says some texts."""
    return [
        chunk({"role": "assistant", "content": ""}),
        *(chunk({"content": text}) for text in texts),
        chunk({}, finish),
        chunk(usage=USAGE),
        data("[DONE]"),
    ]


def openai_calls(*fragments: str, finish: str = "tool_calls") -> list[str]:
    """A whole stream with fragments of calls."""
    return [*fragments, chunk({}, finish), data("[DONE]")]


def started(**usage: int) -> str:
    counts = {"input_tokens": 10, "output_tokens": 1, **usage}
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": [], "usage": counts}
    return event({"type": "message_start", "message": {**message, "stop_reason": None, "stop_sequence": None}})


def block(index: int, content: dict[str, Any], *deltas: dict[str, Any], stops: bool = True) -> str:
    """One content block with its deltas."""
    events = [event({"type": "content_block_start", "index": index, "content_block": content})]
    events += [event({"type": "content_block_delta", "index": index, "delta": delta}) for delta in deltas]
    return "".join([*events, *([event({"type": "content_block_stop", "index": index})] if stops else [])])


def text_block(index: int, *texts: str) -> str:
    return block(index, {"type": "text", "text": ""}, *({"type": "text_delta", "text": text} for text in texts))


def tool_block(index: int, call_id: str, name: str, *parts: str, stops: bool = True) -> str:
    content = {"type": "tool_use", "id": call_id, "name": name, "input": {}}
    return block(index, content, *({"type": "input_json_delta", "partial_json": part} for part in parts), stops=stops)


def ended(reason: str = "end_turn", output_tokens: int = 5) -> str:
    delta = {"stop_reason": reason, "stop_sequence": None}
    return event({"type": "message_delta", "delta": delta, "usage": {"output_tokens": output_tokens}}) + event(
        {"type": "message_stop"}
    )


def anthropic_text(*texts: str, reason: str = "end_turn") -> list[str]:
    """A whole stream that says some texts."""
    return [started(), event({"type": "ping"}), text_block(0, *texts), ended(reason)]
