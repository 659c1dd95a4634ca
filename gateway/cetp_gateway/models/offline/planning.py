"""Which tools fit a question, and the calls that follow. Only words count; see `words`."""

from collections.abc import Sequence
from datetime import date
from typing import Any, Final

import msgspec

from cetp_gateway.api import Effect, ToolSpec, ToolUse
from cetp_gateway.models.call_ids import fresh_id
from cetp_gateway.models.offline.filling import fill_arguments, takes_text
from cetp_gateway.models.offline.question import Question
from cetp_gateway.models.words import TEXT_WEIGHT, ToolWords, name_words, stem

MAX_CALLS: Final = 4
"""Calls for one question."""
FITS: Final = TEXT_WEIGHT
"""Least score of a tool: one word of its description."""
FITS_AS_WELL: Final = 1.25 * TEXT_WEIGHT
"""Least score of a further tool, by words that no tool before it has: one that few other tools have either."""
CHANGING: Final = frozenset(
    stem(word)
    for word in (
        "add", "book", "buy", "cancel", "clear", "create", "delete", "edit", "install", "move", "pay", "post", "remove",
        "rename", "reset", "send", "set", "share", "turn", "update", "write",
    )
)  # fmt: skip
"""A tool named like this is only called when the question says the same word."""


class Plan(msgspec.Struct, frozen=True):
    """The calls, or what is missing for the call that would fit."""

    calls: tuple[ToolUse, ...] = ()
    missing: tuple[tuple[str, str], ...] = ()
    """Tool and argument that the question does not give."""


class _Chosen(msgspec.Struct, frozen=True):
    tool: ToolSpec
    words: set[str]
    """Words of the question that this tool answers."""


def plan_calls(text: str, tools: Sequence[ToolSpec], today: date, taken: set[str]) -> Plan:
    """Calls for a question; none when nothing fits. `taken` are ids that the conversation has already."""
    question = Question(text, today)
    chosen, missing = _choose(question, tools)
    calls: list[ToolUse] = []
    ids = set(taken)
    for choice in chosen:
        others = {word for other in chosen if other is not choice for word in other.words}
        call_id = fresh_id("", ids, len(ids))
        ids.add(call_id)
        calls.append(ToolUse(call_id, choice.tool.name, _arguments(choice.tool, question, others)))
    return Plan(tuple(calls), tuple(missing))


def _arguments(tool: ToolSpec, question: Question, others: set[str]) -> dict[str, Any]:
    """Without the words that other tools answer, unless nothing else is left to ask for."""
    filled = fill_arguments(tool, question, others)
    return fill_arguments(tool, question).arguments if filled.missing else filled.arguments


def _choose(question: Question, tools: Sequence[ToolSpec]) -> tuple[list[_Chosen], list[tuple[str, str]]]:
    """The best tool that can be called, then others that answer words which the ones before leave over."""
    index = ToolWords(tools)
    open_words = set(question.words)
    places = [place for place, tool in enumerate(tools) if _may_be_called(tool, question)]
    chosen: list[_Chosen] = []
    missing: list[tuple[str, str]] = []
    while places and len(chosen) < MAX_CALLS:
        best = max(places, key=lambda place: (index.score(place, open_words), takes_text(tools[place]), -place))
        if index.score(best, open_words) < (FITS_AS_WELL if chosen else FITS):
            break
        places.remove(best)
        filled = fill_arguments(tools[best], question)
        if filled.missing:
            missing.append((tools[best].name, filled.missing))
            continue
        words = index.matches(best, open_words)
        chosen.append(_Chosen(tools[best], words))
        open_words -= words
    return chosen, missing


def _may_be_called(tool: ToolSpec, question: Question) -> bool:
    """Rules that know words only must not change the world."""
    if tool.effect in (Effect.WRITES, Effect.RUNS, Effect.SENDS):
        return False
    changing = CHANGING & set(name_words(tool.name))
    return tool.effect is Effect.READS or not changing or bool(changing & set(question.words))
