"""Finding tools among many: by words, by meaning when there is an embedder, and for a model that searches itself.

Above: `tool_offer`, `selection`, `assemble`. Below: api; `memory.vectors` and `tools.lru` for arithmetic and a cache.
"""

from cetp_gateway.agent.tool_search.found import SEARCH_TOOLS, names_found
from cetp_gateway.agent.tool_search.labels import label_of
from cetp_gateway.agent.tool_search.search import ToolSearch
from cetp_gateway.agent.tool_search.tool import SearchTools, ViewWithSearch

__all__ = ["SEARCH_TOOLS", "SearchTools", "ToolSearch", "ViewWithSearch", "label_of", "names_found"]
