"""Tools ready to be called: one of a host, and a built-in one.

Above: `binding`. Below: `arguments`, `host_entry`.
"""

from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from cetp_gateway.api import (
    Arguments,
    CallContext,
    DeviceGone,
    InvalidArguments,
    Outcome,
    Refused,
    Tool,
    ToolSpec,
)
from cetp_gateway.tools.host_entry import HostEntry

if TYPE_CHECKING:
    from cetp_gateway.tools.arguments import ArgumentReader

FindEntry = Callable[[str], HostEntry | None]
"""The entry of a host id as it is now."""


class HostTool:
    """A tool of a host. A call goes to whoever is that host when it is made, so it survives a reconnect."""

    __slots__ = ("_base", "_find_entry", "_host_id", "_reader", "_wire_name", "spec")

    def __init__(
        self,
        spec: ToolSpec,
        *,
        wire_name: str,
        base: str,
        host_id: str,
        find_entry: FindEntry,
        reader: "ArgumentReader",
    ) -> None:
        self.spec = spec
        self._wire_name = wire_name
        self._base = base
        self._host_id = host_id
        self._find_entry = find_entry
        self._reader = reader

    def read_arguments(self, arguments: Any) -> Arguments | InvalidArguments:
        return self._reader.read(arguments)

    def execute(self, arguments: Arguments, context: CallContext) -> Coroutine[Any, Any, Outcome]:
        entry = self._find_entry(self._host_id)
        if entry is None:
            return _at_once(DeviceGone(self.spec.origin.device if self.spec.origin else self._host_id))
        if entry.toolset.names.index(self._base) < 0:
            return _at_once(Refused("TOOL_NOT_FOUND", f"{entry.label} no longer offers {self._wire_name}."))
        return entry.host.call(self._wire_name, arguments, context)


class BuiltinTool:
    """A tool of the gateway itself. Its reader is made for the first call: it brings the validator with it, which is
    not to be loaded at start.
    """

    __slots__ = ("_make_reader", "_reader", "patience_s", "spec", "tool")

    def __init__(self, tool: Tool, make_reader: "Callable[[], ArgumentReader]") -> None:
        self.spec = tool.spec
        self.patience_s: float = getattr(tool, "patience_s", 0.0)
        """See api.PatientTool."""
        self.tool = tool
        self._make_reader = make_reader
        self._reader: ArgumentReader | None = None

    def read_arguments(self, arguments: Any) -> Arguments | InvalidArguments:
        if self._reader is None:
            self._reader = self._make_reader()
        return self._reader.read(arguments)

    async def execute(self, arguments: Arguments, context: CallContext) -> Outcome:
        return await self.tool.execute(arguments, context)


async def _at_once(outcome: Outcome) -> Outcome:
    return outcome
