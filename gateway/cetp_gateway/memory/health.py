"""What the memory says of itself. Plain functions."""

from cetp_gateway.api import MemoryHealth
from cetp_gateway.memory.meaning import Meaning
from cetp_gateway.settings.memory import MemorySettings

_NO_EMBEDDINGS = "There are no embeddings, so words alone count; memory.embedding_provider chooses some."


def health_of(count: int, settings: MemorySettings, meaning: Meaning | None) -> MemoryHealth:
    """The health of a memory that can be read. It is not ok when the search that was asked for cannot be had."""
    entries = f"{count} entries."
    if meaning is None:
        wanted = settings.search_mode == "embedding"
        detail = entries if settings.search_mode == "bm25" else f"{entries} {_NO_EMBEDDINGS}"
        return MemoryHealth(backend="sqlite", ok=not wanted, detail=detail, search_mode="bm25")
    works = not meaning.trouble
    return MemoryHealth(
        backend="sqlite",
        ok=works,
        detail=entries if works else f"{entries} Words alone count just now: {meaning.trouble}",
        embedding_provider=meaning.embedder.provider,
        embedding_model=meaning.embedder.model,
        embedding_dims=meaning.dims,
        search_mode=settings.search_mode if works else "bm25",
    )
