"""A listening port behind which nobody ever says a word; it counts who comes. Real sockets."""

import asyncio
from types import TracebackType
from typing import Self


class Blackhole:
    """Takes connections and whatever is sent, and answers nothing."""

    def __init__(self) -> None:
        self.port = 0
        self.connections = 0
        """Taken so far."""
        self.reached = asyncio.Event()
        """Somebody has come."""
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.StreamWriter] = set()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._swallow, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        if self._server is not None:
            self._server.close()
        for writer in tuple(self._open):
            writer.transport.abort()

    async def _swallow(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        self._open.add(writer)
        self.reached.set()
        try:
            while await reader.read(65_536):
                continue
        except OSError:
            return
        finally:
            self._open.discard(writer)
            writer.close()
