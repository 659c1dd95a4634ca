"""Which tools fit a question, and the calls that follow. Only words count; see `words`."""

from collections.abc import Sequence
from datetime import date
from typing import Final

import msgspec

from cetp_gateway.api import Effect, ToolSpec, ToolUse
from cetp_gateway.models.call_ids import fresh_id
from cetp_gateway.models.offline.filling import fill_arguments
from cetp_gateway.models.offline.question import Question
from cetp_gateway.models.words import NAME_WEIGHT, ToolWords, stem, words_of

MAX_CALLS: Final = 4
"""Calls for one question."""
FITS: Final = 1.5
"""Least score of a tool: one word of its name, or two of its description."""
FITS_AS_WELL: Final = NAME_WEIGHT
"""Least score of a further tool, by words that no tool before it has."""
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


def plan_calls(text: str, tools: Sequence[ToolSpec], today: date, taken: set[str]) -> Plan:
    """Calls for a question; none when nothing fits. `taken` are ids that the conversation has already."""
    question = Question(text, today)
    chosen = _choose(question, tools)
    calls: list[ToolUse] = []
    missing: list[tuple[str, str]] = []
    ids = set(taken)
    for tool in chosen:
        filled = fill_arguments(tool, question)
        if filled.missing:
            missing.append((tool.name, filled.missing))
            continue
        call_id = fresh_id("", ids, len(ids))
        ids.add(call_id)
        calls.append(ToolUse(call_id, tool.name, filled.arguments))
    return Plan(tuple(calls), tuple(missing))


def _choose(question: Question, tools: Sequence[ToolSpec]) -> list[ToolSpec]:
    """The best tool, then others that answer words which the ones before leave over."""
    index = ToolWords(tools)
    open_words = set(question.words)
    chosen: list[int] = []
    while len(chosen) < MAX_CALLS:
        least = FITS_AS_WELL if chosen else FITS
        scores = {
            place: index.score(place, open_words)
            for place, tool in enumerate(tools)
            if place not in chosen and _may_be_called(tool, question)
        }
        best = max(scores, key=lambda place: (scores[place], -place), default=None)
        if best is None or scores[best] < least:
            break
        chosen.append(best)
        open_words -= index.matches(best, open_words)
    return [tools[place] for place in chosen]


def _may_be_called(tool: ToolSpec, question: Question) -> bool:
    """Rules that know words only must not change the world."""
    if tool.effect in (Effect.WRITES, Effect.RUNS, Effect.SENDS):
        return False
    changing = CHANGING & set(words_of(tool.name.replace("_", " ").replace("-", " ")))
    return tool.effect is Effect.READS or not changing or bool(changing & set(question.words))
