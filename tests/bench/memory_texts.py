"""Notes to remember and questions to find them by: English-like words and Chinese letters, some frequent, most rare."""

import random
from collections.abc import Sequence
from itertools import accumulate

_WORDS = 30_000
_LETTERS = 3000


class Texts:
    """The same ones in every run."""

    def __init__(self) -> None:
        self._chance = random.Random(1)
        self._words = [_word(number) for number in range(_WORDS)]
        self._word_weights = list(accumulate(1 / (rank + 1) for rank in range(_WORDS)))
        self._letters = [chr(0x4E00 + number) for number in range(_LETTERS)]
        self._letter_weights = list(accumulate((rank + 20) ** -0.8 for rank in range(_LETTERS)))

    def note(self) -> str:
        """8 to 30 words."""
        return " ".join(self._some(self._words, self._word_weights, 8, 30))

    def chinese(self) -> str:
        """15 to 60 letters."""
        return "".join(self._some(self._letters, self._letter_weights, 15, 60))

    def sentence(self) -> str:
        """8 words."""
        return " ".join(self._some(self._words, self._word_weights, 8, 8))

    def pair_of(self, texts: Sequence[str]) -> str:
        """Two neighbouring letters of one of the texts."""
        text = self._chance.choice(texts)
        at = self._chance.randrange(len(text) - 1)
        return text[at : at + 2]

    def _some(self, of: Sequence[str], weights: Sequence[float], least: int, most: int) -> list[str]:
        return self._chance.choices(of, cum_weights=weights, k=self._chance.randint(least, most))


def _word(number: int) -> str:
    """Letters that no stemmer touches."""
    letters = "x"
    while number:
        number, letter = divmod(number, 20)
        letters = "bcdfghjklmnpqrtvwzao"[letter] + letters
    return letters
