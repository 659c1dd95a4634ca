"""Yardstick E, the client's side: round trips of 64 bytes with `websockets` on asyncio. Arguments: port, seconds."""

import asyncio
import sys
import time

from websockets.asyncio.client import connect

from .said import say
from .samples import percentile

TEXT = "x" * 64


async def main(port: int, seconds: float) -> None:
    took = []
    uri = f"ws://127.0.0.1:{port}/"
    async with connect(uri, compression=None, ping_interval=None, proxy=None) as connection:
        end = time.perf_counter() + seconds
        while (started := time.perf_counter()) < end:
            await connection.send(TEXT)
            await connection.recv()
            took.append(time.perf_counter() - started)
    settled = took[len(took) // 10 :]
    say("DONE", count=len(took), p50_us=percentile(settled, 0.5) * 1e6, p99_us=percentile(settled, 0.99) * 1e6)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), float(sys.argv[2])))
