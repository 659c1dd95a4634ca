"""The tools that ship with the gateway: files of the workspace, commands, time, numbers, JSON and CSV.

Each is a small class that implements api.Tool, is given what it depends on when it is made, and learns the workspace
from its call. Above: `assemble`. Below: api, settings, storage, errors. Knows nothing of models, phones or sockets.
"""

from cetp_gateway.builtin.all_tools import all_tools
from cetp_gateway.builtin.ask_user import PersonsReply
from cetp_gateway.builtin.builtin_parts import BuiltinParts
from cetp_gateway.builtin.commands import Commands
from cetp_gateway.builtin.confined import SandboxState, sandbox_state
from cetp_gateway.builtin.devices import DeviceDetails, KnownDevice, KnownDevices
from cetp_gateway.builtin.skills import LOAD_SKILL, KnownSkills
from cetp_gateway.builtin.todo_note import todo_note
from cetp_gateway.builtin.todo_store import TodoStore

__all__ = [
    "LOAD_SKILL",
    "BuiltinParts",
    "Commands",
    "DeviceDetails",
    "KnownDevice",
    "KnownDevices",
    "KnownSkills",
    "PersonsReply",
    "SandboxState",
    "TodoStore",
    "all_tools",
    "sandbox_state",
    "todo_note",
]
