"""The ToolRegistry extension point: one registry for the gateway, seen through views."""

from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from typing import Any, Literal, Protocol

import msgspec

from cetp_gateway.api.outcome import InvalidArguments, Outcome
from cetp_gateway.api.tool import Arguments, CallContext, Effect, Tool, ToolSpec


class ToolState(StrEnum):
    """What became of a tool when it was registered."""

    ACCEPTED = "accepted"
    RENAMED = "renamed"
    """Its public name differs from its wire name."""
    REPAIRED = "repaired"
    """Its schema was put right; the reason says how. (A repaired tool may be renamed as well.)"""
    QUARANTINED = "quarantined"
    """Kept and shown with its reason, but offered to nobody."""


class ToolVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """The registry's answer about one offered tool."""

    wire_name: str
    public_name: str
    """Empty when quarantined."""
    state: ToolState
    reason: str = ""


class OfferedTool(msgspec.Struct, kw_only=True, gc=False):
    """A tool as its host described it; hostile until the intake has checked it."""

    name: str
    """Wire name."""
    description: str
    parameters: msgspec.Raw
    """JSON text, any value."""
    effect: Effect = Effect.UNKNOWN
    app: str = ""
    """Package name of the provider app, when the host says so."""


class ToolCounts(msgspec.Struct, frozen=True):
    """How many tools there are, without looking at each."""

    usable: int = 0
    """Accepted, renamed or repaired; the owner's rules may still keep some back."""
    quarantined: int = 0


class ToolHost(Protocol):
    """Whoever runs a toolset's calls: a device's link, an MCP client. Must allow weak references. One that is an MCP
    server has its name as `server` besides.
    """

    @property
    def host_id(self) -> str:
        """Stable over reconnects, unique in the gateway."""
        ...

    @property
    def label(self) -> str:
        """Name for people and for telling equal tools of two hosts apart, for instance `pixel`."""
        ...

    @property
    def source(self) -> str:
        """The `source` column of the tool list: session id of a device's socket, name of a server."""
        ...

    @property
    def shared(self) -> bool:
        """True: offered to every session. False: only to the turns of this very socket."""
        ...

    @property
    def read_only(self) -> bool:
        """True: the host promises CETP v1's read-only contract, so tools that say they write are held."""
        ...

    async def call(self, wire_name: str, arguments: Arguments, context: CallContext) -> Outcome:
        """Run one call and say what became of it; never raises for the host's faults."""
        ...


class RegisteredTool(Protocol):
    """A tool found in a view, ready to be called."""

    @property
    def spec(self) -> ToolSpec: ...

    def read_arguments(self, arguments: Any) -> Arguments | InvalidArguments:
        """Check decoded JSON against the schema, mending what is plainly meant (an object sent as a string)."""
        ...

    async def execute(self, arguments: Arguments, context: CallContext) -> Outcome: ...


class ToolRow(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the tool list (wire, section 8), quarantined tools included."""

    name: str
    description: str
    parameters: dict[str, Any]
    enabled: bool
    source_type: Literal["builtin", "mcp", "remote"]
    source: str
    wire_name: str
    state: ToolState
    reason: str = ""
    effect: Effect = Effect.UNKNOWN
    device: str = ""
    app: str = ""


class ToolView(Protocol):
    """What one turn or caller may use: a snapshot of names, stable for its lifetime."""

    @property
    def revision(self) -> int:
        """The registry's revision when the view was made."""
        ...

    def specs(self) -> Sequence[ToolSpec]:
        """All usable tools, in a stable order: built-in first, then by public name."""
        ...

    def find(self, name: str) -> RegisteredTool | None: ...

    def nearest(self, name: str) -> tuple[str, ...]:
        """Up to three usable names that `name` may have meant."""
        ...


class ToolRegistry(Protocol):
    """All tools of the gateway. Every change raises `revision` by one."""

    @property
    def revision(self) -> int: ...

    def add(self, tool: Tool) -> None:
        """Register a built-in tool; its name is protected from then on. ValueError when it is taken."""
        ...

    def offer(self, host: ToolHost, tools: Sequence[OfferedTool], *, replace: bool) -> list[ToolVerdict]:
        """Take a host's tools: one verdict each, in order. `replace` makes the list the whole set; otherwise it
        adds, and replaces tools of the same name.
        """
        ...

    async def offer_in_slices(
        self, host: ToolHost, tools: Sequence[OfferedTool], *, replace: bool
    ) -> list[ToolVerdict]:
        """The same for lists of any length: other tasks run in between, and all changes become visible at the end.
        A host awaits one such call before it makes the next.
        """
        ...

    def withdraw(self, host: ToolHost, wire_names: Sequence[str] | None = None) -> int:
        """Remove some or all tools of exactly this host object; how many went. A replaced host removes nothing."""
        ...

    def view(self, host: ToolHost | None = None, *, everything: bool = False) -> ToolView:
        """Built-in and shared tools, and `host`'s own. `everything`: private tools of all hosts too (REST)."""
        ...

    def rows(self, host: ToolHost | None = None) -> list[ToolRow]:
        """Every tool with its state, or every tool of exactly this host object, for people: built-in ones first,
        quarantined ones last, by name.
        """
        ...

    def iter_rows(self) -> Iterator[ToolRow]:
        """The rows of all tools one by one, for callers that let others run in between; ordered within a host."""
        ...

    def counts(self, host: ToolHost | None = None) -> ToolCounts:
        """How many tools there are, or how many exactly this host object has."""
        ...

    def subscribe(self, callback: Callable[[int], None]) -> Callable[[], None]:
        """Call `callback` with the new revision after every change, until the returned function is called."""
        ...
