"""The tools that ship with the gateway: files of the workspace, commands, time, numbers, JSON and CSV.

Each is a small class that implements api.Tool, is given what it depends on when it is made, and learns the workspace
from its call. All of them come with `builtin.all_tools`; here is what a gateway needs before it has made any. Above:
`assemble`. Below: api, settings, storage, errors. Knows nothing of models, phones or sockets.
"""

from cetp_gateway.builtin.names import LOAD_SKILL
from cetp_gateway.builtin.results import KeptResults
from cetp_gateway.builtin.todo.note import todo_note
from cetp_gateway.builtin.todo.store import TodoStore

__all__ = ["LOAD_SKILL", "KeptResults", "TodoStore", "todo_note"]
