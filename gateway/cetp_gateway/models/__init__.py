"""The LLM side: adapters of the vendors behind one registry of factories, and the offline planner.

Implements `api.ModelProvider`. Importing this room imports no vendor's SDK and no HTTP library. Above: `assemble`.
"""

from cetp_gateway.models.factories import ModelFactories, ModelFactory, create_model, default_factories
from cetp_gateway.models.offline import OfflineModel
from cetp_gateway.models.retry import ReliableModel
from cetp_gateway.models.tool_schemas import Adapted, ToolLimits, adapt_tools

__all__ = [
    "Adapted",
    "ModelFactories",
    "ModelFactory",
    "OfflineModel",
    "ReliableModel",
    "ToolLimits",
    "adapt_tools",
    "create_model",
    "default_factories",
]
