"""The to-do list of a conversation, by which a model keeps track of longer work.

It stays within the conversation and goes with it, so changing it counts as reading: a model may plan whatever its
autonomy. Above: `all_tools`. Below: `store`.
"""

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta

from cetp_gateway.api import CallContext, Effect
from cetp_gateway.builtin.builtin_tool import BuiltinTool, NotPossible, json_text
from cetp_gateway.builtin.declared import Asked, Declared
from cetp_gateway.builtin.todo.store import ITEM_CHARS, ITEMS, Todo, TodoEdit, TodoState, TodoStore

_TEXT = Annotated[str, Meta(min_length=1, max_length=ITEM_CHARS, pattern=r"\S")]
_NUMBER = Annotated[int, Meta(ge=1, description="Of the item.")]


class ItemChange(Asked, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What becomes of one item."""

    number: _NUMBER
    text: Annotated[_TEXT | None, Meta(description="Its new text.")] = None
    state: Annotated[TodoState | None, Meta(description="Its new state.")] = None


class TodoChangeAsked(Asked, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that is to be changed at once."""

    add: Annotated[tuple[_TEXT, ...], Meta(max_length=ITEMS, description="Texts of new items, in their order.")] = ()
    change: Annotated[tuple[ItemChange, ...], Meta(max_length=ITEMS, description="Items to change.")] = ()
    remove: Annotated[tuple[_NUMBER, ...], Meta(max_length=ITEMS, description="Numbers of items to remove.")] = ()


class TodoChange(BuiltinTool[TodoChangeAsked]):
    """Adds, changes and removes items."""

    declared = Declared(
        TodoChangeAsked,
        name="todo_change",
        effect=Effect.READS,
        description=(
            "Changes the to-do list of this conversation: adds items, sets their text or state (open, doing, done), "
            "removes them. For work of several steps; what is not done is shown to you again with the next message."
        ),
    )

    def __init__(self, store: TodoStore) -> None:
        self._store = store

    async def run(self, asked: TodoChangeAsked, context: CallContext) -> str:
        edits = [TodoEdit(number=each.number, text=each.text, state=each.state) for each in asked.change]
        return _shown(await self._store.change(_session(context), add=asked.add, edits=edits, remove=asked.remove))


class TodoListAsked(Asked, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Nothing."""


class TodoList(BuiltinTool[TodoListAsked]):
    """Shows the list."""

    declared = Declared(
        TodoListAsked,
        name="todo_list",
        effect=Effect.READS,
        description="Shows the to-do list of this conversation, with what is done.",
    )

    def __init__(self, store: TodoStore) -> None:
        self._store = store

    async def run(self, asked: TodoListAsked, context: CallContext) -> str:  # noqa: ARG002
        return _shown(await self._store.items(_session(context)))


def _session(context: CallContext) -> str:
    if not context.session_id:
        raise NotPossible("A to-do list belongs to a conversation, and this call to none.")
    return context.session_id


def _shown(items: Sequence[Todo]) -> str:
    return json_text({"items": items})
