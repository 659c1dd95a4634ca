"""The marks that models put around calls, and what stands behind each. One table; a new format is a new row.

A mark is a literal text that nobody writes by chance. Formats without one are in `bare_calls` and `react`.
"""

import re
from typing import Final

import msgspec

from cetp_gateway.models.tool_text.found import HALF, Found, FoundCall, Half, Reader
from cetp_gateway.models.tool_text.json_calls import MAX_CALLS, read_json_calls, skip_blank
from cetp_gateway.models.tool_text.named_calls import read_named_json
from cetp_gateway.models.tool_text.offered_names import OfferedNames
from cetp_gateway.models.tool_text.python_calls import read_python_calls
from cetp_gateway.models.tool_text.short_calls import read_short_call
from cetp_gateway.models.tool_text.tag_calls import read_function_tag, read_invoke_tag, read_key_value_tags


class Envelope(msgspec.Struct, frozen=True):
    """One mark."""

    mark: str
    models: str
    """Whose it is, for people."""
    readers: tuple[Reader, ...]
    """Tried in order behind the mark."""
    begins: str = "{["
    """Characters with which a call goes on behind the mark, blanks aside; another one means plain talk. `a` stands
    for letters, digits and `_`. Empty: the mark itself is enough.
    """


_NAME_SPACES: Final = ("", "antml:", "｜DSML｜")

ENVELOPES: Final = (
    Envelope("◁", "ClawSeed's own format", (read_json_calls,)),
    Envelope(
        "<tool_call>",
        "Hermes, Qwen, GLM, Granite",
        (read_json_calls, read_key_value_tags, read_named_json, read_python_calls),
        "{[<a",
    ),
    Envelope("<tool_calls>", "xLAM, Jamba", (read_json_calls, read_python_calls), "{[<a"),
    Envelope("<function=", "Qwen Coder, Llama 3.1, Functionary 3.1", (read_function_tag,), "a"),
    *(Envelope(f"<{space}invoke name=", "Claude, MiniMax", (read_invoke_tag,), "\"'a") for space in _NAME_SPACES),
    *(
        Envelope(f"<{space}function_calls>", "Claude, DeepSeek 3.2, OLMo", (read_json_calls, read_python_calls), "{[<a")
        for space in _NAME_SPACES
    ),
    Envelope("<minimax:tool_call>", "MiniMax", (), "<"),
    Envelope("<seed:tool_call>", "Seed", (), "<"),
    Envelope("<|python_tag|>", "Llama 3", (read_json_calls, read_python_calls), "{[a"),
    Envelope("[TOOL_CALLS]", "Mistral", (read_json_calls, read_named_json), "{[a"),
    Envelope("<｜tool▁calls▁begin｜>", "DeepSeek", (), "<"),
    Envelope("<｜tool▁call▁begin｜>", "DeepSeek", (read_named_json,), "a"),
    Envelope("<|tool_calls_section_begin|>", "Kimi", (), "<"),
    Envelope("<|tool_call_begin|>", "Kimi", (read_named_json,), "a"),
    Envelope("<start_function_call>", "Gemma", (read_short_call,), "a"),
    Envelope("<|START_ACTION|>", "Command R", (read_json_calls,)),
    Envelope("<|recipient|>", "Functionary 2", (read_named_json,), "a"),
    Envelope("<|tool_call|>", "Granite, Phi", (read_json_calls,)),
    Envelope("<|tool_call_start|>", "LFM", (read_json_calls, read_python_calls), "{["),
    Envelope("<|action_start|><|plugin|>", "InternLM", (read_json_calls,), "{"),
    Envelope("<|channel|>commentary to=functions.", "gpt-oss", (read_named_json,), "a"),
    Envelope("<TOOLCALL>", "Nemotron", (read_json_calls,)),
    Envelope("functools[", "Phi, Firefunction", (), ""),
)

MARKS: Final = tuple(envelope.mark for envelope in ENVELOPES)
LONGEST_MARK: Final = max(map(len, MARKS))

_LIST_MARK: Final = "functools"
_CLOSING: Final = (
    "▷",
    "</tool_call>",
    "</tool_calls>",
    "</function>",
    *(f"</{space}function_calls>" for space in _NAME_SPACES),
    "</minimax:tool_call>",
    "</seed:tool_call>",
    "</TOOLCALL>",
    "<｜tool▁call▁end｜>",
    "<｜tool▁calls▁end｜>",
    "<｜end▁of▁sentence｜>",
    "<|tool_call_end|>",
    "<|tool_calls_section_end|>",
    "<|/tool_call|>",
    "<end_function_call>",
    "<start_function_response>",
    "<|END_ACTION|>",
    "<|action_end|>",
    "<|call|>",
    "[/TOOL_CALLS]",
    "<|eom_id|>",
    "<|eot_id|>",
    "<|im_end|>",
    "<|end|>",
    "<|end_of_text|>",
    "</s>",
)
_LEFT_OVER: Final = re.compile(rf"(?:\s|{'|'.join(map(re.escape, _CLOSING))})*")


def skip_left_over(text: str, at: int) -> int:
    """The place behind closing marks and blanks, which say nothing; half a closing mark at the end is one too."""
    left_over = _LEFT_OVER.match(text, at)
    at = left_over.end() if left_over else at
    return len(text) if at < len(text) and any(mark.startswith(text[at:]) for mark in _CLOSING) else at


def envelope_at(text: str, at: int) -> Envelope | None:
    """The longest mark that stands here."""
    found = [envelope for envelope in ENVELOPES if text.startswith(envelope.mark, at)]
    return max(found, key=lambda envelope: len(envelope.mark), default=None)


def skip_marks(text: str, at: int) -> int:
    """The place behind all marks that stand here one after the other, blanks between them included."""
    while (envelope := envelope_at(text, at)) is not None:
        at = skip_blank(text, at + len(envelope.mark))
    return at


def read_envelopes(text: str, at: int, tools: OfferedNames) -> Found | Half | None:
    """All calls that stand here one after the other; half a call spoils them all."""
    calls: list[FoundCall] = []
    end = at
    while len(calls) < MAX_CALLS and (envelope := envelope_at(text, at)) is not None:
        at += len(envelope.mark)
        if envelope_at(text, inner := skip_blank(text, at)) is not None:
            at = inner
            continue
        read = _read_inside(text, at, envelope, tools)
        if read is HALF:
            return HALF
        if not isinstance(read, Found):
            break
        calls += read.calls
        end = at = skip_left_over(text, read.end)
    if calls and end < len(text) and any(mark.startswith(text[end:]) for mark in MARKS):
        return HALF
    return Found(tuple(calls), end) if calls else None


def _read_inside(text: str, at: int, envelope: Envelope, tools: OfferedNames) -> Found | Half | None:
    if envelope.mark.startswith(_LIST_MARK):
        return read_json_calls(text, at - 1, tools)
    if not text[at:].strip():
        return HALF
    half: Half | None = None
    for reader in envelope.readers:
        read = reader(text, at, tools)
        if isinstance(read, Found):
            return read
        half = half or read
    # Behind a mark that only opens a group, the first letters of the next mark.
    return half or (HALF if any(mark.startswith(text[at:].lstrip()) for mark in MARKS) else None)
