"""The regular expressions of a schema: which are checked, and which are left to the phone's app.

Above: `schema_check`, `compiled_schema`. Below: `patterns`, `schema_parts`.
"""

from collections.abc import Iterator
from typing import Any

from cetp_gateway.tools.patterns import compile_pattern
from cetp_gateway.tools.references import Unusable, shorten
from cetp_gateway.tools.schema_parts import every_part

Schema = dict[str, Any]


def drop_bad_patterns(schema: Schema, most: int) -> tuple[str, ...]:
    """Leave out what is no regular expression here, looking at the first `most`; what was changed.

    Raises:
        Unusable: an expression for property names is none, or there are more than `most` of those.
    """
    keys = _key_patterns(schema)
    if len(keys) > most:
        raise Unusable(f"it has {len(keys)} patterns for property names, at most {most} are taken")
    for key in keys:
        found = compile_pattern(key)
        if found is None or not found.kib:
            raise Unusable(f"its pattern for property names {shorten(key)} is no regular expression here, or too large")
    dropped = [part.pop("pattern") for part in _first(schema, most) if compile_pattern(part["pattern"]) is None]
    return tuple(f"its pattern {shorten(pattern, 40)} cannot be used and was left out" for pattern in dropped[:1])


def drop_unchecked_patterns(schema: Schema, most: int) -> int:
    """Leave out what will not be matched: expressions that are too large, and all but the first `most`.

    Returns how many are left.
    """
    every = list(_with_pattern(schema))
    kept = {id(part) for part in every[:most] if (found := compile_pattern(part["pattern"])) and found.kib}
    for part in every:
        if id(part) not in kept:
            del part["pattern"]
    return len(kept)


def cost_of_key_patterns(schema: Schema) -> int:
    """KiB of expression that every property name may be matched with (see `patterns`)."""
    return sum(found.kib for key in _key_patterns(schema) if (found := compile_pattern(key)))


def _first(schema: Schema, most: int) -> list[Schema]:
    return [part for part, _ in zip(_with_pattern(schema), range(most), strict=False)]


def _with_pattern(schema: Schema) -> Iterator[Schema]:
    return (part for part in list(every_part(schema)) if type(part.get("pattern")) is str)


def _key_patterns(schema: Schema) -> list[str]:
    return [key for part in every_part(schema) if type(keys := part.get("patternProperties")) is dict for key in keys]
