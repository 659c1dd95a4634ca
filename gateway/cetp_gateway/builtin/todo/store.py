"""To-do lists in the database, one for each session, gone with it.

Above: the to-do tools and the note for a turn. Below: storage.
"""

import sqlite3
from collections.abc import Sequence
from typing import Final, Literal

import msgspec

from cetp_gateway.builtin.builtin_tool import NotPossible
from cetp_gateway.storage import Database

ITEMS: Final = 50
"""Of one list."""
ITEM_CHARS: Final = 300

TodoState = Literal["open", "doing", "done"]


class Todo(msgspec.Struct, frozen=True):
    """One item. Its number stands as long as the item does."""

    number: int
    text: str
    state: TodoState


class TodoEdit(msgspec.Struct, frozen=True, kw_only=True):
    """What becomes of an item; None leaves it as it is."""

    number: int
    text: str | None = None
    state: TodoState | None = None


class TodoStore:
    """Every method is one transaction and raises StorageError when the database cannot be used."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def items(self, session_id: str) -> Sequence[Todo]:
        """The list in the order of its numbers."""
        return await self._database.read(lambda connection: _items(connection, session_id))

    async def change(
        self, session_id: str, *, add: Sequence[str], edits: Sequence[TodoEdit], remove: Sequence[int]
    ) -> Sequence[Todo]:
        """Change the list of a stored session; all of it happens or nothing. The list as it is then.

        Raises:
            NotPossible: an item is not there, or the list would be too long.
        """

        def work(connection: sqlite3.Connection) -> Sequence[Todo]:
            items = {item.number: item for item in _items(connection, session_id)}
            _check_known(items, [edit.number for edit in edits] + list(remove))
            for edit in edits:
                there = items[edit.number]
                items[edit.number] = Todo(edit.number, edit.text or there.text, edit.state or there.state)
            for number in remove:
                items.pop(number, None)
            last = max(items, default=0)
            items |= {number: Todo(number, text, "open") for number, text in enumerate(add, start=last + 1)}
            if len(items) > ITEMS:
                raise NotPossible(f"add: a list has {ITEMS} items at most.", hint="Remove what is done.")
            _replace(connection, session_id, list(items.values()))
            return list(items.values())

        return await self._database.write(work)


def _check_known(items: dict[int, Todo], numbers: Sequence[int]) -> None:
    unknown = [number for number in numbers if number not in items]
    if unknown:
        raise NotPossible(f"There is no item {unknown[0]}.", hint="todo_list shows the numbers.")


def _items(connection: sqlite3.Connection, session_id: str) -> Sequence[Todo]:
    rows = connection.execute(
        "SELECT number, text, state FROM session_todos WHERE session_id = ? ORDER BY number", (session_id,)
    )
    return [Todo(row["number"], row["text"], row["state"]) for row in rows]


def _replace(connection: sqlite3.Connection, session_id: str, items: Sequence[Todo]) -> None:
    connection.execute("DELETE FROM session_todos WHERE session_id = ?", (session_id,))
    connection.executemany(
        "INSERT INTO session_todos (session_id, number, text, state) VALUES (?, ?, ?, ?)",
        [(session_id, item.number, item.text, item.state) for item in items],
    )
