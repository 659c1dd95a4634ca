"""Names of built-in tools that others than the tools themselves know."""

from typing import Final

LOAD_SKILL: Final = "load_skill"
