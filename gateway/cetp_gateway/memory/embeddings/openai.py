"""Embeddings from any server that speaks OpenAI's `/embeddings`. The first request imports httpx, in a thread."""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import msgspec

from cetp_gateway.errors import ModelFailed, ModelFailure
from cetp_gateway.loopback import is_loopback

if TYPE_CHECKING:
    import httpx

DEFAULT_URL: Final = "https://api.openai.com/v1"
DEFAULT_MODEL: Final = "text-embedding-3-small"
_BATCH: Final = 64
_MAX_BODY_BYTES: Final = 64 * 1024 * 1024


class _Row(msgspec.Struct):
    index: int
    embedding: list[float]


class _Answer(msgspec.Struct):
    data: list[_Row]


class OpenAIEmbedder:
    """Implements Embedder.

    Args:
        key: empty sends no Authorization header.
        dims: asks for so many dimensions; 0 leaves it to the server.
        timeout_s: for one request as a whole.
    """

    provider: Final = "openai"

    def __init__(self, *, base_url: str, model: str, key: str, dims: int, timeout_s: float) -> None:
        self._url = f"{(base_url or DEFAULT_URL).rstrip('/')}/embeddings"
        self.model = model or DEFAULT_MODEL
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._dims = dims
        self._timeout_s = timeout_s
        self._client: httpx.AsyncClient | None = None
        self._opening = asyncio.Lock()

    def __repr__(self) -> str:
        """Without the key."""
        return f"OpenAIEmbedder(url={self._url!r}, model={self.model!r})"

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """See Embedder."""
        vectors: list[list[float]] = []
        for start in range(0, len(texts), _BATCH):
            batch = texts[start : start + _BATCH]
            body = {"model": self.model, "input": list(batch), "encoding_format": "float"}
            answer = await self._post(body | ({"dimensions": self._dims} if self._dims else {}))
            vectors += _vectors(answer, len(batch))
        return vectors

    async def aclose(self) -> None:
        """See Embedder."""
        async with self._opening:
            client, self._client = self._client, None
        if client is not None:
            await client.aclose()

    async def _post(self, body: object) -> bytes:
        client = await self._opened()
        import httpx  # noqa: PLC0415  (imported by then)

        headers = {**self._headers, "Content-Type": "application/json"}
        try:
            async with asyncio.timeout(self._timeout_s):
                response = await client.post(self._url, content=msgspec.json.encode(body), headers=headers)
        except (TimeoutError, httpx.TimeoutException):
            raise _failed(ModelFailure.UNREACHABLE, f"did not answer within {self._timeout_s:g} s") from None
        except (httpx.HTTPError, httpx.InvalidURL):
            raise _failed(ModelFailure.UNREACHABLE, "cannot be reached; look at memory.embedding_base_url") from None
        if not response.is_success:
            raise _refused(response.status_code)
        if len(response.content) > _MAX_BODY_BYTES:
            raise _failed(ModelFailure.BROKEN_ANSWER, "sent more than can be embeddings")
        return response.content

    async def _opened(self) -> "httpx.AsyncClient":
        async with self._opening:
            if self._client is None:
                self._client = await asyncio.to_thread(self._open)
            return self._client

    def _open(self) -> "httpx.AsyncClient":
        import httpx  # noqa: PLC0415  (100 ms and 10 MB that a gateway without embeddings need not pay)

        return httpx.AsyncClient(timeout=self._timeout_s, trust_env=not _is_local(self._url))


def _vectors(body: bytes, count: int) -> list[list[float]]:
    try:
        rows = sorted(msgspec.json.decode(body, type=_Answer).data, key=lambda row: row.index)
    except (msgspec.MsgspecError, RecursionError):
        rows = []
    lengths = {len(row.embedding) for row in rows}
    if [row.index for row in rows] != list(range(count)) or len(lengths) > 1 or 0 in lengths:
        raise _failed(ModelFailure.BROKEN_ANSWER, "did not send one vector for each text")
    return [row.embedding for row in rows]


def _refused(status: int) -> ModelFailed:
    if status in (401, 403):
        return _failed(ModelFailure.AUTH, "does not accept the key; set CETP_MEMORY_EMBEDDING_API_KEY")
    if status == 429:
        return _failed(ModelFailure.RATE_LIMITED, "asks for a pause (HTTP 429)")
    if status >= 500:
        return _failed(ModelFailure.OVERLOADED, f"failed (HTTP {status})")
    return _failed(ModelFailure.REFUSED_REQUEST, f"said no (HTTP {status}); look at memory.embedding_model")


def _failed(kind: ModelFailure, what: str) -> ModelFailed:
    return ModelFailed(kind, f"The server for embeddings {what}.")


def _is_local(base_url: str) -> bool:
    return is_loopback(urlsplit(base_url).hostname or "")
