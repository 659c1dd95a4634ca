"""Words of questions and tools, so that one can be found by the other. No dictionary, no model.

English words lose their endings; Chinese, Japanese and Korean text becomes pairs of letters.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Final

from cetp_gateway.api import ToolSpec

WORD: Final = re.compile(r"[a-z0-9]+|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_STOP_WORDS: Final = """
a about all am an and any anything are as at be been but by can could did do does for from get give had has have how i
if in into is it its just know let like list look make many may me mine more most much my need of on one or our out over
please say see shall she he should show so some such tell than thank thanks that the their them then there these they
thing things this those to tool tools up us use used using want was we were what when where which who whose why will
with would you your
"""
STOP_WORDS: Final = frozenset(_STOP_WORDS.split())
STOP_PAIRS: Final = frozenset(
    ["什么", "怎么", "多少", "哪些", "哪个", "我的", "你的", "请问", "告诉", "一下", "有没", "没有"]
)
NAME_WEIGHT: Final = 2.0
"""A word of the tool's own name; one of the label in front of it counts as text."""
VALUE_WEIGHT: Final = 1.5
TEXT_WEIGHT: Final = 1.0
MAX_TEXT: Final = 4000
"""Characters of one text that are read."""


def words_of(text: str) -> list[str]:
    """Stems and pairs of a text, in order, stop words left out."""
    found: list[str] = []
    for run in WORD.findall(CAMEL.sub(" ", text[:MAX_TEXT]).lower()):
        if run[0] > "z":
            found.extend(pair for pair in _pairs(run) if pair not in STOP_PAIRS)
        elif run not in STOP_WORDS and (len(run) > 1 or run.isdecimal()):
            found.append(stem(run))
    return found


def _pairs(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(len(run) - 1)] or [run]


def stem(word: str) -> str:
    """The word without its English ending; rough, but the same for a word's forms."""
    if word.isdecimal() or len(word) < 4:
        return word
    for ending, replacement in (("ies", "y"), ("sses", "ss"), ("ing", ""), ("edly", ""), ("ed", ""), ("ly", "")):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return _bare(word[: len(word) - len(ending)] + replacement)
    for ending in ("ity", "al"):
        if word.endswith(ending) and len(word) - len(ending) >= 5:
            return _bare(word[: -len(ending)])
    if word.endswith("es") and word[-3] in "sxzh":
        return _bare(word[:-2])
    return _bare(word[:-1] if word.endswith("s") and not word.endswith("ss") else word)


def _bare(word: str) -> str:
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiouls":
        word = word[:-1]
    return word[:-1] if len(word) > 3 and word.endswith("e") else word


class ToolWords:
    """The words of some tools, each weighed by where it stands and by how few tools have it."""

    def __init__(self, tools: Sequence[ToolSpec]) -> None:
        self._weights = [_weigh(tool) for tool in tools]
        tools_with = Counter(word for weights in self._weights for word in weights)
        self._rarity = {word: 1 + math.log(len(tools) / count) / 4 for word, count in tools_with.items()}

    def score(self, place: int, words: Iterable[str]) -> float:
        """How well the tool at this place fits the words; 0 when no word is its own."""
        weights = self._weights[place]
        return sum(weights[word] * self._rarity[word] for word in set(words) if word in weights)

    def matches(self, place: int, words: Iterable[str]) -> set[str]:
        """The words that the tool has."""
        return {word for word in words if word in self._weights[place]}


def name_words(name: str) -> list[str]:
    """The words of a name in any of the usual spellings."""
    return words_of(name.replace("_", " ").replace("-", " "))


def _weigh(tool: ToolSpec) -> dict[str, float]:
    weights: dict[str, float] = {}
    for word in words_of(tool.description):
        weights[word] = TEXT_WEIGHT
    for name, schema in _properties(tool.parameters):
        for word in words_of(f"{name} {schema.get('description', '')}"):
            weights.setdefault(word, TEXT_WEIGHT / 2)
        for value in schema.get("enum", []) if isinstance(schema.get("enum"), list) else []:
            for word in words_of(str(value)):
                weights[word] = max(weights.get(word, 0), VALUE_WEIGHT)
    label, _, own = tool.name.rpartition("__")
    for word in name_words(label):
        weights[word] = max(weights.get(word, 0), TEXT_WEIGHT)
    for word in name_words(own):
        weights[word] = NAME_WEIGHT
    return weights


def _properties(parameters: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    properties = parameters.get("properties", {})
    if not isinstance(properties, dict):
        return []
    return [(name, schema) for name, schema in properties.items() if isinstance(schema, dict)]
