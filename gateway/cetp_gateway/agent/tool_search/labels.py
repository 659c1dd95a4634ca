"""Whose a tool is, by its public name and its origin. Plain functions of values."""

from typing import Final

from cetp_gateway.api import ToolSpec

SEPARATOR: Final = "__"


def label_of(tool: ToolSpec) -> str:
    """The app's part of a public name; empty for tools without one."""
    label, separator, _ = tool.name.partition(SEPARATOR)
    return label if separator else ""


def app_of(tool: ToolSpec) -> str:
    """The same for the tools of one app on one device. The gateway's own are nobody's: each counts for itself."""
    if tool.origin is None:
        return tool.name
    return f"{tool.origin.device}\n{tool.origin.server or tool.origin.app or label_of(tool)}"
