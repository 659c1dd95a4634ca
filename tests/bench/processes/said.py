"""How these processes talk to the one that started them: lines on standard output, the end of standard input."""

import asyncio
import sys
from typing import Any

import msgspec


def say(word: str, **fields: Any) -> None:
    """Print a word and a JSON object."""
    print(word, msgspec.json.encode(fields).decode(), flush=True)


async def until_told() -> None:
    """Wait for the end of standard input. SIGTERM may come first, and simply ends the process."""
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
