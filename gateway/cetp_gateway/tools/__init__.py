"""The tools room: what devices offer, judged, named and ready to be called.

Implements `api.ToolRegistry`. Knows neither sockets nor models. Above: `assemble`. Below: `settings`, `api`,
`cetp_spec`'s naming rule.
"""

from cetp_gateway.tools.narrowed import Narrowing, narrowed
from cetp_gateway.tools.registry import ToolRegistry

__all__ = ["Narrowing", "ToolRegistry", "narrowed"]
