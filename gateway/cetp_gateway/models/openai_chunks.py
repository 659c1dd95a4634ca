"""What a chat completions server sends, decoded leniently: absent, null and unknown fields are all fine."""

from typing import Any

import msgspec

from cetp_gateway.api import Usage
from cetp_gateway.models.call_pieces import CallFragment, CallFunction


class Delta(msgspec.Struct, frozen=True):
    """A piece of the message, or the whole message."""

    content: Any = None
    """Text, or a list of parts."""
    reasoning_content: Any = None
    reasoning: Any = None
    refusal: str | None = None
    tool_calls: list[CallFragment] | None = None
    function_call: CallFunction | None = None


class Choice(msgspec.Struct, frozen=True):
    index: int | None = None
    delta: Delta | None = None
    message: Delta | None = None
    finish_reason: str | None = None


class Chunk(msgspec.Struct, frozen=True):
    """One event of a stream, or a whole answer."""

    choices: list[Choice] | None = None
    usage: Any = None
    error: Any = None
    x_groq: Any = None

    @property
    def choice(self) -> Choice | None:
        """The first choice; we never ask for more."""
        return next((choice for choice in self.choices or [] if not choice.index), None)


def decode_chunk(data: str | bytes) -> Chunk:
    """Decode an event's data; raises msgspec.DecodeError when it is none.

    Halves of characters written as escapes are refused by msgspec and let through here, to be joined later.
    """
    try:
        return msgspec.json.decode(data, type=Chunk, strict=False)
    except msgspec.ValidationError:
        raise
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return _decode_leniently(data)


def _decode_leniently(data: str | bytes) -> Chunk:
    import json  # noqa: PLC0415 — only for what the fast decoder refuses

    try:
        return msgspec.convert(json.loads(data), Chunk, strict=False)
    except (ValueError, RecursionError) as error:
        raise msgspec.DecodeError("not JSON") from error


def texts(content: Any) -> tuple[str, str]:
    """Answer and reasoning in a `content`: plain text, or a list of text and thinking parts."""
    if isinstance(content, str):
        return content, ""
    parts = [part for part in content if isinstance(part, dict)] if isinstance(content, list) else []
    thoughts = [part.get("thinking") for part in parts if part.get("type") == "thinking"]
    return _joined(parts), "".join(said if isinstance(said, str) else _joined(said) for said in thoughts)


def _joined(parts: Any) -> str:
    """The texts of parts that have one."""
    given = parts if isinstance(parts, list) else []
    texts = [part.get("text") for part in given if isinstance(part, dict)]
    return "".join(text for text in texts if isinstance(text, str))


def usage_of(chunk: Chunk) -> Usage | None:
    """Tokens, input including what came from a cache; None when the chunk does not say."""
    said = chunk.usage
    if not isinstance(said, dict) and isinstance(chunk.x_groq, dict):
        said = chunk.x_groq.get("usage")
    if not isinstance(said, dict):
        return None
    details = said.get("prompt_tokens_details")
    cached = details.get("cached_tokens") if isinstance(details, dict) else said.get("prompt_cache_hit_tokens")
    return Usage(_count(said.get("prompt_tokens")), _count(said.get("completion_tokens")), _count(cached))


def _count(value: Any) -> int:
    return value if isinstance(value, int) and value >= 0 else 0
