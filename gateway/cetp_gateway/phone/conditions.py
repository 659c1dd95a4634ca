"""Conditions of a pack's query: which records stay, and in what order a search puts them."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any

import msgspec

from cetp_gateway.phone.days import first_and_last
from cetp_gateway.phone.words import shared_words, words_of

Record = dict[str, Any]
Operand = Any
"""A JSON value, or `$NAME` for the argument of that name."""

ABSENT = object()
"""What an operand is worth when its argument was not given, null or empty."""


class Condition(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What at least one of `fields` must fulfil. Without its argument a condition says nothing."""

    fields: tuple[str, ...]
    equals: Operand = msgspec.UNSET
    """The same value; texts regardless of case, a list when it holds the value."""
    search: Operand = msgspec.UNSET
    """Shares at least one word with the text; records that share most words come first."""
    closest: Operand = msgspec.UNSET
    """As `search`, but only the records that share most words."""
    since: Operand = msgspec.UNSET
    """Not less than a number, a day (YYYY-MM-DD) or the first day of a period."""
    until: Operand = msgspec.UNSET
    """Not more than a number, a day or the last day of a period."""
    during: Operand = msgspec.UNSET
    """A day or one of the periods of `days.PERIODS`."""


def worth(operand: Operand, arguments: Mapping[str, Any]) -> Any:
    """The operand's value for these arguments, or ABSENT."""
    if operand is msgspec.UNSET:
        return ABSENT
    if isinstance(operand, str) and operand.startswith("$"):
        value = arguments.get(operand[1:])
        return ABSENT if value is None or value == "" else value
    return operand


def keep(condition: Condition, records: list[Record], arguments: Mapping[str, Any], today: date) -> list[Record]:
    """The records that fulfil a condition."""
    for name, operator in OPERATORS.items():
        value = worth(getattr(condition, name), arguments)
        if value is not ABSENT:
            records = operator(records, condition.fields, value, today)
    return records


def _equals(records: list[Record], fields: Sequence[str], value: Any, _: date) -> list[Record]:
    wanted = _folded(value)
    return [record for record in records if any(_folded(own) == wanted for own in _values(record, fields))]


def _search(records: list[Record], fields: Sequence[str], value: Any, _: date) -> list[Record]:
    return [record for score, record in _scored(records, fields, value) if score]


def _closest(records: list[Record], fields: Sequence[str], value: Any, _: date) -> list[Record]:
    scored = _scored(records, fields, value)
    best = scored[0][0] if scored else 0
    return [record for score, record in scored if score and score == best]


def _scored(records: list[Record], fields: Sequence[str], value: Any) -> list[tuple[int, Record]]:
    asked = words_of(str(value))
    scored = [(shared_words(asked, " ".join(map(str, _values(record, fields)))), record) for record in records]
    return sorted(scored, key=lambda pair: -pair[0])


def _since(records: list[Record], fields: Sequence[str], value: Any, today: date) -> list[Record]:
    low = first_and_last(value, today)[0] if isinstance(value, str) else value
    return [record for record in records if any(_alike(own, low) and own >= low for own in _values(record, fields))]


def _until(records: list[Record], fields: Sequence[str], value: Any, today: date) -> list[Record]:
    high = first_and_last(value, today)[1] if isinstance(value, str) else value
    return [record for record in records if any(_alike(own, high) and own <= high for own in _values(record, fields))]


def _during(records: list[Record], fields: Sequence[str], value: Any, today: date) -> list[Record]:
    return _until(_since(records, fields, str(value), today), fields, str(value), today)


OPERATORS: dict[str, Callable[[list[Record], Sequence[str], Any, date], list[Record]]] = {
    "equals": _equals,
    "search": _search,
    "closest": _closest,
    "since": _since,
    "until": _until,
    "during": _during,
}
"""Every operator of a condition, by its key."""


def _values(record: Record, fields: Sequence[str]) -> list[Any]:
    """The values of some fields, lists taken apart."""
    values: list[Any] = []
    for field in fields:
        value = record.get(field)
        values.extend(value if isinstance(value, list) else [] if value is None else [value])
    return values


def _alike(one: Any, other: Any) -> bool:
    """Whether two values can be put in order: both text or both numbers."""
    return (isinstance(one, str) and isinstance(other, str)) or (
        isinstance(one, int | float) and isinstance(other, int | float)
    )


def _folded(value: Any) -> Any:
    return value.casefold() if isinstance(value, str) else value
