"""Reads JSON that an app produced: strict where parsers differ, and bounded, because the text is hostile.

What other readers would let through in different ways (repeated keys, NaN, digits that a double cannot hold, half
characters) is reported with its pointer.
"""

import json
import math
from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec

from cetp_spec.validator.problem import Place, Problem
from cetp_spec.validator.rules import problem
from cetp_spec.validator.text import quoted
from cetp_spec.validator.unreadable import Unreadable

MAX_JSON_BYTES = 4 * 1024 * 1024
"""Four times what a Binder call can carry, so nothing larger can be a reply."""
MAX_DEPTH = 200
SAFE_INTEGER = 2**53 - 1
_MAX_DIGITS = 400
_BOM = b"\xef\xbb\xbf"

Path = tuple[Any, ...]
"""Linked from the leaf: (path of the parent, key); empty for the root."""


class Document(msgspec.Struct, frozen=True):
    """A decoded document, and the problems of its text."""

    value: Any
    problems: tuple[Problem, ...]


class _Repeated(dict[str, Any]):
    """An object that had keys more than once."""

    repeated: tuple[str, ...] = ()


class _Constant(float):
    """NaN or an infinity that was written as a word."""


def read_json(content: bytes, place: Place) -> Document:
    """Decode UTF-8 JSON; `place` is that of the whole document.

    Raises:
        Unreadable: too large, too deep, not UTF-8, or not JSON.
    """
    if len(content) > MAX_JSON_BYTES:
        raise Unreadable("input.too-large", f"has {len(content)} bytes; JSON is read up to {MAX_JSON_BYTES}")
    marked = content.startswith(_BOM)
    try:
        text = content.removeprefix(_BOM).decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise Unreadable("json.encoding", f"is not UTF-8 at byte {error.start}", line=line) from error
    found = [problem("json.byte-order-mark", place, "begins with a byte order mark")] if marked else []
    return decode(text, place, found)


def decode(text: str, place: Place, found: list[Problem] | None = None) -> Document:
    """Decode JSON text that stands at `place`, for instance inside a reply. Raises Unreadable as `read_json`."""
    problems = list(found or [])
    try:
        value = json.loads(text, object_pairs_hook=_object, parse_constant=_Constant, parse_int=_integer)
    except json.JSONDecodeError as error:
        message = f"is not JSON: {error.msg} in line {error.lineno}, column {error.colno}"
        raise Unreadable("json.syntax", message, line=error.lineno) from error
    except RecursionError as error:
        raise Unreadable("json.too-deep", f"is nested deeper than {MAX_DEPTH} levels") from error
    root = [value]
    problems += _walk(root, place)
    return Document(root[0], tuple(problems))


def pointer_of(path: Path) -> list[str | int]:
    """The keys from the root to a linked path."""
    keys: list[str | int] = []
    while path:
        path, key = path
        keys.append(key)
    return keys[::-1]


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) == len(pairs):
        return members
    found = _Repeated(members)
    found.repeated = tuple(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
    return found


def _integer(digits: str) -> int | float:
    # Python refuses to read thousands of digits, and no other reader keeps them.
    return int(digits) if len(digits) <= _MAX_DIGITS else math.inf


def _walk(root: list[Any], place: Place) -> Iterator[Problem]:
    """Look at every value once, without recursion; constants that are not JSON become 0 for the checks to come."""
    unsafe: list[Path] = []
    halves: list[Path] = []
    stack: list[tuple[Any, Any, Path, int]] = [(root, 0, (), 0)]
    while stack:
        parent, key, path, depth = stack.pop()
        value = parent[key]
        if depth > MAX_DEPTH:
            raise Unreadable("json.too-deep", f"is nested deeper than {MAX_DEPTH} levels")
        if isinstance(value, dict):
            if isinstance(value, _Repeated):
                message = f"has the key {quoted(value.repeated[0])} more than once; readers keep different ones"
                yield problem("json.duplicate-key", place.below(*pointer_of(path)), message)
            halves += [(path, name) for name in value if _is_half(name)]
            stack += [(value, name, (path, name), depth + 1) for name in reversed(value)]
        elif isinstance(value, list):
            stack += [(value, index, (path, index), depth + 1) for index in reversed(range(len(value)))]
        elif isinstance(value, _Constant):
            yield problem("json.constant", place.below(*pointer_of(path)), f"{float(value)} is not JSON")
            parent[key] = 0
        elif isinstance(value, str):
            halves += [path] if _is_half(value) else []
        elif _is_unsafe(value):
            unsafe.append(path)
            parent[key] = 0 if value in (math.inf, -math.inf) else value
    yield from _first_of(unsafe, place, "json.number-unsafe", "a number that is not exact in a double")
    yield from _first_of(halves, place, "json.half-character", "an unpaired surrogate, half a character")


def _first_of(paths: list[Path], place: Place, rule: str, what: str) -> Iterator[Problem]:
    if paths:
        more = f" (and {len(paths) - 1} more)" if len(paths) > 1 else ""
        yield problem(rule, place.below(*pointer_of(paths[0])), f"holds {what}{more}")


def _is_unsafe(value: Any) -> bool:
    if isinstance(value, bool) or value is None:
        return False
    return abs(value) > SAFE_INTEGER if isinstance(value, int) else math.isinf(value)


def _is_half(text: str) -> bool:
    if text.isascii():
        return False
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False
