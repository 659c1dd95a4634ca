"""The tools that the phones offer and the arguments they are called with."""

from enum import StrEnum
from typing import Any

import msgspec

TOOLS = 50
"""Tools of one phone."""

ARGUMENTS: dict[str, Any] = {
    "query": "dinner with Anna on Friday",
    "folder": "inbox",
    "limit": 20,
    "period": {"from": "2026-10-01T00:00:00Z", "days": 31},
    "tags": ["family", "food"],
    "unread": False,
}

_encode = msgspec.json.Encoder().encode


class Way(StrEnum):
    """How a phone registers."""

    PLAIN = "plain"
    """As a ClawSeed client does: its tools belong to its own session."""
    OURS = "ours"
    """As our bridge does: shared, read-only, with verdicts, notices, deadlines."""


class Likeness(StrEnum):
    """What the toolsets of two phones have in common."""

    SAME = "same"
    """Everything."""
    NAMES_DIFFER = "names_differ"
    """The same apps, with names that tell the phones apart: 50 schemas in all."""
    ALL_DIFFERENT = "all_different"
    """Nothing: no two schemas mean the same."""


CAPABILITIES = (
    "cetp.registration",
    "cetp.unregister",
    "cetp.cancel",
    "cetp.deadline",
    "cetp.shared",
    "cetp.read_only",
    "cetp.notices",
)


def tool_name(phone: int, tool: int, likeness: Likeness) -> str:
    """A tool's name on its phone; its public name as well unless the phones are the same."""
    return f"{'mail' if likeness is Likeness.SAME else f'p{phone}'}__search_{tool}"


def schema(number: int = 0) -> dict[str, Any]:
    """An ordinary schema: seven properties, nested, with limits. No two numbers give schemas of the same meaning, so
    that a verdict on one says nothing of another.
    """
    return {
        "type": "object",
        "properties": {
            "query": {"type": "string", "minLength": 1, "maxLength": 200 + number, "description": "Words to look for."},
            "folder": {"type": "string", "enum": ["inbox", "sent", "archive"]},
            "limit": {"type": "integer", "minimum": 1, "maximum": 100, "description": "Messages to return."},
            "period": {
                "type": "object",
                "properties": {
                    "from": {"type": "string", "description": "ISO 8601 time."},
                    "days": {"type": "integer", "minimum": 1, "maximum": 366},
                },
                "required": ["from"],
                "additionalProperties": False,
            },
            "tags": {"type": "array", "items": {"type": "string", "maxLength": 32}, "maxItems": 10},
            "unread": {"type": "boolean"},
            "cursor": {"type": "string", "maxLength": 64, "description": "From the previous answer."},
        },
        "required": ["query"],
        "additionalProperties": False,
    }


def registration(phone: int, way: Way, likeness: Likeness) -> bytes:
    """The register_tools frame of a phone."""
    return _encode({"type": "register_tools", "tools": [_tool(phone, n, way, likeness) for n in range(TOOLS)]})


def greeting(phone: int, way: Way) -> bytes:
    """The connect frame of a phone."""
    frame: dict[str, Any] = {"type": "connect", "device_name": f"Pixel {phone}"}
    if way is Way.OURS:
        frame |= {"device_id": f"phone-{phone}", "capabilities": CAPABILITIES}
    return _encode(frame)


def _tool(phone: int, tool: int, way: Way, likeness: Likeness) -> dict[str, Any]:
    number = TOOLS * phone + tool if likeness is Likeness.ALL_DIFFERENT else tool
    row = {
        "name": tool_name(phone, tool, likeness),
        "description": f"Finds messages, view {tool}.",
        "parameters": schema(number),
    }
    return row | {"effect": "reads", "provider": {"package": "org.example.mail"}} if way is Way.OURS else row
