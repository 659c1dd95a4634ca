"""What makes vectors of texts."""

from collections.abc import Sequence
from typing import Protocol


class Embedder(Protocol):
    """A model for embeddings. One object serves everybody."""

    @property
    def provider(self) -> str:
        """As `memory.embedding_provider` has it."""
        ...

    @property
    def model(self) -> str: ...

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector for each text, in order, all of one length. Raises ModelFailed."""
        ...

    async def aclose(self) -> None:
        """Let go of connections."""
        ...
