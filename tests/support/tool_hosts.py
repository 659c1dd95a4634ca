"""Hosts that offer tools, without sockets: what the tools room sees of a device."""

import asyncio
from typing import Any

import msgspec

from cetp_gateway.api import (
    Answered,
    Arguments,
    CallContext,
    Effect,
    OfferedTool,
    Outcome,
    RegisteredTool,
    ToolSpec,
    ToolView,
)
from cetp_gateway.settings.limits import LimitSettings
from cetp_gateway.settings.schema import ToolSettings
from cetp_gateway.tools import ToolRegistry

NOTHING: dict[str, Any] = {"type": "object", "properties": {}}


class Phone:
    """Implements ToolHost; answers every call with its own name and remembers it."""

    def __init__(self, host_id: str, label: str = "pixel", *, shared: bool = True, read_only: bool = False) -> None:
        self.host_id = host_id
        self.label = label
        self.source = f"socket of {host_id}"
        self.shared = shared
        self.read_only = read_only
        self.calls: list[tuple[str, Arguments]] = []

    async def call(self, wire_name: str, arguments: Arguments, context: CallContext) -> Outcome:
        self.calls.append((wire_name, arguments))
        return Answered(self.host_id)


class Builtin:
    """Implements Tool: a clock."""

    def __init__(self, name: str) -> None:
        properties = {"zone": {"type": "string"}}
        self.spec = ToolSpec(
            name=name, description="Tells the time.", parameters={"type": "object", "properties": properties}
        )

    async def execute(self, arguments: Arguments, context: CallContext) -> Outcome:
        return Answered(f"noon in {arguments.get('zone', 'UTC')}")


def a_registry(*, limits: LimitSettings | None = None, **rules: Any) -> ToolRegistry:
    """A registry with these settings of its section `tools`."""
    return ToolRegistry(ToolSettings(**rules), limits or LimitSettings())


def a_tool(
    name: str,
    parameters: Any = NOTHING,
    description: str = "Says something.",
    effect: Effect = Effect.UNKNOWN,
    app: str = "",
) -> OfferedTool:
    """A tool as a device describes it; `parameters` as a value, or as JSON text in bytes."""
    text = parameters if isinstance(parameters, bytes) else msgspec.json.encode(parameters)
    return OfferedTool(name=name, description=description, parameters=msgspec.Raw(text), effect=effect, app=app)


def tools(*names: str) -> list[OfferedTool]:
    return [a_tool(name) for name in names]


def names(view: ToolView) -> list[str]:
    return [spec.name for spec in view.specs()]


def found(view: ToolView, name: str) -> RegisteredTool:
    tool = view.find(name)
    assert tool is not None, f"{name} is not there; there are {names(view)}"
    return tool


def a_context() -> CallContext:
    return CallContext(call_id="c1", deadline=asyncio.get_running_loop().time() + 5, caller="rest")


async def who_answers(view: ToolView, name: str) -> str:
    """The id of the host that a call reaches."""
    outcome = await found(view, name).execute({}, a_context())
    assert isinstance(outcome, Answered), outcome
    return outcome.output
