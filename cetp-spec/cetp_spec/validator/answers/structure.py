"""Checks against the published schemas: what the rules proper do not cover is still never let through."""

from collections.abc import Iterator
from typing import Any

from cetp_spec import schemas
from cetp_spec.validator.problem import Place, Problem
from cetp_spec.validator.rules import problem
from cetp_spec.validator.text import quoted

_SHOWN_FAULTS = 10


def structure_problems(kind: str, value: Any, place: Place, rule: str) -> Iterator[Problem]:
    """How the value does not fit the published schema `kind`, up to ten faults."""
    for fault, _ in zip(schemas.validator(kind).iter_errors(value), range(_SHOWN_FAULTS), strict=False):
        message = quoted(fault.message, 160)[1:-1]
        yield problem(rule, place.below(*fault.absolute_path), f"does not fit the schema {kind}: {message}")
