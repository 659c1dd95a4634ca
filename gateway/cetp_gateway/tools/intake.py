"""Judges offered tools one by one: name, description, schema, read-only promise. A bad one costs no other.

Does not know which host offers a tool, what else it offers, or what public name the tool gets.
Above: `registry`. Below: `schema_check`, `read_only`, `policy`, `names`.
"""

from typing import TYPE_CHECKING

import msgspec

from cetp_gateway.api import Effect, OfferedTool, ToolState
from cetp_gateway.settings.limits import LimitSettings
from cetp_gateway.tools.names import is_legal, nameable, plain_name
from cetp_gateway.tools.policy import Policy
from cetp_gateway.tools.read_only import DESCRIPTION_CHARS, writing_word
from cetp_gateway.tools.toolset import StoredTool

if TYPE_CHECKING:
    from cetp_gateway.tools.schema_check import SchemaCheck

_APP_CHARS = 255
"""Android's own limit of a package name."""
_KEPT_NAME_CHARS = 256
"""Of a name that cannot be taken, so much is shown."""
_KEPT_DESCRIPTION_CHARS = 500
_NO_SCHEMA = msgspec.Raw(b"{}")


class Intake:
    """Judges tools within the settings; remembers verdicts on schemas."""

    def __init__(self, policy: Policy, limits: LimitSettings) -> None:
        self._policy = policy
        self._limits = limits
        self._schemas: SchemaCheck | None = None

    def judge(self, tool: OfferedTool, *, read_only: bool) -> StoredTool:
        """The tool as it will be kept, still without its public name; never raises.

        Args:
            tool: as its host described it.
            read_only: its host promises that its tools only read.
        """
        name = tool.name
        objection = "" if is_legal(name) else self._object_to_name(name)
        if objection:
            return quarantined(tool, objection)
        verdict = (self._schemas or self._prepare()).judge(tool.parameters)
        if verdict.refused:
            return quarantined(tool, verdict.reason)
        if read_only:
            effect, objection = self._effect(tool)
        else:
            # Only who promises to read is believed when it says so; what says more of itself is.
            effect = Effect.UNKNOWN if tool.effect is Effect.READS else tool.effect
        description, change = self._description(tool.description)
        parameters = msgspec.Raw(verdict.repaired) if verdict.repaired else tool.parameters
        if objection:
            # Whole, since the owner may let it through while it is there.
            return StoredTool(name, "", description, parameters, effect, _app(tool), ToolState.QUARANTINED, objection)
        reason = "; ".join(filter(None, (verdict.reason, change))) if verdict.reason or change else ""
        state = ToolState.REPAIRED if reason else ToolState.ACCEPTED
        return StoredTool(name, "", description, parameters, effect, _app(tool), state, reason)

    def may_write(self, wire_name: str) -> bool:
        """Whether the owner lets a tool of this name through although it says that it writes."""
        return self._policy.may_write(plain_name(wire_name))

    @staticmethod
    def declared(tool: StoredTool) -> Effect:
        """What a tool that does more than read has declared: UNKNOWN when that was found in its words."""
        found = tool.effect is Effect.WRITES and writing_word(tool.wire_name, tool.description[:DESCRIPTION_CHARS])
        return Effect.UNKNOWN if found else tool.effect

    def _prepare(self) -> "SchemaCheck":
        # The validator takes 7 MiB, which a gateway without phones does not need.
        from cetp_gateway.tools.schema_check import SchemaCheck  # noqa: PLC0415

        self._schemas = SchemaCheck(self._limits)
        return self._schemas

    def _object_to_name(self, name: str) -> str:
        if not name:
            return "it has no name"
        most = self._limits.tool_name_chars
        if len(name) > most:
            return f"its name has {len(name)} characters, at most {most} are taken (limits.tool_name_chars)"
        return "" if nameable(name) else "its name holds U+0000 or half a character"

    def _effect(self, tool: OfferedTool) -> tuple[Effect, str]:
        """What a tool of a read-only host does, and why it is held although it should only read."""
        declared = tool.effect not in (Effect.READS, Effect.UNKNOWN)
        word = "" if declared else writing_word(tool.name, tool.description[:DESCRIPTION_CHARS])
        if not declared and not word:
            # That is the promise of its host (spec 7.4).
            return Effect.READS, ""
        effect = tool.effect if declared else Effect.WRITES
        if self.may_write(tool.name):
            return effect, ""
        name = plain_name(tool.name)
        says = f"it declares that it {tool.effect.value}" if declared else f"it says that it writes ({word!r})"
        return effect, f"{says}, but its app may only read; {name!r} in tools.allow_writing lets it through"

    def _description(self, text: str) -> tuple[str, str]:
        most = self._limits.description_chars
        change = ""
        if len(text) > most:
            text, change = text[:most], f"its description was cut to {most} characters (limits.description_chars)"
        return (text if text.isascii() else _clean(text)), change


def quarantined(tool: OfferedTool, reason: str) -> StoredTool:
    """The tool as it is kept for people to see: with little of what may be wrong with it."""
    name = _clean(tool.name[:_KEPT_NAME_CHARS])
    description = _clean(tool.description[:_KEPT_DESCRIPTION_CHARS])
    return StoredTool(name, "", description, _NO_SCHEMA, Effect.UNKNOWN, _app(tool), ToolState.QUARANTINED, reason)


def _app(tool: OfferedTool) -> str:
    return tool.app if tool.app.isascii() and len(tool.app) <= _APP_CHARS else _clean(tool.app[:_APP_CHARS])


def _clean(text: str) -> str:
    """Without halves of characters, which no encoder takes."""
    return text.encode("utf-8", "replace").decode()
