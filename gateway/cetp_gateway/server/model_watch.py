"""Whether the model answers: what the latest turns showed, and a probe for those who want to know now."""

import asyncio
from datetime import UTC, datetime
from typing import Literal

import msgspec

from cetp_gateway.api import CallsAnnounced, ModelProvider, TurnDone, TurnEvent, TurnFailed
from cetp_gateway.errors import ModelFailed

PROBE_TIMEOUT_S = 5.0
_MODEL_CODES = frozenset({"AUTH_ERROR", "PROVIDER_ERROR"})


class ModelHealth(msgspec.Struct, frozen=True, kw_only=True):
    """The model's side."""

    provider: str
    model: str
    state: Literal["reachable", "failing", "unknown"]
    """unknown: nobody has asked it anything yet."""
    checked_at: datetime | None
    """When that was seen, UTC."""
    error: str
    """Why it fails."""


class ModelWatch:
    """Remembers how the latest request to the model ended."""

    def __init__(self, model: ModelProvider) -> None:
        self._model = model
        self._error: str | None = None
        self._checked_at: datetime | None = None

    def forget(self) -> None:
        """Another model is in force: what is known is not about it."""
        self._error = self._checked_at = None

    def saw(self, event: TurnEvent) -> None:
        """Take an event of any turn. An Emit."""
        if isinstance(event, TurnDone | CallsAnnounced):
            self._note(None)
        elif isinstance(event, TurnFailed) and event.code in _MODEL_CODES:
            self._note(event.message)

    async def probe(self) -> None:
        """Ask the model's side for its list of models, the cheapest request there is."""
        try:
            async with asyncio.timeout(PROBE_TIMEOUT_S):
                await self._model.models()
        except ModelFailed as error:
            self._note(error.message)
        except TimeoutError:
            self._note(f"No answer within {PROBE_TIMEOUT_S:g} s.")
        else:
            self._note(None)

    def health(self) -> ModelHealth:
        return ModelHealth(
            provider=self._model.provider,
            model=self._model.model,
            state="unknown" if self._checked_at is None else "reachable" if self._error is None else "failing",
            checked_at=self._checked_at,
            error=self._error or "",
        )

    def _note(self, error: str | None) -> None:
        self._error, self._checked_at = error, datetime.now(UTC)
