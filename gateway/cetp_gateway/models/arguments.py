"""Reads the arguments of a call from the text that a model streamed. What cannot be read is said truly."""

from typing import Any, Final

import msgspec

MAX_CHARS: Final = 4 * 1024 * 1024
"""Longer arguments are not read. What a tool takes is limited by `limits.argument_bytes` in the registry."""


def read_arguments(text: str) -> tuple[Any, str]:
    """The decoded object and an empty text, or the text itself and the reason why it is none.

    Nothing at all, blanks and `null` mean that there are no arguments. An object that was encoded twice is unwrapped
    once. Integers keep all their digits.
    """
    if len(text) > MAX_CHARS:
        return text[:200], f"The arguments are longer than {MAX_CHARS} characters."
    value, problem = _decode(text)
    if not problem and isinstance(value, str):
        inner, inner_problem = _decode(value)
        value = inner if not inner_problem else value
    if problem:
        return text, problem
    if not isinstance(value, dict):
        return text, f"The arguments must be a JSON object, but they are {_kind(value)}."
    return value, ""


def checked_arguments(value: Any) -> tuple[Any, str]:
    """The same for arguments that came decoded already; some servers send them so."""
    if isinstance(value, str):
        return read_arguments(value)
    if value is None:
        return {}, ""
    if isinstance(value, dict):
        return value, ""
    return value, f"The arguments must be a JSON object, but they are {_kind(value)}."


def _decode(text: str) -> tuple[Any, str]:
    if not text.strip():
        return {}, ""
    try:
        value = msgspec.json.decode(text)
    except msgspec.DecodeError as error:
        return None, f"The arguments are not valid JSON ({str(error).rstrip('.')})."
    except (RecursionError, UnicodeEncodeError):
        return None, "The arguments are not valid JSON (nested too deep, or broken characters)."
    return {} if value is None else value, ""


def _kind(value: Any) -> str:
    if isinstance(value, str):
        return "a text"
    if isinstance(value, list):
        return "a list"
    return "true or false" if isinstance(value, bool) else "a number"
