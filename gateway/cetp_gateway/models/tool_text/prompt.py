"""What a model without tool calls of its own is told about tools: the list, and how to call one."""

from collections.abc import Sequence
from typing import Final

import msgspec

from cetp_gateway.api import ToolSpec

BEGIN: Final = "◁"
END: Final = "▷"

_HOW: Final = """\
# Tools

You can call tools. A call is one JSON object with "name" and "arguments" between ◁ and ▷, on a line of its own:

◁{"name": "tool_name", "arguments": {"key": "value"}}▷

- Call several tools by writing several such lines. Write nothing behind the last one; the results come in the next \
message, as <tool_result> … </tool_result>.
- Call only tools of the list, with arguments that fit their parameters (JSON Schema).
- Use ◁ and ▷ for nothing else. When you need no tool, or have the results you need, answer in plain words.

The tools, one in each line:
"""


def with_tools(system: str, tools: Sequence[ToolSpec]) -> str:
    """The system prompt with the tools at its end; the same for the same tools, so that caches hold."""
    if not tools:
        return system
    lines = [msgspec.json.encode(_described(tool)).decode() for tool in tools]
    return "\n".join([*([f"{system.rstrip()}\n"] if system.strip() else []), _HOW.rstrip(), *lines])


def _described(tool: ToolSpec) -> dict[str, object]:
    return {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
