"""Texts as terms, so that a question finds a tool: stems of words, letters of scripts without blanks, and meanings.

Plain functions; no language model. Above: `document`, `index`. Below: `related`.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from cetp_gateway.agent.tool_search.related import meanings_of

LETTER_WEIGHT: Final = 0.4
"""Of a single letter of a script without blanks: often a word, as often a part of another one."""

MEANING_WEIGHT: Final = 0.9
"""Of a meaning that two words share, in comparison with the word itself."""

FAINT_WEIGHT: Final = 0.35
"""Of words that stand in questions of every kind, and in some tools by chance."""

_UNSPACED: Final = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_ENDINGS: Final = (
    ("ies", "y"), ("sses", "ss"), ("ings", ""), ("ing", ""), ("edly", ""), ("ed", ""), ("ly", ""), ("ers", "er"),
)  # fmt: skip
_STOP_WORDS: Final = """
a about after again all also am an and any anybody anything are as at be because been before but by can cannot could
did do does doing done for from get give go going got had has have he her him his how i if in into is it its just let
like make many may me mine more most much must my need no nor not of on one or our out over own please put s say see
shall she show so some still such t take tell than thank that the their them then there these they thing things this
those through to too up us use used user using very want was we were what when where whether which while who whom
whose why will with would yet you your
"""
_STOPPED: Final = frozenset(_STOP_WORDS.split())
_FAINT_WORDS: Final = """
afternoon all current currently date day evening every find hour kind last latest left list long minute month morning
name new next night now number off past recent recently search set should since time today tomorrow tonight until week
weekend year yesterday
今天 明天 昨天 今晚 昨晚 现在 最近 上周 这周 本周 下周 上个 这个 本月 个月 今年 去年 时间 分钟 小时 日期 早上 上午 下午
晚上 周末 查询 列表 什么 怎么
"""
_FAINT: Final = frozenset(_FAINT_WORDS.split())
_STOP_LETTERS: Final = frozenset(
    "的了吗呢吧啊是在有没不我你他她它们这那个么什哪些多少几和与或也都还就要能会可把被给到从对为请想"
)


class Term(NamedTuple):
    """A word of a text, or a letter or two of a script without blanks."""

    stem: str
    weight: float

    @property
    def meanings(self) -> tuple[str, ...]:
        """Each counts `MEANING_WEIGHT` of the word."""
        return meanings_of(self.stem)


def terms_of(text: str) -> Iterator[Term]:
    """The terms of a text in order; words that every question has are left out."""
    for run in _runs().findall(_spelled(text)):
        if run[0] < "\u3040":
            yield from _of_word(run)
        else:
            yield from _of_letters(run)


def _of_word(word: str) -> Iterator[Term]:
    if word not in _STOPPED and (len(word) > 1 or word.isdecimal()):
        yield Term(stem_of(word), FAINT_WEIGHT if word in _FAINT else 1.0)


def _of_letters(run: str) -> Iterator[Term]:
    for at, letter in enumerate(run):
        if letter not in _STOP_LETTERS:
            yield Term(letter, LETTER_WEIGHT)
        pair = run[at : at + 2]
        if len(pair) == 2 and not _STOP_LETTERS.issuperset(pair):
            yield Term(pair, FAINT_WEIGHT if pair in _FAINT else 1.0)


def stem_of(word: str) -> str:
    """A word without its English ending; rough, but the same for the forms of one word."""
    if len(word) < 4 or not word.isascii() or word.isdecimal():
        return word
    word = word.replace("our", "or") if len(word) > 5 else word
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return _bare(word.removesuffix(ending) + instead)
    if word.endswith("es") and word[-3] in "sxzh":
        return _bare(word[:-2])
    return _bare(word[:-1] if word.endswith("s") and word[-2] not in "su" else word)


def _bare(word: str) -> str:
    """`planned` and `plan`, `saved` and `save` alike."""
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiouls":
        word = word[:-1]
    return word[:-1] if len(word) > 3 and word.endswith("e") else word


def _spelled(text: str) -> str:
    """One spelling: words of camelCase and snake_case apart, width and case levelled."""
    return unicodedata.normalize("NFKC", _CAMEL.sub(" ", text)).casefold().replace("_", " ").replace("'s ", " ")


@cache
def _runs() -> re.Pattern[str]:
    return re.compile(rf"[{_UNSPACED}]+|[^\W_{_UNSPACED}]+")
