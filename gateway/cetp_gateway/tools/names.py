"""Public names: how a wire name becomes legal, and how equal names of several hosts are told apart.

Plain functions of values. Which names are equal is for `scope` to say.
"""

import re
from collections.abc import Container, Iterable
from hashlib import sha256
from itertools import count

from cetp_spec.naming import MAX_LENGTH, SEPARATOR, can_be_named, fit

LABEL_CHARS = 16
"""Characters of a host's label within a public name."""

HOST_DIGITS = (4, 6, 12, 16)
"""Hex digits of a host's id that may stand behind its label; never `_NAME_DIGITS` many, so that a qualified name
and a hashed one cannot be mistaken for each other."""

_NAME_DIGITS = 8

is_legal = re.compile(r"[A-Za-z0-9_-]{1,64}\Z").match
_NOT_IN_SLUG = re.compile("[^a-z0-9]+")
_HASHED_TAIL = re.compile(r"(.+)_([0-9a-f]{8})")


def base_names(wire_names: Iterable[str], protected: Container[str]) -> dict[str, str]:
    """The name that each of a host's tools has while nobody else offers it: legal, distinct, not protected.

    Depends on the set of names alone. `wire_names` are distinct and can all be named (spec 8.3).
    """
    found = {}
    odd = []
    for wire in wire_names:
        if is_legal(wire) and wire not in protected:
            found[wire] = wire
        else:
            odd.append(wire)
    taken = set(found)
    for wire in sorted(odd):
        name = next(
            name for attempt in count(1) if (name := _made(wire, attempt)) not in taken and name not in protected
        )
        taken.add(name)
        found[wire] = name
    return found


def _made(wire: str, attempt: int) -> str:
    """Another name for `wire`, with a hash of it; a legal one needs it when its name is protected."""
    if not is_legal(wire):
        return fit(wire, wire, attempt=attempt)
    return _hashed(wire, "", wire if attempt == 1 else f"{wire}\0{attempt}")


def plain_name(wire: str) -> str:
    """The public name of a wire name that has nothing to be told apart from; it must be nameable."""
    return fit(wire, wire)


def slug(label: str) -> str:
    """A label as part of a public name: lower-case letters, digits and single hyphens; `device` when none is left."""
    return _NOT_IN_SLUG.sub("-", label[:256].lower())[:LABEL_CHARS].strip("-") or "device"


def host_digits(host_id: str) -> str:
    """What tells hosts with equal labels apart, as hex; a prefix of it is shown."""
    return _digest(host_id, HOST_DIGITS[-1])


def qualified(base: str, suffix: str) -> str:
    """The name with the host's suffix; empty when that is too long."""
    name = base + SEPARATOR + suffix
    return name if len(name) <= MAX_LENGTH else ""


def hashed(base: str, suffix: str) -> str:
    """The name with the host's suffix and a hash of itself, for when `qualified` will not do."""
    return _hashed(base, SEPARATOR + suffix, base)


def split_qualified(name: str) -> tuple[str, str]:
    """Base and suffix that `qualified` may have made the name of; empty strings when it has not."""
    base, _, suffix = name.rpartition(SEPARATOR)
    return (base, suffix) if base else ("", "")


def suffix_of_hashed(name: str) -> str:
    """The suffix that `hashed` may have made the name of; empty when it has not."""
    if name[-9:-8] != "_":
        return ""
    match = _HASHED_TAIL.fullmatch(split_qualified(name)[1])
    return match[1] if match else ""


def nameable(name: str) -> bool:
    """Whether any public name can stand for this wire name (spec 8.3)."""
    return can_be_named(name)


def _hashed(base: str, middle: str, stands_for: str) -> str:
    tail = f"{middle}_{_digest(stands_for, _NAME_DIGITS)}"
    return base[: MAX_LENGTH - len(tail)] + tail


def _digest(text: str, digits: int) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:digits]
