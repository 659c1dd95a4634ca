"""Tool schemas for each family of vendors: mended, flattened at the root, rewritten, or left out with a reason.

Above: the adapters of the vendors. Below: api. The original schemas are not touched.
"""

from cetp_gateway.models.tool_schemas.adapting import Adapted, AdaptedTool, ToolLimits, adapt_schema, adapt_tools
from cetp_gateway.models.tool_schemas.dialects import ANTHROPIC, GEMINI, OPENAI, PORTABLE, Dialect
from cetp_gateway.models.tool_schemas.walking import Unadaptable

__all__ = [
    "ANTHROPIC",
    "GEMINI",
    "OPENAI",
    "PORTABLE",
    "Adapted",
    "AdaptedTool",
    "Dialect",
    "ToolLimits",
    "Unadaptable",
    "adapt_schema",
    "adapt_tools",
]
