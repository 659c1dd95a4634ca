"""Row 11: tools behind the search: tokens of a request, questions that miss their tool, and what finding costs.

In this process, over the registry and the offers that turns have. Times are the processor's.
"""

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path

import msgspec

from cetp_gateway.agent import ToolSearch, TurnLimits
from cetp_gateway.agent.deferral import OfferLimits, tool_tokens
from cetp_gateway.api import Origin, ToolSpec

from .effort import Effort
from .processes.samples import median
from .table import OFFER_ALL, OFFER_FEW, TOOL_FIND, TOOL_MISSED, TOOL_TOKENS, Result, Row

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.many_tools import ManyTools
from support.tool_search_set import questions, tools_of_twenty_apps

_SOME = 40
_COPIES = 13
_LIMITS = OfferLimits(TurnLimits().max_tools, TurnLimits().token_budget)
_HELD_OUT = questions("held_out")


def measure(effort: Effort) -> Iterator[Result]:
    """All of them."""
    yield from asyncio.run(_measure(effort))


async def _measure(effort: Effort) -> list[Result]:
    tools = tools_of_twenty_apps()
    return [
        await _tokens(tools),
        await _missed(tools),
        await _finding(_many(tools), effort),
        await _offering(OFFER_ALL, tools[:_SOME], effort),
        await _offering(OFFER_FEW, tools, effort),
    ]


async def _tokens(tools: Sequence[ToolSpec]) -> Result:
    """Of the first requests of turns that begin with these questions, each in a session of its own."""
    many = ManyTools(tools)
    sizes, at_once = [], 0
    for number, question in enumerate(_HELD_OUT):
        offer = await many.offers.begin(
            many.registry.view(), _LIMITS, text=question.text, history=(), session_id=f"{number}"
        )
        sizes.append(sum(map(tool_tokens, offer.specs())) + len(offer.note) // 4)
        at_once += any(tool.name in question.right for tool in offer.specs())
    note = f"{sum(map(tool_tokens, tools))} without; the right tool was among them {at_once} times of {len(sizes)}"
    return Result(TOOL_TOKENS, (median(sizes),), note)


async def _missed(tools: Sequence[ToolSpec]) -> Result:
    searcher = ToolSearch().over(tools)
    missed = 0
    for question in _HELD_OUT:
        found = await searcher.find(question.text, 5)
        missed += question.right.isdisjoint(tool.name for tool in found)
    return Result(TOOL_MISSED, (100 * missed / len(_HELD_OUT),), f"{missed} of {len(_HELD_OUT)}, by words alone")


async def _finding(tools: Sequence[ToolSpec], effort: Effort) -> Result:
    searcher = ToolSearch().over(tools)
    started = time.process_time()
    await searcher.find("hello", 10)
    note = f"{len(tools)} tools, indexed once in {(time.process_time() - started) * 1e3:.0f} ms"

    def finding(text: str) -> Callable[[], Awaitable[object]]:
        return lambda: searcher.find(text, 10)

    works = [finding(question.text) for question in _HELD_OUT]
    return Result(TOOL_FIND, await _medians(works, effort.repetitions), note)


async def _offering(row: Row, tools: Sequence[ToolSpec], effort: Effort) -> Result:
    many = ManyTools(tools)
    view = many.registry.view()
    view.specs()

    def offering(text: str) -> Callable[[], Awaitable[object]]:
        return lambda: many.offers.begin(view, _LIMITS, text=text, history=(), session_id="")

    works = [offering(question.text) for question in _HELD_OUT]
    await works[0]()
    return Result(row, await _medians(works, effort.repetitions), f"{len(tools)} tools")


async def _medians(works: Sequence[Callable[[], Awaitable[object]]], repetitions: int) -> tuple[float, ...]:
    """The median processor time of the works in milliseconds, for each repetition."""
    medians = []
    for _ in range(repetitions):
        times = []
        for work in works:
            started = time.process_time()
            await work()
            times.append((time.process_time() - started) * 1e3)
        medians.append(median(times))
    return tuple(medians)


def _many(tools: Sequence[ToolSpec]) -> list[ToolSpec]:
    """Several of each app, with other names and words of their own."""
    return [
        msgspec.structs.replace(
            tool,
            name=f"{label}{copy}__{own}",
            description=f"{tool.description} Edition {copy}.",
            origin=Origin("phone", f"com.example.{label}{copy}"),
        )
        for copy in range(_COPIES)
        for tool in tools
        for label, own in [tool.name.split("__")]
    ]
