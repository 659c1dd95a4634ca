"""What was ordered. Values."""

from decimal import Decimal
from typing import Final

import msgspec


class Item(msgspec.Struct, frozen=True):
    name: str
    count: int
    price: Decimal
    """Of one, EUR."""


class Order(msgspec.Struct, frozen=True):
    number: str
    day: str
    items: tuple[Item, ...]

    @property
    def total(self) -> Decimal:
        return sum((item.count * item.price for item in self.items), Decimal())

    def has(self, words: str) -> bool:
        """Whether the words stand in its number or one of its items."""
        wanted = words.casefold().strip()
        return any(wanted in text.casefold() for text in (self.number, *(item.name for item in self.items)))


ORDERS: Final = (
    Order("1041", "3 March", (Item("Desk lamp", 1, Decimal("39.90")), Item("Light bulb", 4, Decimal("3.25")))),
    Order("1057", "18 April", (Item("Kettle", 1, Decimal("48.50")), Item("Tea towel", 3, Decimal("4.30")))),
    Order("1063", "2 May", (Item("Garden hose, 20 m", 1, Decimal("27.00")),)),
)
