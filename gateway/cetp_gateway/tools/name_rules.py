"""Globs over public names: which tools are let through, and which never are. Plain functions of values.

A rule is a glob of public names; letter case counts. A name has parts, set apart by `__` (app, tool, and the device
when several have the tool). In rules that let something through, `*` stays within one part, so that `home__*`
cannot let `home__a__b` of another app pass; `**` goes on across parts, `?` is one character, and a lone `*` is
everything. In rules that forbid, `*` goes across parts: forbidding too much is the safe mistake. What forbids wins.
Above: `policy`, `narrowed`, and whoever holds rules of its own. Knows nothing of hosts.
"""

import re
from collections.abc import Callable, Iterable
from typing import Final

_PIECES = re.compile(r"\*+|\?|[^*?]+")
WITHIN_A_PART: Final = "(?:(?!__).)*"
ACROSS_PARTS: Final = ".*"

Matches = Callable[[str], object]


class NameRules:
    """Answers by names alone, so the same name gets the same answer always.

    Args:
        allowed: globs; nothing else is let through.
        denied: globs that win over `allowed`.
        of: whose rules they are, for people.
    """

    def __init__(self, allowed: Iterable[str], denied: Iterable[str], *, of: str) -> None:
        allowed, denied = tuple(allowed), tuple(denied)
        self.everything = allowed == ("*",) and not denied
        self._allowed = compile_globs(allowed, WITHIN_A_PART)
        self._denied = compile_globs(denied, ACROSS_PARTS)
        self._of = of

    def objection(self, base: str, public: str, labelled: str) -> str:
        """Why a tool is not let through; empty when it is.

        Args:
            base: its name while no other device offers it. Rules for it hold however long the name gets.
            public: its name now.
            labelled: its name with the device's plain label. A device chooses its label, so this forbids only.
        """
        if self.everything:
            return ""
        if self._denied(base) or self._denied(public) or self._denied(labelled):
            return f"a rule in {self._of}.denied forbids it"
        if not (self._allowed(base) or self._allowed(public)):
            return f"no rule in {self._of}.allowed lets it through"
        return ""


def compile_globs(rules: Iterable[str], star: str) -> Matches:
    """Whether a name fits one of the rules; `star` is what a single `*` stands for."""
    return re.compile("|".join(_translate(rule, star) for rule in rules) or r"(?!)").fullmatch


def _translate(rule: str, star: str) -> str:
    if rule == "*":
        return ACROSS_PARTS
    return f"(?:{''.join(_translate_piece(piece, star) for piece in _PIECES.findall(rule))})"


def _translate_piece(piece: str, star: str) -> str:
    if piece == "?":
        return "(?!__)."
    if piece[0] == "*":
        return star if piece == "*" else ACROSS_PARTS
    return re.escape(piece)
