"""What a schema costs to check: references that loop, unfold without bound, or recur.

A validator follows every reference for every value, so a short schema can cost any amount. Everything here is plain
recursion over a schema whose size, depth and number of references are bounded already.
Above: `schema_check` and `compiled_schema`. Below: `references`, `schema_parts`.
"""

from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from cetp_gateway.tools.references import References, Unusable
from cetp_gateway.tools.schema_parts import Where, parts

MOST_PARTS = 10_000
"""Subschemas and enum values, with every reference unfolded once."""

Schema = dict[str, Any]
Targets = tuple[Schema, ...]


class Shape(msgspec.Struct, frozen=True):
    """Upper bounds on the cost of checking a value."""

    size: int
    """Subschemas and enum values that one part of a value may be compared with, per level of recursion."""
    recurring: int
    """References by which a recursive schema leads back to itself; the cost may grow by this factor per level of
    the value. 0 and 1 are harmless."""


def shape_of(schema: Schema, references: References) -> Shape:
    """Measure a schema.

    Raises:
        Unusable: a reference leads back to itself, or the references unfold into too much.
    """
    measuring = _Measuring(references)
    targets = references.targets()
    if any(_reachable(target, measuring.targets_here, target) for target in targets):
        raise Unusable("a reference in it leads back to itself")
    size = measuring.unfolded(schema, set())
    if size > MOST_PARTS:
        raise Unusable(f"its references unfold into more than {MOST_PARTS} parts")
    recurring = {id(target) for target in targets if _reachable(target, measuring.targets_within, target)}
    counts = (
        sum(id(inner) in recurring for inner in measuring.targets_within(target))
        for target in targets
        if id(target) in recurring
    )
    return Shape(size, max(counts, default=0))


class _Measure(msgspec.Struct, frozen=True):
    """One subschema, references not followed."""

    size: int
    within: Targets
    """Where its references lead, all those that judge something."""
    here: Targets
    """Where those lead that judge the same value as itself."""


class _Measuring:
    def __init__(self, references: References) -> None:
        self._target = references.target
        self._measures: dict[int, _Measure] = {}
        self._sizes: dict[int, int] = {}

    def targets_here(self, schema: Schema) -> Targets:
        return self._measure(schema).here

    def targets_within(self, schema: Schema) -> Targets:
        return self._measure(schema).within

    def unfolded(self, schema: Schema, under_way: set[int]) -> int:
        """Size with references followed; one that recurs counts once."""
        known = self._sizes.get(id(schema))
        if known is not None:
            return known
        measure = self._measure(schema)
        if not measure.within:
            return measure.size
        under_way.add(id(schema))
        size = measure.size + sum(
            1 if id(target) in under_way else self.unfolded(target, under_way) for target in measure.within
        )
        under_way.discard(id(schema))
        self._sizes[id(schema)] = size
        return size

    def _measure(self, schema: Schema) -> _Measure:
        known = self._measures.get(id(schema))
        if known is None:
            known = self._measures[id(schema)] = self._measure_anew(schema)
        return known

    def _measure_anew(self, schema: Schema) -> _Measure:
        options = schema.get("enum")
        size = 1 + (len(options) if type(options) is list else 0)
        within = [self._target(schema["$ref"])] if "$ref" in schema else []
        here = within.copy()
        for where, part in parts(schema):
            if where is Where.NOWHERE:
                continue
            inner = self._measure(part)
            size += inner.size
            within += inner.within
            if where is Where.HERE:
                here += inner.here
        return _Measure(size, tuple(within), tuple(here))


def _reachable(start: Schema, next_ones: Callable[[Schema], Iterable[Schema]], wanted: Schema) -> bool:
    """Whether `wanted` comes after `start`."""
    seen: set[int] = set()
    waiting = list(next_ones(start))
    while waiting:
        current = waiting.pop()
        if current is wanted:
            return True
        if id(current) not in seen:
            seen.add(id(current))
            waiting.extend(next_ones(current))
    return False
