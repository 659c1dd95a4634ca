"""The tools that ship with the gateway: files of the workspace, commands, time, numbers, JSON and CSV.

Each is a small class that implements api.Tool, is given what it depends on when it is made, and learns the workspace
from its call. Above: `assemble`. Below: api, settings, storage, errors. Knows nothing of models, phones or sockets.
"""

from cetp_gateway.builtin.all_tools import all_tools
from cetp_gateway.builtin.builtin_parts import BuiltinParts

__all__ = ["BuiltinParts", "all_tools"]
