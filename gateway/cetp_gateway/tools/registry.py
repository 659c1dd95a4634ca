"""The registry: all tools of the gateway, who offers them, and every change to that.

One object, used from the event loop's thread. Long registrations may be spread over several turns of the loop; what
they change becomes visible at once at their end. Above: the server and the devices' sessions, through
`api.ToolRegistry`. Below: `intake`, `assembly`, `catalog`, `views`, `listing`.
"""

import asyncio
import logging
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from time import perf_counter
from weakref import WeakValueDictionary

from cetp_gateway.api import OfferedTool, Tool, ToolCounts, ToolHost, ToolRow, ToolVerdict, ToolView
from cetp_gateway.settings.limits import LimitSettings
from cetp_gateway.settings.schema import ToolSettings
from cetp_gateway.tools.assembly import combine
from cetp_gateway.tools.catalog import Catalog
from cetp_gateway.tools.host_entry import HostEntry
from cetp_gateway.tools.intake import Intake
from cetp_gateway.tools.listing import in_order, rows_of_all, rows_of_host
from cetp_gateway.tools.names import is_legal, qualified
from cetp_gateway.tools.policy import Policy
from cetp_gateway.tools.rejudging import rejudged
from cetp_gateway.tools.steps import SLICE_S, finish, finish_in_slices
from cetp_gateway.tools.toolset import StoredTool, Toolset
from cetp_gateway.tools.verdicts import refusal, verdicts
from cetp_gateway.tools.views import EverythingView, SessionView

_STEP_TOOLS = 8
_STEP_BYTES = 4096
"""A schema of this size or more is a step of its own."""
_logger = logging.getLogger(__name__)

Subscriber = Callable[[int], None]
Offering = Generator[None, None, list[ToolVerdict]]


class _Running:
    """An offer under way."""

    def __init__(self, host: ToolHost) -> None:
        self.host = host
        self.stopped = False


class ToolRegistry:
    """Implements `api.ToolRegistry`. Hosts are told apart by identity, so they must allow weak references."""

    def __init__(self, settings: ToolSettings, limits: LimitSettings) -> None:
        self._limits = limits
        self._policy = Policy(settings)
        self._intake = Intake(self._policy, limits)
        self._catalog = Catalog(self._policy, limits)
        self._replaced: WeakValueDictionary[int, ToolHost] = WeakValueDictionary()
        self._running: list[_Running] = []
        self._subscribers: dict[int, Subscriber] = {}
        self._subscriptions = 0
        self._revision = 0
        self._supply: Callable[[], Sequence[Tool]] | None = None
        self._everything = EverythingView(self._catalog, 0)
        self._warn(self._policy.impossible())

    @property
    def revision(self) -> int:
        return self._revision

    def add(self, tool: Tool) -> None:
        name = tool.spec.name
        if not is_legal(name):
            raise ValueError(f"{name!r} is no public name: 1 to 64 of A-Z a-z 0-9 _ - are")
        if name in self._catalog.builtins:
            raise ValueError(f"{name!r} is taken by another built-in tool")
        self._set_builtins([*self._catalog.own_tools(), tool])

    def replace_builtins(self, tools: Sequence[Tool]) -> None:
        """Offer these built-in tools and no others; their names are legal and distinct. Tools of hosts give way to new
        names, and get back those that have become free.
        """
        self._supply = None
        if tools or self._catalog.builtins:
            self._set_builtins(tools)

    def supply(self, make: Callable[[], Sequence[Tool]]) -> None:
        """Have the built-in tools made when somebody first looks at tools or offers some: a start does without them.
        `make` may be called in another thread, by `ready`.
        """
        self._supply = make

    async def ready(self) -> None:
        """Have them made now, away from the event loop."""
        if self._supply is not None:
            tools = await asyncio.to_thread(self._supply)
            if self._supply is not None:
                self.replace_builtins(tools)

    def _stock(self) -> None:
        if self._supply is not None:
            self.replace_builtins(self._supply())

    def _set_builtins(self, tools: Sequence[Tool]) -> None:
        renamed = {tool.spec.name for tool in tools} ^ self._catalog.builtins.keys()
        self._catalog.set_builtins(tools)
        for entry in list(self._catalog.entries.values()) if renamed else ():
            offered = self._catalog.tools_of(entry)
            if any(tool.wire_name in renamed or tool.base in renamed for tool in offered):
                self._catalog.swap(entry, HostEntry(entry.host, self._toolset_of(offered)))
        self._policy.note(renamed)
        self._tell()

    def offer(self, host: ToolHost, tools: Sequence[OfferedTool], *, replace: bool) -> list[ToolVerdict]:
        return finish(self._offering(host, tools, replace))

    async def offer_in_slices(
        self, host: ToolHost, tools: Sequence[OfferedTool], *, replace: bool
    ) -> list[ToolVerdict]:
        return await finish_in_slices(self._offering(host, tools, replace))

    def withdraw(self, host: ToolHost, wire_names: Sequence[str] | None = None) -> int:
        if wire_names is None:
            self._stop_offers_of(host)
        entry = self._entry_of(host)
        if entry is None:
            return 0
        tools = self._catalog.tools_of(entry)
        gone = None if wire_names is None else frozenset(wire_names)
        kept = [] if gone is None else [tool for tool in tools if tool.wire_name not in gone]
        if len(kept) < len(tools):
            self._commit(entry, HostEntry(host, self._toolset_of(kept)))
        return len(tools) - len(kept)

    def view(self, host: ToolHost | None = None, *, everything: bool = False) -> ToolView:
        self._stock()
        if everything:
            return self._everything
        own = self._entry_of(host) if host is not None else None
        return SessionView(self._catalog, own, self._revision)

    def rows(self, host: ToolHost | None = None) -> list[ToolRow]:
        if host is None:
            self._stock()
            return in_order(self.iter_rows())
        entry = self._entry_of(host)
        return rows_of_host(self._catalog, entry) if entry is not None else []

    def iter_rows(self) -> Iterator[ToolRow]:
        """Device by device; what changes meanwhile may show."""
        self._stock()
        return rows_of_all(self._catalog)

    def counts(self, host: ToolHost | None = None) -> ToolCounts:
        catalog = self._catalog
        if host is None:
            self._stock()
            return ToolCounts(
                usable=len(catalog.builtins) + sum(len(entry.toolset.names) for entry in catalog.entries.values()),
                quarantined=sum(entry.toolset.quarantined for entry in catalog.entries.values()),
            )
        entry = self._entry_of(host)
        return ToolCounts(len(entry.toolset.names), entry.toolset.quarantined) if entry is not None else ToolCounts()

    def subscribe(self, callback: Callable[[int], None]) -> Callable[[], None]:
        self._subscriptions += 1
        key = self._subscriptions
        self._subscribers[key] = callback

        def unsubscribe() -> None:
            self._subscribers.pop(key, None)

        return unsubscribe

    def unmatched_rules(self) -> tuple[str, ...]:
        """Rules of the settings that have matched no tool so far, each as a sentence."""
        return self._policy.unmatched()

    def use(self, settings: ToolSettings, limits: LimitSettings) -> None:
        """Judge by other rules; what is offered follows at once. Await `rejudge` next. Limits of what is registered
        hold from each host's next registration on.
        """
        self._limits, self._policy = limits, Policy(settings)
        self._intake = Intake(self._policy, limits)
        self._catalog.use(self._policy, limits)
        self._policy.note(self._catalog.builtins)
        self._tell()

    async def rejudge(self) -> None:
        """Host by host, let through or hold back the tools that rules of `allow_writing` are about."""
        started = perf_counter()
        for entry in list(self._catalog.entries.values()):
            self._rejudge(entry)
            if perf_counter() - started > SLICE_S:
                await asyncio.sleep(0)
                started = perf_counter()
        self._warn((*self._policy.impossible(), *self._policy.newly_unmatched()))

    def _rejudge(self, entry: HostEntry) -> None:
        if self._catalog.entries.get(entry.host_id) is not entry:
            return
        after = rejudged(self._catalog.tools_of(entry), self._intake) if entry.read_only else None
        if after is not None:
            self._commit(entry, HostEntry(entry.host, self._toolset_of(after)))
        elif self._policy.waits():
            self._note(entry)

    def _offering(self, host: ToolHost, tools: Sequence[OfferedTool], replace: bool) -> Offering:
        self._stock()
        running = _Running(host)
        self._running.append(running)
        try:
            intake = self._intake
            judged = yield from self._judge(tools, read_only=host.read_only)
            while not running.stopped and not self._is_replaced(host):
                if self._intake is not intake:
                    intake = self._intake
                    judged = yield from self._judge(tools, read_only=host.read_only)
                old = self._catalog.entries.get(host.host_id)
                before = () if replace or (mine := self._entry_of(host)) is None else self._catalog.tools_of(mine)
                kept = combine(before, judged, self._catalog.builtins, self._limits)
                yield
                new = HostEntry(host, (yield from self._catalog.store.make(kept.values())))
                # Between two steps another registration may have been, or the host's end.
                unchanged = self._catalog.entries.get(host.host_id) is old and self._intake is intake
                if unchanged and not running.stopped:
                    self._commit(old, new)
                    return verdicts(self._catalog, new, judged, kept)
            return [refusal(tool) for tool in judged]
        finally:
            self._running.remove(running)

    def _judge(self, tools: Sequence[OfferedTool], *, read_only: bool) -> Generator[None, None, list[StoredTool]]:
        judged = []
        for number, tool in enumerate(tools, start=1):
            judged.append(self._intake.judge(tool, read_only=read_only))
            if number % _STEP_TOOLS == 0 or memoryview(tool.parameters).nbytes > _STEP_BYTES:
                yield
        return judged

    def _entry_of(self, host: ToolHost) -> HostEntry | None:
        """The entry of exactly this host object; None when it has none or a newer one has replaced it."""
        entry = self._catalog.entries.get(host.host_id)
        return entry if entry is not None and entry.host is host else None

    def _stop_offers_of(self, host: ToolHost) -> None:
        """What a host still has under way must not come back after its end."""
        for running in self._running:
            if running.host is host:
                running.stopped = True

    def _is_replaced(self, host: ToolHost) -> bool:
        return self._replaced.get(id(host)) is host

    def _toolset_of(self, tools: Sequence[StoredTool]) -> Toolset:
        """The toolset of tools that are there already, named anew."""
        return finish(self._catalog.store.make(combine(tools, (), self._catalog.builtins, self._limits).values()))

    def _commit(self, old: HostEntry | None, new: HostEntry) -> None:
        """Make one entry visible in place of the other; nothing happens when nobody could tell them apart."""
        if old is not None and old.host is not new.host:
            self._replaced[id(old.host)] = old.host
        kept = None if new.toolset.is_empty() else new
        if old is kept or (old is not None and kept is not None and old.offers_the_same(kept)):
            return
        self._catalog.swap(old, kept)
        if kept is not None and self._policy.waits():
            self._note(kept)
            self._warn(self._policy.newly_unmatched())
        self._tell()

    def _note(self, entry: HostEntry) -> None:
        """Note which rules have matched something."""
        tools = self._catalog.tools_of(entry)
        self._policy.note(tool.base or tool.wire_name for tool in tools)
        self._policy.note(qualified(tool.base, entry.slug) for tool in tools if tool.base)

    @staticmethod
    def _warn(rules: Iterable[str]) -> None:
        for rule in rules:
            _logger.warning("%s", rule)

    def _tell(self) -> None:
        self._revision += 1
        self._everything = EverythingView(self._catalog, self._revision)
        for callback in list(self._subscribers.values()):
            try:
                callback(self._revision)
            except Exception:
                _logger.exception("A listener for changes of the tools failed")
