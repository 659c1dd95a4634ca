"""The chain that makes the audit trail tamper-evident: each stretch of lines is sealed with the seal before it.

    seal = SHA-256(seal before it, number of its last entry as 8 bytes, its lines)

Whoever changes, adds or removes a line has to make all later seals anew; whoever has noted one of them can tell. What
retention removes leaves an entry `pruned` with the number and seal of its end. Plain functions.
"""

import hashlib
from collections.abc import Iterable
from typing import Final

import msgspec

from cetp_gateway.policy.audit_entry import AuditEntry

FIRST_SEAL: Final = bytes(32)
"""Stands before the first stretch."""


class Stretch(msgspec.Struct, frozen=True, kw_only=True):
    """Lines that were sealed together."""

    through: int
    """Number of the last entry; entries are numbered from 1 without gaps."""
    lines: str
    """One JSON object each, without a newline at the end."""
    seal: bytes

    @property
    def first(self) -> int:
        return self.through - self.lines.count("\n")


class Verified(msgspec.Struct, frozen=True, kw_only=True):
    """What a look at the whole trail has found."""

    entries: int
    through: int
    """Number of the last entry; 0 in an empty trail."""
    seal: str
    """Hex of the last seal. Note it elsewhere: a trail that goes on from it has lost nothing since."""
    problem: str = ""
    """The first fault, with its entries' numbers; empty when there is none."""


def seal_of(before: bytes, through: int, lines: str) -> bytes:
    """The seal of a stretch that ends with entry `through`."""
    return hashlib.sha256(before + through.to_bytes(8, "big") + lines.encode()).digest()


def verify(stretches: Iterable[Stretch], *, noted_seal: str = "") -> Verified:
    """Check a trail from its beginning to its end.

    Args:
        stretches: in order.
        noted_seal: hex of a seal that must occur, as noted at an earlier look.
    """
    check = _Check(noted_seal)
    for stretch in stretches:
        problem = check.take(stretch)
        if problem:
            return check.result(problem)
    return check.result(check.missing())


class _Check:
    def __init__(self, noted_seal: str) -> None:
        self._noted = bytes.fromhex(noted_seal) if noted_seal else FIRST_SEAL
        self._seal = FIRST_SEAL
        self._through = 0
        self._entries = 0
        self._pending: Stretch | None = None
        self._told: set[tuple[int, bytes]] = set()
        self._seen = {FIRST_SEAL}

    def take(self, stretch: Stretch) -> str:
        if not self._entries and stretch.first > 1:
            # Its seal can be checked only with the one before it, which an entry `pruned` further on tells.
            self._pending = stretch
        elif stretch.first != self._through + 1:
            return f"entries {self._through + 1} to {stretch.first - 1} are missing"
        elif seal_of(self._seal, stretch.through, stretch.lines) != stretch.seal:
            return f"entries {stretch.first} to {stretch.through} are not what was sealed, or one before them is gone"
        problem = self._read(stretch)
        self._seal, self._through = stretch.seal, stretch.through
        self._seen.add(stretch.seal)
        return problem

    def _read(self, stretch: Stretch) -> str:
        for number, line in enumerate(stretch.lines.split("\n"), stretch.first):
            try:
                entry = msgspec.json.decode(line, type=AuditEntry)
                if entry.kind == "pruned":
                    self._told.add((entry.through, bytes.fromhex(entry.seal)))
            except ValueError:
                return f"entry {number} cannot be read"
            self._entries += 1
        return ""

    def missing(self) -> str:
        first = self._pending
        if first is not None and not any(self._leads_to(first, *end) for end in self._told):
            return f"entries 1 to {first.first - 1} are missing, and no entry says that they were removed"
        if self._noted not in self._seen | {seal for _, seal in self._told}:
            return "the noted seal does not occur: entries at the end are missing, or the trail was made anew"
        return ""

    @staticmethod
    def _leads_to(first: Stretch, through: int, seal: bytes) -> bool:
        return through == first.first - 1 and seal_of(seal, first.through, first.lines) == first.seal

    def result(self, problem: str) -> Verified:
        return Verified(entries=self._entries, through=self._through, seal=self._seal.hex(), problem=problem)
