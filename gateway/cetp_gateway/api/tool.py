"""The Tool extension point: one callable thing, wherever it runs."""

from enum import StrEnum
from pathlib import Path
from typing import Any, Final, Protocol

import msgspec

from cetp_gateway.api.origin import Origin
from cetp_gateway.api.outcome import Outcome

COMMAND_TOOL: Final = "run_command"
"""The name of the tool that runs programs. What its calls name in `command`, a list of words, has to be on the owner's
list (`policy.allowed_commands`), also when an application has put a tool of its own under this name."""

Arguments = dict[str, Any]
"""A decoded JSON object. Integers keep all their digits."""


class Effect(StrEnum):
    """What a tool does to the world outside the conversation."""

    READS = "reads"
    WRITES = "writes"
    RUNS = "runs"
    SENDS = "sends"
    UNKNOWN = "unknown"


class ToolSpec(msgspec.Struct, frozen=True, kw_only=True):
    """A tool as a model sees it."""

    name: str
    """Public name, 1 to 64 of [A-Za-z0-9_-]."""
    description: str
    parameters: dict[str, Any]
    """JSON Schema 2020-12; the root is always an object schema with `properties`."""
    effect: Effect = Effect.UNKNOWN
    base: str = ""
    """The name that it has while no other device offers it, if another; rules about names hold for both."""
    origin: Origin | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """All names by which rules may mean it."""
        return (self.name, self.base) if self.base else (self.name,)


class ToolRules(msgspec.Struct, frozen=True, kw_only=True):
    """Globs of public names that narrow what somebody is offered; `denied` wins."""

    allowed: tuple[str, ...] = ("*",)
    denied: tuple[str, ...] = ()


class CallContext(msgspec.Struct, frozen=True, kw_only=True):
    """What travels with a call from its caller to whoever runs it."""

    call_id: str
    """Shows in every log on the way."""
    deadline: float
    """The event loop's own time (`loop.time()`, seconds) at which the caller stops waiting."""
    began: float = 0.0
    """The same clock when it was asked for; 0 when nobody said."""
    caller: str
    """Who asked: `agent`, `rest`, or another entrance's name."""
    session_id: str = ""
    """Empty outside a session."""
    workspace: Path | None = None
    """The folder for tools that work on files."""
    client: str = ""
    """By whose right: the id of a paired device, or `local`; empty when nobody had to say."""
    patient: bool = True
    """A person's decision about the call may move the deadline."""


class Tool(Protocol):
    """One callable thing. Built-in tools and third parties' tools implement this."""

    @property
    def spec(self) -> ToolSpec:
        """How the tool presents itself; does not change while the tool is registered."""
        ...

    async def execute(self, arguments: Arguments, context: CallContext) -> Outcome:
        """Run once. `arguments` fit the schema. Ends by `context.deadline`; may be cancelled at any await."""
        ...


class PatientTool(Tool, Protocol):
    """A tool that waits for a person, for which a call's own time is too short."""

    @property
    def patience_s(self) -> float:
        """Seconds by which the deadline of a patient call (`CallContext.patient`) is moved before it runs."""
        ...
