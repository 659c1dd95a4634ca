"""Results of tools that were too long for the model, kept whole for their session, and what reads them.

Above: `all_tools`, the queries over data. Below: `builtin_tool`, settings.
"""

from cetp_gateway.builtin.results.kept_results import KeptResult, KeptResults

__all__ = ["KeptResult", "KeptResults"]
