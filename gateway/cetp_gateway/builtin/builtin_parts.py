"""What built-in tools need of the rest of the gateway.

Above: `all_tools`, `assemble`. Below: api.
"""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, kw_only=True)
class BuiltinParts:
    """Injected dependencies. The tools of a part that is None are left out."""

    data_folder: Path
    """The gateway's own, which no tool may reach but for the workspace in it."""
