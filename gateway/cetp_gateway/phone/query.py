"""The small query of a pack: which records of a table answer a call, and in what shape.

A plain function of records, arguments and today's date. `pack.schema.json` tells authors the same.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

import msgspec

from cetp_gateway.phone.conditions import OPERATORS, Condition, Operand, Record, keep, worth

PAGE = 20
"""Records in an answer when the query does not say."""


class Query(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One question to one table."""

    table: str
    where: tuple[Condition, ...] = ()
    group: str = ""
    """Field to gather by: one item per value, with `count` and the sums."""
    sums: dict[str, str] = {}
    """Name of a total to the field that is added up, over all records found and not only the page."""
    sort: tuple[str, ...] = ()
    """Fields, the most important first; a leading `-` turns the order round."""
    skip: Operand = 0
    limit: Operand = PAGE
    select: tuple[str, ...] = ()
    """Fields to show; all when empty."""
    name: str = "items"
    """Key of the list in the answer."""
    one: bool = False
    """The answer is the first record itself."""


def operands(query: Query) -> Iterable[tuple[str, Operand]]:
    """Every operand with its JSON pointer inside the query."""
    for index, condition in enumerate(query.where):
        for name in OPERATORS:
            value = getattr(condition, name)
            if value is not msgspec.UNSET:
                yield f"/where/{index}/{name}", value
    yield "/skip", query.skip
    yield "/limit", query.limit


def run(query: Query, records: Sequence[Record], arguments: Mapping[str, Any], today: date) -> Record | None:
    """Answer a query.

    Returns:
        With `one` the first record, None when there is none. Otherwise an object: the page under `name`,
        `total` (how many were found), the sums, and `next_offset` when more follow.
    """
    found = list(records)
    for condition in query.where:
        found = keep(condition, found, arguments, today)
    items = _sorted(_groups(query, found) if query.group else found, query.sort)
    if query.one:
        return _select(items[0], query.select) if items else None
    return {**_page(query, items, arguments), **({} if query.group else _sums(query.sums, found))}


def _page(query: Query, items: Sequence[Record], arguments: Mapping[str, Any]) -> Record:
    start = _whole(query.skip, arguments, 0)
    end = start + _whole(query.limit, arguments, PAGE)
    page: Record = {query.name: [_select(item, query.select) for item in items[start:end]], "total": len(items)}
    if start < end < len(items):
        page["next_offset"] = end
    return page


def _whole(operand: Operand, arguments: Mapping[str, Any], default: int) -> int:
    value = worth(operand, arguments)
    return max(0, int(value)) if isinstance(value, int | float) else default


def _groups(query: Query, found: Iterable[Record]) -> list[Record]:
    gathered: dict[str, list[Record]] = {}
    for record in found:
        gathered.setdefault(repr(record.get(query.group)), []).append(record)
    return [
        {query.group: members[0].get(query.group), "count": len(members), **_sums(query.sums, members)}
        for members in gathered.values()
    ]


def _sums(sums: Mapping[str, str], records: Sequence[Record]) -> Record:
    return {name: round(sum(_amount(record.get(field)) for record in records), 3) for name, field in sums.items()}


def _amount(value: Any) -> float:
    return value if isinstance(value, int | float) else 0


def _sorted(items: list[Record], keys: Sequence[str]) -> list[Record]:
    """Stable, so the least important key first; records without the field come last in either direction."""
    for key in reversed(keys):
        field = key.removeprefix("-")
        have = [item for item in items if item.get(field) is not None]
        have.sort(key=lambda item, field=field: _rank(item[field]), reverse=key.startswith("-"))  # type: ignore[misc]
        items = have + [item for item in items if item.get(field) is None]
    return items


def _rank(value: Any) -> tuple[bool, float, str]:
    """Numbers before texts, so that a table of mixed values still has an order."""
    number = isinstance(value, int | float)
    return (not number, value if number else 0, "" if number else str(value))


def _select(item: Record, fields: Sequence[str]) -> Record:
    return {field: item[field] for field in fields if field in item} if fields else item
