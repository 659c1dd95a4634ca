"""Every built-in tool, in one place and in a fixed order.

Above: `assemble`. Below: the tools, each in the file of its noun.
"""

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase

from cetp_gateway.api import Tool
from cetp_gateway.builtin.builtin_parts import BuiltinParts
from cetp_gateway.builtin.current_time import CurrentTime
from cetp_gateway.settings.builtin import BuiltinSettings
from cetp_gateway.settings.schema import Settings


def all_tools(settings: Settings, parts: BuiltinParts) -> list[Tool]:
    """The tools that the settings leave switched on and for which all that they need is there."""
    return [tool for tool in _every(settings, parts) if is_switched_on(tool.spec.name, settings.builtin)]


def is_switched_on(name: str, settings: BuiltinSettings) -> bool:
    """Whether a tool of this name is wanted."""
    return _fits(name, settings.enabled) and not _fits(name, settings.disabled)


def _every(settings: Settings, parts: BuiltinParts) -> Iterator[Tool]:  # noqa: ARG001
    yield CurrentTime()


def _fits(name: str, globs: Iterable[str]) -> bool:
    return any(fnmatchcase(name, glob) for glob in globs)
