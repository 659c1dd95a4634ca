"""Embedders for tests: one that knows which words mean the same, and a server that speaks OpenAI's `/embeddings`."""

import asyncio
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import msgspec

from cetp_gateway.errors import ModelFailed, ModelFailure

MEANINGS = (
    {"car", "automobile", "vehicle"},
    {"tea", "drink", "beverage"},
    {"house", "home", "flat"},
    {"money", "invoice", "rent"},
)


class Synonyms:
    """Implements Embedder: a dimension for each meaning, and one for everything else."""

    provider = "openai"

    def __init__(self, model: str = "synonyms", dims: int = 8) -> None:
        self.model = model
        self.dims = dims
        self.fails = ""
        self.texts: list[str] = []
        self.closed = False
        self.asked = asyncio.Event()

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        if self.fails:
            raise ModelFailed(ModelFailure.UNREACHABLE, self.fails)
        self.texts += texts
        self.asked.set()
        return [self.vector(text) for text in texts]

    async def aclose(self) -> None:
        self.closed = True

    def vector(self, text: str) -> list[float]:
        words = set(re.findall(r"\w+", text.lower()))
        meant = [1.0 if words & meaning else -0.1 for meaning in MEANINGS]
        return [*meant, 0.05, *[0.01] * (self.dims - len(meant) - 1)]


class Endpoint:
    """What a server was asked, and what it answers."""

    def __init__(self) -> None:
        self.url = ""
        self.requests: list[tuple[str, dict[str, str], dict[str, object]]] = []
        self.status = 200
        self.body: bytes | None = None
        """Instead of vectors."""

    def answer(self, asked: dict[str, object]) -> bytes:
        if self.body is not None:
            return self.body
        texts = asked["input"]
        assert isinstance(texts, list)
        rows = [{"index": place, "embedding": Synonyms().vector(text)} for place, text in enumerate(texts)]
        return msgspec.json.encode({"data": rows[::-1]})

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        line, *lines = head.split("\r\n")
        headers = {name.lower(): value for name, value in (item.split(": ", 1) for item in lines if item)}
        asked = msgspec.json.decode(await reader.readexactly(int(headers["content-length"])))
        self.requests.append((line, headers, asked))
        body = self.answer(asked)
        writer.write(b"HTTP/1.1 %d X\r\ncontent-length: %d\r\nconnection: close\r\n\r\n" % (self.status, len(body)))
        writer.write(body)
        await writer.drain()
        writer.close()


@asynccontextmanager
async def endpoint() -> AsyncIterator[Endpoint]:
    """Run such a server."""
    heard = Endpoint()
    server = await asyncio.start_server(heard.serve, "127.0.0.1", 0)
    heard.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    async with server:
        yield heard
