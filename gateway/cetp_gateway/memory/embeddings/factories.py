"""Makes the embedder that the settings ask for. Opens no connection and loads no model."""

import os
from collections.abc import Mapping

from cetp_gateway.memory.embeddings.embedder import Embedder
from cetp_gateway.memory.embeddings.openai import OpenAIEmbedder
from cetp_gateway.settings.memory import MemorySettings


def create_embedder(settings: MemorySettings, environment: Mapping[str, str] = os.environ) -> Embedder | None:
    """None when no embeddings are wanted. Raises SettingsError when a package for them is missing."""
    if settings.embedding_provider == "none" or settings.search_mode == "bm25":
        return None
    if settings.embedding_provider == "local":
        from cetp_gateway.memory.embeddings.minilm import MiniLM  # noqa: PLC0415  (numpy is optional)

        return MiniLM.find()
    # A server of one's own is not given the key of another.
    key = settings.embedding_api_key or ("" if settings.embedding_base_url else environment.get("OPENAI_API_KEY", ""))
    return OpenAIEmbedder(
        base_url=settings.embedding_base_url,
        model=settings.embedding_model,
        key=key,
        dims=settings.embedding_dims,
        timeout_s=settings.embedding_timeout_s,
    )
