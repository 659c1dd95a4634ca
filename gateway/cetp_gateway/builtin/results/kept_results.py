"""Results kept for their session: in memory alone, bounded in number, bytes and age, gone with the session.

A reference is never given twice, also by another run of the gateway: those of an earlier run still stand in the
session's history and must not lead to another result. Above: `assemble`, the tools that take a reference. Below:
settings.
"""

import asyncio
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

import msgspec

from cetp_gateway.api import Origin
from cetp_gateway.builtin.builtin_tool import NotPossible
from cetp_gateway.builtin.names import RESULT_READERS
from cetp_gateway.settings.limits import LimitSettings

OVERHEAD_BYTES: Final = 1024
"""Counted for each result besides its text."""
_NAMED: Final = 10


class KeptResult(msgspec.Struct, frozen=True, kw_only=True):
    """One result, whole but for pictures."""

    reference: str
    session_id: str
    tool: str
    """Public name of the tool that gave it."""
    origin: Origin | None
    """Whose words it holds, and whatever is made of it."""
    content: bytes
    chars: int
    until: float
    """Of the event loop's clock."""

    @property
    def text(self) -> str:
        return self.content.decode()

    @property
    def size(self) -> int:
        """Bytes that it counts for."""
        return len(self.content) + OVERHEAD_BYTES


class SessionKeeper:
    """Implements agent.ResultKeeper for one turn of a session."""

    readers: Final = RESULT_READERS

    def __init__(self, results: "KeptResults", session_id: str) -> None:
        self._results = results
        self._session_id = session_id
        self.is_open = True
        """False once the session is deleted: what its last turn still hears is not kept."""

    def keep(self, text: str, *, tool: str, origin: Origin | None) -> str:
        return self._results.keep(self._session_id, text, tool=tool, origin=origin) if self.is_open else ""


class KeptResults:
    """Those of all sessions. `limits` gives the bounds in force; used in one event loop."""

    def __init__(self, limits: Callable[[], LimitSettings]) -> None:
        self.limits = limits
        self._kept: dict[str, KeptResult] = {}
        self._turns: dict[str, SessionKeeper] = {}
        self._timer: asyncio.TimerHandle | None = None

    @contextmanager
    def turn(self, session_id: str) -> Iterator[SessionKeeper]:
        """What keeps results for a turn; a session has one at a time."""
        keeper = self._turns[session_id] = SessionKeeper(self, session_id)
        try:
            yield keeper
        finally:
            if self._turns.get(session_id) is keeper:
                del self._turns[session_id]

    def keep(self, session_id: str, text: str, *, tool: str, origin: Origin | None) -> str:
        """The reference of a text without lone surrogates; empty when it is larger than all that may be kept."""
        limits = self.limits()
        kept = KeptResult(
            reference=f"r{secrets.token_hex(3)}",
            session_id=session_id,
            tool=tool,
            origin=origin,
            content=text.encode(),
            chars=len(text),
            until=asyncio.get_running_loop().time() + limits.kept_results_s,
        )
        if kept.reference in self._kept or kept.size > min(limits.kept_session_bytes, limits.kept_bytes):
            return ""
        self._make_room(kept, limits)
        self._kept[kept.reference] = kept
        self._wake()
        return kept.reference

    def of(self, session_id: str) -> list[KeptResult]:
        """What is kept for a session, the oldest first."""
        return [kept for kept in self._kept.values() if kept.session_id == session_id]

    def find(self, session_id: str, reference: str) -> KeptResult:
        """A result of this session. Raises NotPossible: it is not there (any more), or there is no session."""
        if not session_id:
            raise NotPossible("result: results are kept for a conversation, and this call belongs to none.")
        kept = self._kept.get(reference)
        if kept is None or kept.session_id != session_id:
            raise NotPossible(
                f"result: nothing is kept as {reference!r} for this conversation. A result is kept for "
                f"{self.limits().kept_results_s / 60:g} minutes at most, until newer ones need its room, and not "
                "beyond a restart of the gateway.",
                hint=f"Call the tool again that gave it. {self._listed(session_id)}",
            )
        return kept

    def forget(self, session_id: str) -> None:
        """The session is deleted."""
        keeper = self._turns.pop(session_id, None)
        if keeper is not None:
            keeper.is_open = False
        for kept in self.of(session_id):
            del self._kept[kept.reference]

    async def aclose(self) -> None:
        """Forget everything."""
        self._kept.clear()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _make_room(self, coming: KeptResult, limits: LimitSettings) -> None:
        own = self.of(coming.session_id)
        while own and (len(own) >= limits.kept_results or _size(own) + coming.size > limits.kept_session_bytes):
            del self._kept[own.pop(0).reference]
        total = sum(kept.size for kept in self._kept.values())
        while total + coming.size > limits.kept_bytes:
            total -= self._kept.pop(next(iter(self._kept))).size

    def _listed(self, session_id: str) -> str:
        newest = self.of(session_id)[-_NAMED:]
        if not newest:
            return "Nothing is kept now."
        named = ", ".join(f"{kept.reference} ({kept.tool}, {kept.chars} characters)" for kept in reversed(newest))
        return f"Kept now: {named}."

    def _wake(self) -> None:
        """Come back when the next one is too old."""
        if self._timer is None and self._kept:
            soonest = min(kept.until for kept in self._kept.values())
            self._timer = asyncio.get_running_loop().call_at(soonest, self._expire)

    def _expire(self) -> None:
        self._timer = None
        now = asyncio.get_running_loop().time()
        for kept in [kept for kept in self._kept.values() if kept.until <= now]:
            del self._kept[kept.reference]
        self._wake()


def _size(results: list[KeptResult]) -> int:
    return sum(kept.size for kept in results)
