"""An agent with our link, run as a program. Arguments: what to ask for, one after the other.

`getPage` and other actions without params; `noise`: write to standard output in every way; `wait`: until the end.
What became of each stands on standard error, after `became`.
"""

import asyncio
import logging
import os
import sys

from cetp_gateway.errors import PipeFailed
from cetp_gateway.pipe import AgentLink, Done, take_stdio


async def main() -> int:
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    stdio = take_stdio()
    try:
        link = await AgentLink.open(stdio.input, stdio.output, ["getPage", "getText", "back"])
    except PipeFailed as error:
        tell(f"{error.code}: {error}")
        return 1
    async with link:
        for word in sys.argv[1:]:
            await act(link, word)
    return 1 if link.lost_count else 0


async def act(link: AgentLink, word: str) -> None:
    if word == "wait":
        await link.wait_closed()
    elif word == "noise":
        print("printed")
        os.write(1, b"written\n")
        await (await asyncio.create_subprocess_exec("echo", "echoed")).wait()
    else:
        ended = await link.command(word, {}, "example.org")
        tell(f"became {'done' if isinstance(ended, Done) else ended.code}")


def tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
