"""JSON within quotes, unpacked where a schema wants an object or array and does not take text.

Above: `arguments`. Knows the validator's errors, not its schemas.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import jsonschema_rs
import msgspec
from jsonschema_rs import ValidationErrorKind as Kind

_CONTAINERS = {"object": dict, "array": list}
_decode = msgspec.json.Decoder().decode
_encode = msgspec.json.Encoder().encode


def unquote(text: str) -> Any:
    """The object or array that the text is the JSON of; None when it is none."""
    if text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        value = _decode(text)
    except (msgspec.MsgspecError, RecursionError):
        return None
    return value if isinstance(value, dict | list) else None


def unquote_parts(value: Any, errors: Iterable[jsonschema_rs.ValidationError]) -> Any:
    """A copy of the value in which text is unpacked where these errors ask for it; None when there is no such text."""
    found = [(error.instance_path, part) for error in errors if (part := _wanted(value, error)) is not None]
    if not found:
        return None
    copy = _decode(_encode(value))
    for path, part in found:
        _holder(copy, path)[path[-1]] = part
    return copy


def _wanted(value: Any, error: jsonschema_rs.ValidationError) -> Any:
    types = _types(error.kind, error.instance_path)
    if not error.instance_path or not _CONTAINERS.keys() & types:
        return None
    text = _holder(value, error.instance_path)[error.instance_path[-1]]
    part = unquote(text) if type(text) is str else None
    return part if any(type(part) is _CONTAINERS.get(name) for name in types) else None


def _types(kind: Kind, path: Sequence[str | int]) -> set[str]:
    """The types that would do at this very place, as far as the error says."""
    if isinstance(kind, Kind.Type):
        return set(kind.types)
    if isinstance(kind, Kind.AnyOf | Kind.OneOfNotValid):
        inner = (error for branch in kind.context for error in branch if error.instance_path == path)
        return set().union(*(_types(error.kind, path) for error in inner))
    return set()


def _holder(value: Any, path: Sequence[str | int]) -> Any:
    for step in path[:-1]:
        value = value[step]
    return value
