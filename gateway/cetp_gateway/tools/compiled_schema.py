"""A schema compiled for checking arguments, and how much of a check it allows.

What would stop the event loop is not checked but let through: the schema is the phone's own, its app checks the
arguments itself, and a refusal would break what would have worked.
Above: `arguments`, `schema_check`. Below: `schema_shape`, `schema_patterns`, `patterns`, `problems`.
"""

from typing import Any

import jsonschema_rs
import msgspec

from cetp_gateway.api import ArgumentProblem
from cetp_gateway.settings.limits import LimitSettings
from cetp_gateway.tools.patterns import BUDGET_KIB_CHARS, SIZES_KIB, Budget, backtracking, pattern_keyword
from cetp_gateway.tools.problems import describe_all
from cetp_gateway.tools.references import References, Unusable
from cetp_gateway.tools.schema_parts import depth_of
from cetp_gateway.tools.schema_patterns import cost_of_key_patterns, drop_unchecked_patterns
from cetp_gateway.tools.schema_shape import shape_of

MOST_COMPARISONS = 150_000
"""Parts of a value times parts of a schema in one check, at 0.1 µs each at worst."""
PATTERN_COMPARISONS = 6
"""What a pattern counts as besides its matching: it is called back from the validator."""

_decode = msgspec.json.Decoder().decode


class CompiledSchema:
    """Checks arguments.

    Args:
        text: a schema that is valid JSON Schema 2020-12, with bounded size and depth.

    Raises:
        Unusable: it cannot be compiled.
    """

    __slots__ = ("_budget", "_key_kib", "_recurring", "_size", "_validator", "easy_bytes")

    def __init__(self, text: bytes, limits: LimitSettings) -> None:
        schema = _decode(text)
        shape = shape_of(schema, References(schema, limits.schema_refs))
        self._recurring = shape.recurring
        self._key_kib = cost_of_key_patterns(schema)
        self._size = shape.size + PATTERN_COMPARISONS * drop_unchecked_patterns(schema, limits.schema_patterns)
        self._budget = Budget()
        self._validator = _compile(schema, self._budget)
        self.easy_bytes = self._easy_bytes()
        """Arguments up to this size can be checked without a look at their form."""

    def allows(self, text: bytes, value: Any) -> bool:
        """Whether a check of this value, whose JSON text is given, stays within bounds."""
        if len(text) * self._key_kib > BUDGET_KIB_CHARS:
            return False
        parts = 1 + text.count(b",") + text.count(b"{") + text.count(b"[")
        cost = parts * self._size
        if cost <= MOST_COMPARISONS and self._recurring > 1:
            cost *= self._recurring ** depth_of(value)
        return cost <= MOST_COMPARISONS

    def _easy_bytes(self) -> int:
        if self._recurring > 1:
            return 0
        # A part of a value has two bytes at least.
        most = 2 * MOST_COMPARISONS // self._size
        return min(most, BUDGET_KIB_CHARS // self._key_kib) if self._key_kib else most

    def is_valid(self, value: Any) -> bool:
        self._budget.left = BUDGET_KIB_CHARS
        return self._validator.is_valid(value)

    def errors(self, value: Any) -> list[jsonschema_rs.ValidationError]:
        """What is wrong, in the validator's terms."""
        self._budget.left = BUDGET_KIB_CHARS
        return list(self._validator.iter_errors(value))

    def problems(self, value: Any) -> tuple[ArgumentProblem, ...]:
        """What is wrong, in plain words; empty when nothing is."""
        return describe_all(self.errors(value))


def _compile(schema: dict[str, Any], budget: Budget) -> jsonschema_rs.Validator:
    try:
        return jsonschema_rs.Draft202012Validator(
            schema,
            keywords={"pattern": pattern_keyword(budget)},
            pattern_options=backtracking(SIZES_KIB[-1]),
            offline=True,
        )
    except (ValueError, jsonschema_rs.ReferencingError):
        raise Unusable("it cannot be compiled") from None
