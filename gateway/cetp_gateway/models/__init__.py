"""The LLM side: adapters of the vendors behind one registry of factories, and the offline planner.

Implements `api.ModelProvider`. Importing this room imports no vendor's SDK and no HTTP library. Above: `assemble`.
"""

from cetp_gateway.models.current import CurrentModel
from cetp_gateway.models.factories import ModelFactories, chosen_provider, create_model, default_factories
from cetp_gateway.models.factory import ModelFactory
from cetp_gateway.models.fallback import chain_of
from cetp_gateway.models.offline import OfflineModel
from cetp_gateway.models.retry import ReliableModel
from cetp_gateway.models.tool_schemas import Adapted, ToolLimits, adapt_tools
from cetp_gateway.models.usage import Budget, Grouping, Meter, Prices, UsageLedger, UsageSum, charged_to, open_meter
from cetp_gateway.models.vendors import VENDORS

__all__ = [
    "VENDORS",
    "Adapted",
    "Budget",
    "CurrentModel",
    "Grouping",
    "Meter",
    "ModelFactories",
    "ModelFactory",
    "OfflineModel",
    "Prices",
    "ReliableModel",
    "ToolLimits",
    "UsageLedger",
    "UsageSum",
    "adapt_tools",
    "chain_of",
    "charged_to",
    "chosen_provider",
    "create_model",
    "default_factories",
    "open_meter",
]
