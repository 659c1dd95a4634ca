"""The owner's rules: which tools are offered, and which may be offered although they say that they write.

Above: `intake`, `catalog`. Below: `name_rules`, which says what a glob means. Knows nothing of hosts.
"""

import re
from collections.abc import Iterable

from cetp_gateway.settings.schema import ToolSettings
from cetp_gateway.tools.name_rules import ACROSS_PARTS, WITHIN_A_PART, NameRules, compile_globs

_POSSIBLE = re.compile(r"[A-Za-z0-9_*?-]+").fullmatch


class Policy:
    """Answers by names alone, so the same name gets the same answer always."""

    def __init__(self, settings: ToolSettings) -> None:
        self.objection = NameRules(settings.allowed, settings.denied, of="tools").objection
        filters = settings.mcp_tool_filters
        self._servers = {server: compile_globs(rules, WITHIN_A_PART) for server, rules in filters.items()}
        self._writing = compile_globs(settings.allow_writing, WITHIN_A_PART)
        self._unmatched = {
            (setting, rule): compile_globs((rule,), ACROSS_PARTS if setting == "denied" else WITHIN_A_PART)
            for setting in ("allowed", "denied", "allow_writing")
            for rule in getattr(settings, setting)
            if rule.strip("*")
        }
        self._told: set[tuple[str, str]] = set()

    def may_write(self, base: str) -> bool:
        """Whether a tool of this name is let through although it says that it writes."""
        return self._writing(base) is not None

    def objection_to_server(self, server: str, base: str) -> str:
        """Why a tool of an MCP server is not offered; empty when no filter is set for that server or one fits.

        Args:
            server: its name.
            base: the tool's name, with or without the server's before it; the filter is of the part behind.
        """
        fits = self._servers.get(server)
        if fits is None or fits(base.removeprefix(f"{server}__")):
            return ""
        return f"no rule in tools.mcp_tool_filters lets it through for {server}"

    def waits(self) -> bool:
        """Whether any rule has matched no tool so far."""
        return bool(self._unmatched)

    def note(self, names: Iterable[str]) -> None:
        """Remember which rules have matched anything: these names are known now."""
        names = tuple(names)
        for rule in [rule for rule, matches in self._unmatched.items() if any(map(matches, names))]:
            del self._unmatched[rule]

    def impossible(self) -> tuple[str, ...]:
        """Rules that no name can match, each as a sentence."""
        return tuple(_describe(*rule) for rule in self._unmatched if not _POSSIBLE(rule[1]))

    def unmatched(self) -> tuple[str, ...]:
        """Rules that no tool has matched so far, most likely misspelt, each as a sentence."""
        return tuple(_describe(*rule) for rule in self._unmatched)

    def newly_unmatched(self) -> tuple[str, ...]:
        """The same, but each rule only once, and without the impossible ones."""
        rules = [rule for rule in self._unmatched if rule not in self._told and _POSSIBLE(rule[1])]
        self._told.update(rules)
        return tuple(_describe(*rule) for rule in rules)


def _describe(setting: str, rule: str) -> str:
    if not _POSSIBLE(rule):
        return f"tools.{setting}: {rule!r} can match no tool; names have A-Z a-z 0-9 _ - and rules * ** ? besides"
    return f"tools.{setting}: {rule!r} has matched no tool so far; letter case counts, `*` stays within a `__` part"
