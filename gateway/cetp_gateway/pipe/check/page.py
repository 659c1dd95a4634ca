"""A small page of the checker's own, for the core actions: what is typed into it is greeted after a click."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

_PAGE = b"""<!doctype html><html lang="en"><meta charset="utf-8"><title>Check</title>
<label>Name <input id="name"></label> <button id="greet">Greet</button> <p id="out"></p>
<script>
document.querySelector("#greet").addEventListener("click", () => {
  document.querySelector("#out").textContent = "Hello " + document.querySelector("#name").value;
});
</script></html>
"""
_HEAD = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {len(_PAGE)}\r\nConnection: close\r\n\r\n"


@asynccontextmanager
async def served_page() -> AsyncIterator[str]:
    """The page's domain, `127.0.0.1:PORT`; any path gives the page."""
    server = await asyncio.start_server(_answer, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        yield f"127.0.0.1:{port}"


async def _answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        async with asyncio.timeout(10):
            await reader.readuntil(b"\r\n\r\n")
            writer.write(_HEAD.encode() + _PAGE)
            await writer.drain()
    except (TimeoutError, ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
        return
    finally:
        writer.close()
