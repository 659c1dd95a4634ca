"""Settings of the long-term memory: `[memory]`."""

from typing import Annotated, Literal

from msgspec import Meta

from cetp_gateway.settings.values import Count, Seconds, Section


class MemorySettings(Section, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What lasts beyond a session."""

    backend: Literal["sqlite", "none"] = "sqlite"
    """none remembers nothing."""
    content_chars: Count = 8192
    """Longest text of one entry."""
    snapshot: bool = True
    """Keep MEMORY_SNAPSHOT.md in the data folder, from which core entries come back when the database is gone."""
    hygiene_interval_h: Annotated[float, Meta(gt=0, le=8760)] = 12.0
    """Time between two removals of old entries."""
    daily_days: Count = 30
    """Age from which daily entries go; core ones never do."""
    conversation_days: Count = 30
    """Age from which conversation entries go."""
    search_mode: Literal["hybrid", "embedding", "bm25"] = "hybrid"
    """By words and meaning, by meaning, or by words; without embeddings words alone count."""
    keyword_weight: Annotated[float, Meta(ge=0, le=1)] = 0.3
    """Share of the words in hybrid search."""
    vector_weight: Annotated[float, Meta(gt=0, le=1)] = 0.7
    """Share of the meaning in hybrid search."""
    embedding_provider: Literal["none", "openai", "local"] = "none"
    """openai is any server with OpenAI's /embeddings, which gets every entry, and descriptions of tools when there are
    too many to send; local needs cetp-toolkit[embeddings]."""
    embedding_model: str = ""
    """Model id at that server; empty takes text-embedding-3-small."""
    embedding_base_url: str = ""
    """Such as http://127.0.0.1:11434/v1; empty is OpenAI itself."""
    embedding_api_key: str = ""
    """Better kept elsewhere, as with model.api_key: CETP_MEMORY_EMBEDDING_API_KEY, a file, or keyring:SERVICE/NAME."""
    embedding_api_key_file: str = ""
    """The file that holds the key in one line; see model.api_key_file."""
    embedding_dims: Annotated[int, Meta(ge=0, le=8192)] = 0
    """Dimensions to ask for; 0 leaves it to the server."""
    embedding_timeout_s: Seconds = 30.0
    """Longest wait for one request; a query waits 3 s at most."""
    recalled: Annotated[int, Meta(ge=0, le=50)] = 5
    """Entries that a turn is given with the question they fit; 0 leaves recalling to tools."""
    consolidate: bool = True
    """After a turn, ask its model what is worth remembering."""
    consolidation_timeout_s: Seconds = 60.0
    """Longest wait for that answer."""

    def __repr__(self) -> str:
        """Without the key: settings turn up in logs and tracebacks."""
        return f"MemorySettings(backend={self.backend!r}, search_mode={self.search_mode!r})"
