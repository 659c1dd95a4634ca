"""A TCP proxy whose network can go silent, come back, or be cut. Real sockets; nothing here knows our code.

async with Proxy(gateway.port) as path:
    …connect to path.port…
    path.hold()     # nothing arrives any more, in either direction, and nobody is told
    path.release()  # what was on its way arrives now
    path.cut()      # connections are reset
"""

import asyncio
from types import TracebackType
from typing import Self

WITHIN_S = 10.0
CHUNK_BYTES = 65_536
"""One piece that waits in a held direction; what comes behind it waits in the system's buffers."""


class Proxy:
    """Forwards 127.0.0.1:`port` to 127.0.0.1:`target`."""

    def __init__(self, target: int) -> None:
        self.port = 0
        self.connections = 0
        """Made so far."""
        self._came = asyncio.Event()
        self._target = target
        self._flows = asyncio.Event()
        self._held = asyncio.Event()
        self._flows.set()
        self._writers: set[asyncio.StreamWriter] = set()
        self._pumps: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    def hold(self) -> None:
        """Lose the network silently: not even the end of a connection gets through."""
        self._flows.clear()
        self._held.clear()

    async def holding(self) -> None:
        """Wait until something has come that is now held back."""
        async with asyncio.timeout(WITHIN_S):
            await self._held.wait()

    def release(self) -> None:
        """Let everything through again, late."""
        self._flows.set()

    def cut(self) -> None:
        """Reset every connection on both sides; new ones are taken."""
        for writer in tuple(self._writers):
            writer.transport.abort()

    async def met(self, connections: int) -> None:
        """Wait until so many connections have been made, however they went."""
        async with asyncio.timeout(WITHIN_S):
            while self.connections < connections:
                self._came.clear()
                await self._came.wait()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        if self._server is not None:
            self._server.close()
        self.cut()
        for pump in tuple(self._pumps):
            pump.cancel()
        await asyncio.gather(*self._pumps, return_exceptions=True)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._target)
        self._writers.add(far_writer)
        self.connections += 1
        self._came.set()
        for source, sink in ((reader, far_writer), (far_reader, writer)):
            pump = asyncio.create_task(self._pump(source, sink))
            self._pumps.add(pump)
            pump.add_done_callback(self._pumps.discard)

    async def _pump(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        try:
            while data := await source.read(CHUNK_BYTES):
                await self._until_it_flows()
                sink.write(data)
                await sink.drain()
            await self._until_it_flows()
        except OSError:
            sink.transport.abort()
        finally:
            sink.close()
            self._writers.discard(sink)

    async def _until_it_flows(self) -> None:
        if not self._flows.is_set():
            self._held.set()
            await self._flows.wait()
