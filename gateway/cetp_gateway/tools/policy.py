"""The owner's rules: which tools are offered, and which may be offered although they say that they write.

A rule is a glob of public names; letter case counts. A name has parts, set apart by `__` (app, tool, and the device
when several have the tool). In rules that let something through, `*` stays within one part, so that `home__*`
cannot let `home__a__b` of another app pass; `**` goes on across parts, `?` is one character, and a lone `*` is
everything. In rules that forbid, `*` goes across parts: forbidding too much is the safe mistake. `denied` wins.
Above: `intake`, `catalog`. Knows nothing of hosts.
"""

import re
from collections.abc import Callable, Iterable

from cetp_gateway.settings.schema import ToolSettings

_PIECES = re.compile(r"\*+|\?|[^*?]+")
_WITHIN_A_PART = "(?:(?!__).)*"
_POSSIBLE = re.compile(r"[A-Za-z0-9_*?-]+").fullmatch

Matches = Callable[[str], object]


class Policy:
    """Answers by names alone, so the same name gets the same answer always."""

    def __init__(self, settings: ToolSettings) -> None:
        self._everything = settings.allowed == ("*",) and not settings.denied
        self._allowed = _compile(settings.allowed, _WITHIN_A_PART)
        self._denied = _compile(settings.denied, ".*")
        self._servers = {server: _compile(rules, _WITHIN_A_PART) for server, rules in settings.mcp_tool_filters.items()}
        self._writing = _compile(settings.allow_writing, _WITHIN_A_PART)
        self._unmatched = {
            (setting, rule): _compile((rule,), ".*" if setting == "denied" else _WITHIN_A_PART)
            for setting in ("allowed", "denied", "allow_writing")
            for rule in getattr(settings, setting)
            if rule.strip("*")
        }
        self._told: set[tuple[str, str]] = set()

    def may_write(self, base: str) -> bool:
        """Whether a tool of this name is let through although it says that it writes."""
        return self._writing(base) is not None

    def objection(self, base: str, public: str, labelled: str) -> str:
        """Why a tool is not offered; empty when it is.

        Args:
            base: its name while no other device offers it. Rules for it hold however long the name gets.
            public: its name now.
            labelled: its name with the device's plain label. A device chooses its label, so this forbids only.
        """
        if self._everything:
            return ""
        if self._denied(base) or self._denied(public) or self._denied(labelled):
            return "a rule in tools.denied forbids it"
        if not (self._allowed(base) or self._allowed(public)):
            return "no rule in tools.allowed lets it through"
        return ""

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


def _compile(rules: Iterable[str], star: str) -> Matches:
    return re.compile("|".join(_translate(rule, star) for rule in rules) or r"(?!)").fullmatch


def _translate(rule: str, star: str) -> str:
    if rule == "*":
        return ".*"
    return f"(?:{''.join(_translate_piece(piece, star) for piece in _PIECES.findall(rule))})"


def _translate_piece(piece: str, star: str) -> str:
    if piece == "?":
        return "(?!__)."
    if piece[0] == "*":
        return star if piece == "*" else ".*"
    return re.escape(piece)
