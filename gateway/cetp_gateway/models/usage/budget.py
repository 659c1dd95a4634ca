"""A budget that stops: what a request may cost at most is set aside before it is sent.

So no request begins that could go over a limit, not even several at once. Above: `meter`. Below: `ledger`.
"""

from collections.abc import Callable
from datetime import date, datetime
from itertools import count
from typing import Final

import msgspec

from cetp_gateway.errors import BudgetSpent
from cetp_gateway.models.usage.ledger import UsageLedger
from cetp_gateway.settings.model import BudgetSettings

Clock = Callable[[], datetime]
MAX_SESSIONS: Final = 10_000
"""Sessions whose sums are kept in memory; beyond it they are looked up anew."""


def local_time() -> datetime:
    """Now, in this machine's zone."""
    return datetime.now().astimezone()


class Amount(msgspec.Struct, frozen=True):
    """Money and tokens."""

    usd: float = 0.0
    tokens: int = 0

    def plus(self, other: "Amount") -> "Amount":
        return Amount(self.usd + other.usd, self.tokens + other.tokens)


class SetAside(msgspec.Struct, frozen=True):
    """What one running request may cost."""

    number: int
    session_id: str
    at_most: Amount


class Budget:
    """The limits, what was spent of them, and what is set aside."""

    def __init__(self, limits: BudgetSettings, ledger: UsageLedger, clock: Clock = local_time) -> None:
        self._limits = limits
        self._ledger = ledger
        self._clock = clock
        self._days: dict[date, Amount] = {}
        self._sessions: dict[str, Amount] = {}
        self._aside: dict[int, SetAside] = {}
        self._numbers = count()
        self._loaded = False

    def use(self, limits: BudgetSettings) -> None:
        """Hold to other limits from the next request on."""
        self._limits = limits

    @property
    def has_limits(self) -> bool:
        return self.counts_money or self._limits.tokens_per_day is not None

    @property
    def counts_money(self) -> bool:
        limits = self._limits
        return any(limit is not None for limit in (limits.usd_per_session, limits.usd_per_day, limits.usd_per_month))

    async def set_aside(self, session_id: str, at_most: Amount) -> SetAside:
        """Raises BudgetSpent when the request could go over a limit; nothing is set aside then."""
        if self.has_limits:
            await self._load(session_id)
            self._check(session_id, at_most)
        aside = SetAside(next(self._numbers), session_id, at_most)
        self._aside[aside.number] = aside
        return aside

    def settle(self, aside: SetAside, spent: Amount) -> None:
        """The request has ended and has cost so much."""
        del self._aside[aside.number]
        today = self._clock().date()
        self._days[today] = self._days.get(today, Amount()).plus(spent)
        if aside.session_id in self._sessions:
            self._sessions[aside.session_id] = self._sessions[aside.session_id].plus(spent)

    async def _load(self, session_id: str) -> None:
        """What was spent before this process, and by a session that it has not met yet."""
        if not self._loaded:
            month = await self._ledger.sums("day", self._clock().date().replace(day=1), limit=31)
            if not self._loaded:
                self._loaded = True
                self._days = {
                    date.fromisoformat(day.key): Amount(day.cost_usd, day.input_tokens + day.output_tokens)
                    for day in month
                }
        if session_id not in self._sessions and self._limits.usd_per_session is not None:
            if len(self._sessions) >= MAX_SESSIONS:
                self._sessions.clear()
            before = await self._ledger.session_total(session_id)
            self._sessions.setdefault(session_id, Amount(before.cost_usd, before.input_tokens + before.output_tokens))

    def _check(self, session_id: str, at_most: Amount) -> None:
        today = self._clock().date()
        day = self._spent(lambda when: when == today)
        month = self._spent(lambda when: (when.year, when.month) == (today.year, today.month))
        session = self._sessions.get(session_id, Amount())
        for held in self._aside.values():
            session = session.plus(held.at_most) if held.session_id == session_id else session
        limits = self._limits
        _refuse_over(limits.usd_per_session, session.usd, at_most.usd, "usd_per_session", "this session")
        _refuse_over(limits.usd_per_day, day.usd, at_most.usd, "usd_per_day", "today")
        _refuse_over(limits.usd_per_month, month.usd, at_most.usd, "usd_per_month", "this month")
        tokens = limits.tokens_per_day
        if tokens is not None and day.tokens + at_most.tokens > tokens:
            raise BudgetSpent(
                f"The budget for today is used up: {day.tokens} of {tokens} tokens, and one more request may take "
                f"{at_most.tokens}. Raise budget.tokens_per_day, or wait for tomorrow."
            )

    def _spent(self, counts: Callable[[date], bool]) -> Amount:
        """On the days that count, with all that is set aside: what runs now counts for today."""
        total = Amount()
        for when, amount in self._days.items():
            total = total.plus(amount) if counts(when) else total
        for held in self._aside.values():
            total = total.plus(held.at_most)
        return total


def _refuse_over(limit: float | None, spent: float, at_most: float, setting: str, span: str) -> None:
    if limit is not None and spent + at_most > limit:
        raise BudgetSpent(
            f"The budget for {span} is used up: ${spent:.2f} of ${limit:.2f}, and one more request may cost "
            f"${at_most:.2f}. Raise budget.{setting}, or lower model.max_output_tokens."
        )
