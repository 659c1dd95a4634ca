"""What can be read from a question without understanding it: words, quoted text, numbers, days."""

import re
from datetime import date, timedelta
from functools import cached_property
from typing import Final

from cetp_gateway.models.words import CAMEL, STOP_WORDS, WORD, words_of

QUOTED: Final = re.compile(r"\"([^\"]+)\"|“([^”]+)”|«([^»]+)»|「([^」]+)」|『([^』]+)』|(?<!\w)'([^']+)'(?!\w)")
NUMBER: Final = re.compile(r"(?<![\w.-])-?\d+(?:\.\d+)?(?![\w-]|\.\d)")
ISO_DAY: Final = re.compile(r"\b(\d{4})-(\d{2})-(\d{2})\b")
IDENTIFIER: Final = re.compile(r"(?<!\S)[\w-]*\d[\w-]*(?!\S)")
DAYS: Final = {
    "today": 0, "tonight": 0, "tomorrow": 1, "yesterday": -1, "今天": 0, "今晚": 0, "明天": 1, "后天": 2, "昨天": -1,
    "heute": 0, "morgen": 1, "gestern": -1,
}  # fmt: skip
WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
NUMBER_WORDS: Final = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "twenty": 20, "fifty": 50, "hundred": 100,
}  # fmt: skip
GENERIC: Final = frozenset(
    {"newest", "latest", "recent", "recently", "last", "first", "oldest", "next", "new", "old", "current", "currently",
     "now", "right", "week", "weeks", "month", "months", "year", "years", "day", "days", "please", "planned"}
)  # fmt: skip
"""Words that say when or how many; as search terms they find nothing."""
MAX_CHARS: Final = 4000


class Question:
    """One question, read once."""

    def __init__(self, text: str, today: date) -> None:
        self.text = text[:MAX_CHARS]
        self._lower = self.text.lower()
        self._today = today

    @cached_property
    def words(self) -> list[str]:
        """Stems without stop words."""
        return words_of(self.text)

    @cached_property
    def quoted(self) -> str:
        """The first text in quotation marks; empty when there is none."""
        found = QUOTED.search(self.text)
        return next((group for group in found.groups() if group), "").strip() if found else ""

    @cached_property
    def numbers(self) -> list[int | float]:
        """Numbers in figures or words, in order; parts of dates do not count."""
        without_days = ISO_DAY.sub(" ", self.text)
        figures = [_number(text) for text in NUMBER.findall(without_days)]
        return figures or [NUMBER_WORDS[word] for word in WORD.findall(self._lower) if word in NUMBER_WORDS]

    @cached_property
    def day(self) -> date | None:
        """The first day that is named: a date, today, tomorrow, a weekday (the next one)."""
        for year, month, number in ISO_DAY.findall(self.text):
            try:
                return date(int(year), int(month), int(number))
            except ValueError:
                continue
        for word, shift in DAYS.items():
            if re.search(rf"\b{word}\b" if word.isascii() else word, self._lower):
                return self._today + timedelta(days=shift)
        for number, word in enumerate(WEEKDAYS):
            if word in self._lower:
                return self._today + timedelta(days=(number - self._today.weekday()) % 7)
        return None

    @property
    def day_or_today(self) -> date:
        return self.day or self._today

    @cached_property
    def identifier(self) -> str:
        """A word that looks like an id: it has a digit and is no number of a date."""
        return next((text for text in IDENTIFIER.findall(ISO_DAY.sub(" ", self.text))), "")

    def says(self, phrase: str) -> bool:
        """The phrase stands in the question, as words."""
        phrase = phrase.lower().replace("_", " ").strip()
        if not phrase:
            return False
        if not phrase.isascii():
            return phrase in self._lower
        return re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", self._lower) is not None

    def keywords(self, known: set[str]) -> str:
        """The question's own words without those (stems) that only told which tool is meant, as they were written."""
        kept = [word for word in self._written if not set(words_of(word)) <= known]
        return " ".join(kept)

    @cached_property
    def _written(self) -> list[str]:
        """Words as written; no stop words, no days."""
        passed = {*DAYS, *WEEKDAYS, *NUMBER_WORDS, *GENERIC, *STOP_WORDS}
        without_days = ISO_DAY.sub(" ", self.text)
        runs = re.findall(r"[\w'-]+", CAMEL.sub(" ", without_days))
        bare = [(run, re.sub(r"'s?$", "", run.lower())) for run in runs]
        return [
            run.strip("'-") for run, plain in bare if plain not in passed and not plain.isdecimal() and words_of(plain)
        ]


def _number(text: str) -> int | float:
    return float(text) if "." in text else int(text)
