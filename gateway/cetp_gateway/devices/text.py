"""Two facts about text on the wire: how many bytes it has, and that it must be Unicode."""

from typing import Any


def utf8_bytes(text: str) -> int:
    """The size that limits count, without encoding what is plain ASCII."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def well_formed(value: Any) -> Any:
    """A JSON value with each half of a surrogate pair replaced by U+FFFD; some models and files send such halves."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {well_formed(key): well_formed(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [well_formed(item) for item in value]
    return value
