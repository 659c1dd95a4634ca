"""Yardstick S, the sockets' half: many connections, each with one echo in flight.

Arguments: port, connections, seconds.
"""

import asyncio
import sys
import time

import uvloop

from .frame_socket import FrameSocket
from .said import say

PAYLOAD = b"x" * 64


class Echo(FrameSocket):
    """Sends again what came back, until it is time."""

    def __init__(self, port: int) -> None:
        super().__init__(port)
        self.count = 0
        self.over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.ends_at = 0.0

    def on_text(self, payload: bytes) -> None:
        self.count += 1
        if payload != PAYLOAD:
            self.over.set_exception(ConnectionError("another text came back than was sent"))
        elif time.perf_counter() < self.ends_at:
            self.send_text(PAYLOAD)
        else:
            self.over.set_result(None)


async def main(port: int, connections: int, seconds: float) -> None:
    loop = asyncio.get_running_loop()
    echoes = [(await loop.create_connection(lambda: Echo(port), "127.0.0.1", port))[1] for _ in range(connections)]
    async with asyncio.timeout(seconds + 30):
        await asyncio.gather(*(echo.opened for echo in echoes))
        for echo in echoes:
            echo.ends_at = time.perf_counter() + seconds
            echo.send_text(PAYLOAD)
        await asyncio.gather(*(echo.over for echo in echoes))
    say("DONE", count=sum(echo.count for echo in echoes))


if __name__ == "__main__":
    uvloop.run(main(int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])))
