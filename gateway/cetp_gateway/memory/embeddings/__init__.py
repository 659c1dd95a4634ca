"""Texts as vectors: one small interface, an OpenAI-compatible endpoint behind it, or a local model from a package.

Importing this room imports neither httpx nor numpy.
"""

from cetp_gateway.memory.embeddings.embedder import Embedder
from cetp_gateway.memory.embeddings.factories import create_embedder

__all__ = ["Embedder", "create_embedder"]
