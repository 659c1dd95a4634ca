"""Running commands of the owner's list, without a shell.

Above: `all_tools`. Below: `confined`, `files`, `builtin_tool`.
"""

from cetp_gateway.builtin.commands.allowed import Commands

__all__ = ["Commands"]
