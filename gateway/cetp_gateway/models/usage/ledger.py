"""What models have used, in the database: one row for each request, and sums by day, session, tool and model.

A request that reads the results of tools is what these tools have cost, in equal parts.
"""

import sqlite3
from collections.abc import Mapping
from datetime import date, datetime
from typing import Final, Literal

import msgspec

from cetp_gateway.api import Usage
from cetp_gateway.storage import Database

Grouping = Literal["day", "session", "tool", "model"]

_PARTS: Final = "max(json_array_length(u.tools), 1)"
_KEYS: Final[Mapping[Grouping, tuple[str, str, str]]] = {
    "day": ("u.day", "model_usage u", "1"),
    "session": ("u.session_id", "model_usage u", "1"),
    "model": ("u.provider || '/' || u.model", "model_usage u", "1"),
    "tool": ("coalesce(t.value, '')", "model_usage u LEFT JOIN json_each(u.tools) t", _PARTS),
}
"""For each grouping: its key, where the rows come from, and among how many keys a row is shared."""
_ALL: Final = ("''", "model_usage u", "1")


class UsedRow(msgspec.Struct, frozen=True, kw_only=True):
    """One request."""

    at: datetime
    """With its zone; the day is the zone's."""
    session_id: str
    provider: str
    model: str
    usage: Usage
    cost_usd: float | None
    """None: the price is not known."""
    estimated: bool = False
    """The vendor did not say how many tokens it were."""
    tools: tuple[str, ...] = ()
    """The tools whose results it read."""


class UsageSum(msgspec.Struct, frozen=True, kw_only=True):
    """Sums of some requests."""

    key: str = ""
    """The day, session, tool or model; for tools empty where none was used."""
    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_input_tokens: int = 0
    cost_usd: float = 0.0
    unpriced: int = 0
    """Requests whose price is not known; they are not in `cost_usd`."""
    estimated: int = 0
    """Requests whose tokens were estimated, because the answer was stopped or broke off."""


class UsageLedger:
    """The table `model_usage`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, row: UsedRow) -> None:
        """Raises StorageError."""
        usage = row.usage
        values = (
            row.at.isoformat(timespec="milliseconds"),
            row.at.date().isoformat(),
            row.session_id,
            row.provider,
            row.model,
            usage.input_tokens,
            usage.output_tokens,
            usage.cached_input_tokens,
            usage.cache_write_tokens,
            row.cost_usd,
            int(row.estimated),
            msgspec.json.encode(row.tools).decode(),
        )
        marks = ", ".join("?" * len(values))
        await self._database.write(lambda connection: connection.execute(f"{_INSERT} VALUES ({marks})", values))

    async def sums(self, grouping: Grouping, since: date, limit: int = 100) -> list[UsageSum]:
        """The groups of the days from `since` on: days newest first, others dearest first."""
        order = "1 DESC" if grouping == "day" else "cost_usd DESC, output_tokens DESC, 1"
        query = f"{_select(*_KEYS[grouping])} WHERE u.day >= ? GROUP BY 1 ORDER BY {order} LIMIT ?"
        return await self._read(query, (since.isoformat(), limit))

    async def total(self, since: date) -> UsageSum:
        """Of the days from `since` on."""
        return (await self._read(f"{_select(*_ALL)} WHERE u.day >= ?", (since.isoformat(),)))[0]

    async def session_total(self, session_id: str) -> UsageSum:
        return (await self._read(f"{_select(*_ALL)} WHERE u.session_id = ?", (session_id,)))[0]

    async def forget_before(self, day: date) -> int:
        """Remove older rows; how many went."""

        def remove(connection: sqlite3.Connection) -> int:
            return connection.execute("DELETE FROM model_usage WHERE day < ?", (day.isoformat(),)).rowcount

        return await self._database.write(remove)

    async def _read(self, query: str, values: tuple[object, ...]) -> list[UsageSum]:
        rows = await self._database.read(lambda connection: connection.execute(query, values).fetchall())
        return [msgspec.convert({key: row[key] for key in row.keys()}, UsageSum) for row in rows]  # noqa: SIM118


_INSERT: Final = """INSERT INTO model_usage (at, day, session_id, provider, model, input_tokens, output_tokens,
    cached_input_tokens, cache_write_tokens, cost_usd, estimated, tools)"""


def _select(key: str, source: str, parts: str) -> str:
    """The sums of a grouping, up to its conditions; all three are words of this module."""
    tokens = ", ".join(
        f"CAST(round(coalesce(sum(1.0 * u.{name} / {parts}), 0)) AS INTEGER) AS {name}"
        for name in ("input_tokens", "output_tokens", "cached_input_tokens")
    )
    return (
        f"SELECT {key} AS key, count(*) AS requests, {tokens}, "  # noqa: S608
        f"coalesce(sum(u.cost_usd / {parts}), 0.0) AS cost_usd, "
        f"coalesce(sum(u.cost_usd IS NULL), 0) AS unpriced, coalesce(sum(u.estimated), 0) AS estimated FROM {source}"
    )
