"""Names of built-in tools that others than the tools themselves know."""

from typing import Final

LOAD_SKILL: Final = "load_skill"
RESULT_READERS: Final = ("query_json", "query_csv", "read_result")
"""Those that take the reference of a kept result."""
