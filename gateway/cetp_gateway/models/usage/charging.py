"""Whose requests the running task makes: everything within the block, and in tasks begun there, is that session's."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

_SESSION: Final[ContextVar[str]] = ContextVar("charged_session", default="")


@contextmanager
def charged_to(session_id: str) -> Iterator[None]:
    token = _SESSION.set(session_id)
    try:
        yield
    finally:
        _SESSION.reset(token)


def charged_session() -> str:
    """Empty outside a session."""
    return _SESSION.get()
