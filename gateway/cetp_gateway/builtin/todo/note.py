"""What a turn is told of its session's to-do list without asking: the items that are not done, in front of the message.

Above: `assemble`. Below: `store`. Never costs the turn.
"""

import logging
import re
from collections.abc import Sequence
from typing import Final

from cetp_gateway.builtin.todo.store import Todo, TodoStore
from cetp_gateway.errors import StorageError

_SHOWN: Final = 20
_TAG: Final = re.compile(r"<(?=\s*+/?+\s*+todo)", re.IGNORECASE)

_log = logging.getLogger(__name__)


async def todo_note(store: TodoStore, session_id: str) -> str:
    """The note; empty when nothing is to be done."""
    try:
        return note_of(await store.items(session_id))
    except StorageError as error:
        _log.warning("a turn goes on without its to-do list: %s", error)
        return ""


def note_of(items: Sequence[Todo]) -> str:
    """The items between tags, one a line."""
    left = [item for item in items if item.state != "done"]
    if not left:
        return ""
    lines = [f"{item.number}. [{item.state}] {' '.join(_TAG.sub('&lt;', item.text).split())}" for item in left[:_SHOWN]]
    more = [f"and {len(left) - _SHOWN} more"] if len(left) > _SHOWN else []
    return "\n".join(("<todo>", "Your to-do list in this conversation:", *lines, *more, "</todo>"))
