"""The command line: `cetp COMMAND`. Each command is one module, imported when it is called for.

Above: nothing. Below: the server, the virtual phone, the validator.
"""

from cetp_gateway.cli.group import main

__all__ = ["main"]
