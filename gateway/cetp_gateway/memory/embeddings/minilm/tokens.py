"""Text as the numbers that BERT's uncased models know: WordPiece. Plain functions of a vocabulary.

Source: Devlin et al., BERT (2018), and the `tokenizer_config.json` of the model: lower case, accents stripped, Chinese
letters one by one.
"""

import unicodedata
from collections.abc import Iterator, Mapping
from typing import Final

_UNKNOWN: Final = "[UNK]"
_LONGEST_WORD: Final = 100


def token_numbers(text: str, vocabulary: Mapping[str, int], *, limit: int) -> list[int]:
    """The text's pieces between [CLS] and [SEP], `limit` numbers at most."""
    numbers = [vocabulary["[CLS]"]]
    for word in _words(text):
        numbers += [vocabulary[piece] for piece in _pieces(word, vocabulary)]
        if len(numbers) >= limit:
            break
    return [*numbers[: limit - 1], vocabulary["[SEP]"]]


def _words(text: str) -> Iterator[str]:
    plain = (letter for letter in unicodedata.normalize("NFD", text.lower()) if unicodedata.category(letter) != "Mn")
    spaced = (f" {letter} " if _stands_alone(letter) else _visible(letter) for letter in plain)
    yield from "".join(spaced).split()


def _pieces(word: str, vocabulary: Mapping[str, int]) -> list[str]:
    """The longest known beginnings, one after the other."""
    if len(word) > _LONGEST_WORD:
        return [_UNKNOWN]
    pieces: list[str] = []
    start = 0
    while start < len(word):
        prefix = "##" if start else ""
        ends = range(len(word), start, -1)
        end = next((end for end in ends if prefix + word[start:end] in vocabulary), None)
        if end is None:
            return [_UNKNOWN]
        pieces.append(prefix + word[start:end])
        start = end
    return pieces


def _stands_alone(letter: str) -> bool:
    """Punctuation, every sign of ASCII, and Chinese letters."""
    if letter.isascii():
        return letter.isprintable() and not letter.isalnum() and letter != " "
    return (
        unicodedata.category(letter).startswith("P")
        or "\u4e00" <= letter <= "\u9fff"
        or "\u3400" <= letter <= "\u4dbf"
        or "\uf900" <= letter <= "\ufaff"
        or "\U00020000" <= letter <= "\U0002fa1f"
    )


def _visible(letter: str) -> str:
    if letter.isspace():
        return " "
    return "" if unicodedata.category(letter) in ("Cc", "Cf") or letter == "\ufffd" else letter
