"""JSON inside other text: where a value ends, and what it says even when a model wrote it a little wrong."""

import ast
import json
import re
import warnings
from typing import Any, Final

import msgspec

_MARK: Final = re.compile(r'["{}\[\]]')
_STRING: Final = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
MAX_PYTHON_CHARS: Final = 100_000
"""Longer text is not tried as Python: its parser needs many times the memory."""


def end_of_json(text: str, at: int) -> int:
    """The place behind the object or list that begins at `at`; -1 when the text ends inside it."""
    depth = 0
    while (mark := _MARK.search(text, at)) is not None:
        at = mark.end()
        if mark[0] == '"':
            string = _STRING.match(text, mark.start())
            if string is None:
                return -1
            at = string.end()
        else:
            depth += 1 if mark[0] in "{[" else -1
            if depth <= 0:
                return at
    return -1


def decode_leniently(text: str) -> tuple[Any, bool]:
    """The value and True; None and False when nothing can be made of it.

    Line ends inside texts and Python's way of writing dicts are understood.
    """
    try:
        return msgspec.json.decode(text), True
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        pass
    try:
        return json.loads(text, strict=False), True
    except (ValueError, RecursionError):
        return _decode_python(text)


def _decode_python(text: str) -> tuple[Any, bool]:
    if "'" not in text:
        return None, False
    parsed = parse_python(text)
    if not isinstance(parsed, ast.Module) or len(parsed.body) != 1:
        return None, False
    statement = parsed.body[0]
    if not isinstance(statement, ast.Expr):
        return None, False
    try:
        return ast.literal_eval(statement.value), True
    except (ValueError, TypeError, RecursionError, MemoryError):
        return None, False


def parse_python(text: str) -> ast.Module | None:
    """Python source as a tree; nothing of it is run. None when it is none."""
    if len(text) > MAX_PYTHON_CHARS:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # A model's odd escapes are no concern of our log.
        try:
            return ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None
