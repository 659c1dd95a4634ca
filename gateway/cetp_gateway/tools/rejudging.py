"""Judges tools anew that are there already, when `tools.allow_writing` has changed.

Only tools of read-only hosts that are known to do more than read are concerned: the intake keeps what such a tool said
of itself. Above: `registry`. Below: `intake`.
"""

from collections.abc import Iterable

from cetp_gateway.api import Effect, OfferedTool, ToolState
from cetp_gateway.tools.intake import Intake
from cetp_gateway.tools.toolset import StoredTool


def rejudged(tools: Iterable[StoredTool], intake: Intake) -> list[StoredTool] | None:
    """All of them, the concerned ones judged anew; None when nothing has changed."""
    after, changed = [], False
    for tool in tools:
        again = _again(tool, intake)
        if again is not None and again.state is ToolState.QUARANTINED and tool.state is ToolState.QUARANTINED:
            again = None
        after.append(tool if again is None else again)
        changed = changed or again is not None
    return after if changed else None


def _again(tool: StoredTool, intake: Intake) -> StoredTool | None:
    """The tool as it is judged now; None when it stays as it is."""
    if tool.effect in (Effect.READS, Effect.UNKNOWN):
        return None
    held = tool.state is ToolState.QUARANTINED
    if held is not intake.may_write(tool.wire_name):
        return None
    return intake.judge(
        OfferedTool(
            name=tool.wire_name,
            description=tool.description,
            parameters=tool.parameters,
            effect=intake.declared(tool),
            app=tool.app,
        ),
        read_only=True,
    )
