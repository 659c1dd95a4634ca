"""A line becomes a JSON object, or is refused (pipe 3.3): nothing in it may mean two things to two readers.

Above: what reads messages. Below: msgspec, which is strict about UTF-8, surrogates and grammar but takes keys twice.
"""

import json
from collections.abc import Sequence
from typing import Any

import msgspec

MAX_LEVELS = 32
"""Of objects and lists, the message being the first."""

_decode = msgspec.json.Decoder().decode
_encode = msgspec.json.Encoder().encode


class NotJson(ValueError):
    """The line is no message; the text says what is wrong and holds nothing of the line."""


def read_object(line: bytes) -> dict[str, Any]:
    """The object that a line holds; integers keep all their digits.

    Raises:
        NotJson: it is not UTF-8 or not JSON, is no object, has a key twice, half a character or too many levels.
    """
    try:
        message = _decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, ValueError):
        raise NotJson("the line is not JSON in UTF-8") from None
    except RecursionError:
        raise NotJson(f"the message has more than {MAX_LEVELS} levels") from None
    if type(message) is not dict:
        raise NotJson("the message is not an object")
    if line.count(b"{") + line.count(b"[") > MAX_LEVELS:
        _check_levels(message, MAX_LEVELS)
    # A key that comes twice is lost in `message`: bytes that come out again as they were have none.
    if _encode(message) != line:
        _check_keys(line)
    return message


def _check_levels(value: Any, left: int) -> None:
    if not isinstance(value, dict | list):
        return
    if left == 0:
        raise NotJson(f"the message has more than {MAX_LEVELS} levels")
    for part in value.values() if isinstance(value, dict) else value:
        _check_levels(part, left - 1)


def _check_keys(line: bytes) -> None:
    try:
        json.loads(line.decode(), object_pairs_hook=_unlike_pairs)
    except NotJson:
        raise
    except ValueError:
        raise NotJson("the line has a number that nobody can read") from None


def _unlike_pairs(pairs: Sequence[tuple[str, Any]]) -> None:
    if len({key for key, _ in pairs}) != len(pairs):
        raise NotJson("an object has a key twice")
