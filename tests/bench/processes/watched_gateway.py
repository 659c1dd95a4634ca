"""The gateway, with a heart that beats once in every round of its event loop. Argument: the data folder.

READY tells the port. A line on standard input is answered by STOP: the longest round since the line before it.
"""

import asyncio
import sys
import time
from pathlib import Path

import msgspec
import uvloop

from cetp_gateway.server.serve import gateway
from cetp_gateway.settings import Settings

from .said import say


class Heart:
    """Measures rounds of the loop, which it keeps from ever waiting."""

    def __init__(self) -> None:
        self.longest_s = 0.0

    async def beat(self) -> None:
        last = time.perf_counter()
        while True:
            await asyncio.sleep(0)
            now = time.perf_counter()
            self.longest_s = max(self.longest_s, now - last)
            last = now

    def tell(self) -> None:
        """Take a line and answer it."""
        sys.stdin.readline()
        say("STOP", longest_ms=self.longest_s * 1e3)
        self.longest_s = 0.0


async def main(folder: Path) -> None:
    limits = {"body_bytes": 2 * 1024 * 1024}
    settings = msgspec.convert({"server": {"port": 0}, "model": {"provider": "offline"}, "limits": limits}, Settings)
    heart = Heart()
    async with gateway(settings, data_folder=folder, config_file=folder / "cetp.toml") as running:
        beating = asyncio.create_task(heart.beat())
        asyncio.get_running_loop().add_reader(sys.stdin.fileno(), heart.tell)
        say("READY", port=running.port)
        await running.stopping.wait()
        beating.cancel()


if __name__ == "__main__":
    uvloop.run(main(Path(sys.argv[1])))
