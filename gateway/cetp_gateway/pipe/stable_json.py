"""The one way to write params down, so that two languages sign the same bytes (pipe 6.3). Plain functions of values."""

from typing import Any

import msgspec

MAX_INTEGER = 2**53 - 1

# Sorts by the UTF-8 bytes of keys, and escapes in strings exactly what pipe 6.3 names, in its forms.
_encode = msgspec.json.Encoder(order="sorted").encode


class Unstable(ValueError):
    """The value has a number or a character that has no stable form; the text says which kind, not which."""


def settled(value: Any) -> Any:
    """The same value with every number as the integer that it is.

    Raises:
        Unstable: a number has a fraction or is beyond ±(2^53-1).
    """
    if isinstance(value, str | bool | None):
        return value
    if isinstance(value, dict):
        return {key: settled(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [settled(part) for part in value]
    return _integer(value)


def stable_json(value: Any) -> bytes:
    """The stable form of decoded JSON, in UTF-8. Raises Unstable."""
    return written(settled(value))


def written(value: Any) -> bytes:
    """The stable form of a value that is settled. Raises Unstable when a string has half a character."""
    try:
        return _encode(value)
    except UnicodeEncodeError:
        raise Unstable("a string has half a character") from None


def _integer(number: Any) -> int:
    if isinstance(number, float) and number.is_integer():
        number = int(number)
    if not isinstance(number, int):
        raise Unstable("a number has a fraction")
    if not -MAX_INTEGER <= number <= MAX_INTEGER:
        raise Unstable("a number is beyond 2^53-1")
    return number
