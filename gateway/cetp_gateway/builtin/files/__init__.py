"""Files of the workspace, and the guard that no path gets past.

Above: `all_tools`. Below: `builtin_tool`, `declared`, settings. `guard` decides what a path means at the moment of use,
`sensitive` which places stay closed, `place` does the work on what was opened.
"""

from cetp_gateway.builtin.files.space import FileSpace

__all__ = ["FileSpace"]
