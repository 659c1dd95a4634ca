"""What a step costs: prices as data with their day (`prices.toml`), the owner's own before them."""

import functools
import importlib.resources
import tomllib
from collections.abc import Mapping
from datetime import date
from fnmatch import fnmatchcase
from typing import Final

import msgspec

from cetp_gateway.api import Usage
from cetp_gateway.settings.model import Price

FREE: Final = Price(input=0.0, output=0.0)
_MILLION: Final = 1_000_000


class ListedPrice(Price, frozen=True, kw_only=True):
    """A row of the table."""

    model: str
    """A glob."""
    as_of: date


class _Table(msgspec.Struct, forbid_unknown_fields=True):
    price: list[ListedPrice]


class Prices:
    """The table, and the owner's own prices by globs."""

    def __init__(self, own: Mapping[str, Price]) -> None:
        self._own = own

    def of(self, provider: str, model: str) -> Price | None:
        """The price of a model; None when nobody knows it."""
        names = (f"{provider}/{model}", model)
        for pattern, price in self._own.items():
            if any(fnmatchcase(name, pattern) for name in names):
                return price
        return next((row for row in listed_prices() if any(fnmatchcase(name, row.model) for name in names)), None)


@functools.cache
def listed_prices() -> tuple[ListedPrice, ...]:
    """The table that ships with the project; read when somebody first asks."""
    text = importlib.resources.files(__package__).joinpath("prices.toml").read_text("utf-8")
    return tuple(msgspec.convert(tomllib.loads(text), _Table).price)


def cost(usage: Usage, price: Price) -> float:
    """US dollars. Tokens from the vendor's cache and those written into it have prices of their own."""
    is_long = price.long_from and usage.input_tokens > price.long_from
    fresh = price.long_input if is_long else price.input
    output = price.long_output if is_long else price.output
    factor = fresh / price.input if price.input else 1.0
    cached = price.input if price.cached_input is None else price.cached_input
    written = price.input if price.cache_write is None else price.cache_write
    plain = max(0, usage.input_tokens - usage.cached_input_tokens - usage.cache_write_tokens)
    total = plain * fresh + usage.output_tokens * output
    total += factor * (usage.cached_input_tokens * cached + usage.cache_write_tokens * written)
    return total / _MILLION
