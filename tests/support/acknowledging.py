"""A process that stores memories and says each one when it is kept; made to be killed at any moment."""

import asyncio
import itertools
import sys
from pathlib import Path

from support.memories import entry, remembering


async def main(folder: Path, first: int) -> None:
    async with remembering(folder) as memory:
        for number in itertools.count(first):
            await memory.store(entry(f"k{number}", f"note number{number} of subject{number * 7919}", category="notes"))
            print(f"k{number}", flush=True)
            if number % 7 == 3:
                await memory.forget(f"k{number - 2}")
                print(f"-k{number - 2}", flush=True)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2])))
