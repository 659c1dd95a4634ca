"""A web site on this machine that says what a test tells it to, byte for byte, and keeps what it was asked."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

Answer = bytes | None
"""The whole answer as bytes; None never answers."""


class Site:
    """A running one. Pages may be changed at any time."""

    def __init__(self, pages: Mapping[str, Answer]) -> None:
        self.pages = dict(pages)
        self.port = 0
        self.asked: list[tuple[str, dict[str, str]]] = []
        """Path with query, and headers by their names in lower case."""

    @property
    def paths(self) -> list[str]:
        return [path for path, _ in self.asked]

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            path = head[0].split(" ")[1]
            self.asked.append((path, {k.lower(): v.strip() for k, _, v in (line.partition(":") for line in head[1:])}))
            answer = self.pages.get(path, self.pages.get(path.partition("?")[0], b"HTTP/1.1 404 No\r\n\r\n"))
            if answer is None:
                await reader.read()
            else:
                writer.write(answer)
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


def page(content: str | bytes, kind: str = "text/html; charset=utf-8", **headers: str) -> bytes:
    """An answer with a body."""
    body = content.encode() if isinstance(content, str) else content
    lines = [f"content-type: {kind}"] if kind else []
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return (
        "\r\n".join(["HTTP/1.1 200 OK", *lines, f"content-length: {len(body)}", "connection: close", "", ""]).encode()
        + body
    )


def moved(location: str, status: int = 302) -> bytes:
    """An answer that leads on."""
    return f"HTTP/1.1 {status} Moved\r\nlocation: {location}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".encode()


@asynccontextmanager
async def site(pages: Mapping[str, Answer], **how: Any) -> AsyncIterator[Site]:
    """Serve pages, by their paths, at 127.0.0.1; `how` goes to `asyncio.start_server`."""
    serving = Site(pages)
    server = await asyncio.start_server(serving.serve, "127.0.0.1", 0, **how)
    serving.port = server.sockets[0].getsockname()[1]
    try:
        yield serving
    finally:
        server.close()
        await server.wait_closed()
