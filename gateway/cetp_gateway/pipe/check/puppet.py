"""The agent that a host under test is given: its standard input and output are the checker's, over a Unix socket.

Run as `python -m cetp_gateway.pipe.check.puppet SOCKET`. It understands nothing; it ends when either side ends.
"""

import asyncio
import sys

from cetp_gateway.pipe.stdio import take_stdio

_CHUNK_BYTES = 65536


async def main(socket: str) -> None:
    """Carry bytes both ways until one of them ends."""
    stdio = take_stdio()
    loop = asyncio.get_running_loop()
    reader, writer = await asyncio.open_unix_connection(socket)
    from_host = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(from_host), stdio.input)
    transport, protocol = await loop.connect_write_pipe(
        lambda: asyncio.StreamReaderProtocol(asyncio.StreamReader()), stdio.output
    )
    to_host = asyncio.StreamWriter(transport, protocol, None, loop)
    both = [asyncio.create_task(_carry(from_host, writer)), asyncio.create_task(_carry(reader, to_host))]
    await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
    for task in both:
        task.cancel()
    await asyncio.gather(*both, return_exceptions=True)


async def _carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while chunk := await reader.read(_CHUNK_BYTES):
            writer.write(chunk)
            await writer.drain()
    except ConnectionError:
        return
    finally:
        writer.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
