"""Notices the death of any process: it holds a FIFO open for writing, and the system closes it at the end."""

import asyncio
import os
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def fifo_reader() -> Iterator[tuple[str, Callable[[], Awaitable[None]]]]:
    """A path to hold open, and a wait until nobody holds it; to be called when somebody does."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "held"
        os.mkfifo(path)
        reader = os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb", buffering=0)

        async def ended() -> None:
            stream = asyncio.StreamReader()
            transport, _ = await asyncio.get_running_loop().connect_read_pipe(
                lambda: asyncio.StreamReaderProtocol(stream), reader
            )
            await stream.read()
            transport.close()

        try:
            yield str(path), ended
        finally:
            reader.close()
