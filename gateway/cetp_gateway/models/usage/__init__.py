"""What models use and cost: counted for each request, kept in the database, held to a budget."""

from cetp_gateway.models.usage.budget import Budget
from cetp_gateway.models.usage.charging import charged_to
from cetp_gateway.models.usage.ledger import Grouping, UsageLedger, UsageSum, UsedRow
from cetp_gateway.models.usage.meter import Meter, MeteredModel, open_meter
from cetp_gateway.models.usage.prices import Prices, cost, listed_prices

__all__ = [
    "Budget",
    "Grouping",
    "Meter",
    "MeteredModel",
    "Prices",
    "UsageLedger",
    "UsageSum",
    "UsedRow",
    "charged_to",
    "cost",
    "listed_prices",
    "open_meter",
]
