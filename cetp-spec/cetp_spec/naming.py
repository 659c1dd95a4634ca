"""From packages and tools to public names (spec 8): the one rule that bridge, gateway and virtual phone share.

Plain functions of values. What comes out depends on what is on the phone alone: no display names, no scan order,
no clock. `vectors/namespacing.json` holds cases for other languages.
"""

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from hashlib import sha256
from typing import TypeVar

from cetp_spec.data import contract

_NAMES = contract()["names"]
SEPARATOR: str = _NAMES["separator"]
MAX_LENGTH: int = _NAMES["max_length"]
"""Characters of a public name; OpenAI-style endpoints take no more."""

_SILENT = frozenset(_NAMES["silent_segments"])
_LABEL_DIGITS: int = _NAMES["label_hash_digits"]
_NAME_DIGITS: int = _NAMES["name_hash_digits"]
_ALL_DIGITS = sha256().digest_size * 2
_ILLEGAL = re.compile(f"[^{_NAMES['alphabet']}]")
_UNNAMEABLE = re.compile("[\0\ud800-\udfff]")
_NOT_IN_LABELS = re.compile("[^a-z0-9]+")
_UPPER = re.compile("[A-Z]+")

Key = TypeVar("Key", bound=Hashable)


class CannotBeNamed(ValueError):
    """A package or tool name that no public name can stand for: see `can_be_named`."""

    def __init__(self, name: str, what: str) -> None:
        super().__init__(
            f"{what} {name!r} cannot be named: it is empty, or holds U+0000 or half a character (spec 8.3)"
        )
        self.name = name


def can_be_named(name: str) -> bool:
    """True unless the text is empty, or holds U+0000 or an unpaired surrogate (spec 8.3)."""
    return bool(name) and not _UNNAMEABLE.search(name)


def label_for(package: str) -> str:
    """The label of a package that is alone on its phone (spec 8.1); `com.example.notes.app` gives `notes`.

    Raises:
        CannotBeNamed: the package cannot be named.
    """
    base, says_something = _base(package)
    return base if says_something else _suffixed(base, package, _LABEL_DIGITS)


def labels(packages: Iterable[str]) -> dict[str, str]:
    """Every package of one phone with its label; no two have the same, whatever the order (spec 8.1).

    Raises:
        CannotBeNamed: one of the packages cannot be named.
    """
    bases = {package: _base(package) for package in packages}
    digits = {package: 0 if says_something else _LABEL_DIGITS for package, (_, says_something) in bases.items()}
    while True:
        found = {package: _suffixed(base, package, digits[package]) for package, (base, _) in bases.items()}
        equal = _shared(found)
        if not equal:
            return found
        for package in equal:
            digits[package] = min(digits[package] + _LABEL_DIGITS, _ALL_DIGITS)


def public_names(providers: Mapping[str, Sequence[str]]) -> dict[tuple[str, str], str]:
    """Every (package, tool) of one phone with its public name (spec 8.2, 8.3): legal, and no two the same.

    Raises:
        CannotBeNamed: one of the packages or tools cannot be named; see `can_be_named`.
    """
    found_labels = labels(providers)
    joined = {
        (package, tool): found_labels[package] + SEPARATOR + short
        for package, tools in providers.items()
        for tool, short in _short_names(package, tools).items()
    }
    return fit_all(joined, {key: "\0".join(key) for key in joined})


def fit(name: str, stands_for: str, *, attempt: int = 1) -> str:
    """A legal name: unchanged when it is one already, else its legal part and a hash of `stands_for` (spec 8.3).

    `attempt` 2, 3, … give further names, for when the one before is taken.

    Raises:
        CannotBeNamed: the name cannot be named.
    """
    _check(name, "name")
    if _is_legal(name):
        return name
    source = stands_for if attempt == 1 else f"{stands_for}\0{attempt}"
    tail = "_" + _digest(source, _NAME_DIGITS)
    return _ILLEGAL.sub("_", name)[: MAX_LENGTH - len(tail)] + tail


def fit_all(names: Mapping[Key, str], stand_for: Mapping[Key, str]) -> dict[Key, str]:
    """`fit` for many distinct names at once: legal names stay, and those made legal avoid them and each other.

    Raises:
        CannotBeNamed: one of the names cannot be named.
        ValueError: two names stand for the same thing.
    """
    if len({stand_for[key] for key in names}) < len(names):
        raise ValueError("two names stand for the same thing, so nothing can tell them apart")
    attempts = dict.fromkeys(names, 1)
    while True:
        found = {key: fit(name, stand_for[key], attempt=attempts[key]) for key, name in names.items()}
        taken = [key for key in _shared(found) if not _is_legal(names[key])]
        if not taken:
            return found
        for key in taken:
            attempts[key] += 1


def _base(package: str) -> tuple[str, bool]:
    """The part of a package that a label is made of, and whether it says something."""
    _check(package, "package")
    segments = [_plain(segment) for segment in package.split(".")]
    telling = [segment for segment in segments if segment and segment not in _SILENT]
    return (telling[-1], True) if telling else ("app", False)


def _plain(segment: str) -> str:
    lowered = _UPPER.sub(lambda found: found[0].lower(), segment)
    return _NOT_IN_LABELS.sub("_", lowered).strip("_")


def _suffixed(base: str, package: str, digits: int) -> str:
    return f"{base}_{_digest(package, digits)}" if digits else base


def _short_names(package: str, tools: Iterable[str]) -> dict[str, str]:
    """Each tool without its provider's own prefix, unless another tool has that very name (spec 8.2)."""
    own_prefix = _base(package)[0] + SEPARATOR
    names = dict.fromkeys(tools)
    for tool in names:
        _check(tool, "tool")
    rests = {tool: tool.removeprefix(own_prefix) for tool in names}
    return {tool: rest if rest and rest not in names else tool for tool, rest in rests.items()}


def _shared(names: Mapping[Key, str]) -> list[Key]:
    """The keys whose name another key has too."""
    holders = Counter(names.values())
    return [key for key, name in names.items() if holders[name] > 1]


def _is_legal(name: str) -> bool:
    return 0 < len(name) <= MAX_LENGTH and not _ILLEGAL.search(name)


def _digest(text: str, digits: int) -> str:
    return sha256(text.encode()).hexdigest()[:digits]


def _check(name: str, what: str) -> None:
    if not can_be_named(name):
        raise CannotBeNamed(name, what)
