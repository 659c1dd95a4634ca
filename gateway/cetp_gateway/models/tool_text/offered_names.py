"""The tools of one request as the readers of text need them: which names there are, and what a written value means."""

import re
from collections.abc import Sequence
from typing import Any, Final

from cetp_gateway.api import ToolSpec
from cetp_gateway.models.tool_text.json_text import decode_leniently

_NO_TEXT: Final = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|\{.*\}|\[.*\]", re.DOTALL)
"""Text that means something else than itself when no schema says that it is one."""


class OfferedNames:
    """The names and properties of some tools."""

    def __init__(self, tools: Sequence[ToolSpec]) -> None:
        self._properties = {tool.name: _properties(tool.parameters) for tool in tools}

    def __contains__(self, name: object) -> bool:
        return name in self._properties

    def __bool__(self) -> bool:
        return bool(self._properties)

    def any_named_in(self, text: str) -> bool:
        """One of the names stands in the text."""
        return any(name in text for name in self._properties)

    def property_names(self, name: str) -> list[str]:
        """In the schema's order; empty for an unknown tool."""
        return list(self._properties.get(name, {}))

    def value(self, tool: str, key: str, text: str) -> Any:
        """What a value between two tags means: text for properties that are texts, JSON for others."""
        text = _without_frame(text)
        schema = self._properties.get(tool, {}).get(key)
        kinds = schema.get("type") if isinstance(schema, dict) else None
        if kinds == "string" or (kinds is None and not _NO_TEXT.fullmatch(text.strip())):
            return text
        decoded, whole = decode_leniently(text.strip())
        if not whole or (isinstance(kinds, list) and "string" in kinds and not isinstance(decoded, dict | list)):
            return text
        return decoded


def _properties(parameters: dict[str, Any]) -> dict[str, Any]:
    properties = parameters.get("properties")
    return properties if isinstance(properties, dict) else {}


def _without_frame(text: str) -> str:
    """Without the line ends that formats put around a value."""
    return text.removeprefix("\n").removesuffix("\n")
