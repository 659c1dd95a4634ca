"""A view with less in it: what a session's or a persona's own rules leave of what the gateway offers.

Rules can only narrow: they see what the view lets through and nothing else. Above: `assemble`. Below: `name_rules`.
"""

from collections.abc import Sequence

from cetp_gateway.api import RegisteredTool, ToolRules, ToolSpec, ToolView
from cetp_gateway.tools.name_rules import NameRules
from cetp_gateway.tools.names import qualified, slug


class Narrowing:
    """The rules of a session, a persona or both: a tool has to pass all of them."""

    def __init__(self, *rules: ToolRules, of: str = "the session's tools") -> None:
        compiled = (NameRules(one.allowed, one.denied, of=of) for one in rules)
        self._rules = tuple(one for one in compiled if not one.everything)

    def __bool__(self) -> bool:
        """Whether they narrow anything."""
        return bool(self._rules)

    def objection(self, tool: ToolSpec) -> str:
        """Why the tool is not let through; empty when it is."""
        base = tool.base or tool.name
        labelled = qualified(base, slug(tool.origin.device)) if tool.origin else base
        found = (rules.objection(base, tool.name, labelled) for rules in self._rules)
        return next((objection for objection in found if objection), "")


def narrowed(view: ToolView, narrowing: Narrowing) -> ToolView:
    """The view without the tools that the rules do not let through."""
    return NarrowedView(view, narrowing) if narrowing else view


class NarrowedView:
    """Implements ToolView over another one."""

    def __init__(self, view: ToolView, narrowing: Narrowing) -> None:
        self._view = view
        self._narrowing = narrowing
        self._specs: tuple[ToolSpec, ...] | None = None

    @property
    def revision(self) -> int:
        return self._view.revision

    def specs(self) -> Sequence[ToolSpec]:
        if self._specs is None:
            self._specs = tuple(spec for spec in self._view.specs() if not self._narrowing.objection(spec))
        return self._specs

    def find(self, name: str) -> RegisteredTool | None:
        tool = self._view.find(name)
        return tool if tool is not None and not self._narrowing.objection(tool.spec) else None

    def nearest(self, name: str) -> tuple[str, ...]:
        return tuple(near for near in self._view.nearest(name) if self.find(near) is not None)
