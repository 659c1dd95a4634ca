"""What both queries have in common: a script that is run over a text.

Above: `query_json`, `query_csv`. Below: `confined`, `source`.
"""

import asyncio
import sys
import tempfile
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import msgspec

from cetp_gateway.api import Answered, CallContext
from cetp_gateway.builtin.builtin_tool import NotPossible
from cetp_gateway.builtin.confined import Ended, World, run_confined
from cetp_gateway.builtin.data.source import Source

SECONDS: Final = 10.0
SPARE_S: Final = 1.0
"""Left of the call's time to say that it was too short."""
MEMORY_BYTES: Final = 512 * 1024 * 1024
OUT_BYTES: Final = 20_000
MAX_QUERY_CHARS: Final = 4000
_SCRIPTS: Final = Path(__file__).with_name("scripts")
_FAILED, _WRONG_QUESTION = 1, 3


async def run_query(script: str, asked: Mapping[str, Any], source: Source, context: CallContext) -> Answered:
    """What a script says to a text; as much others' words as the text. Raises NotPossible."""
    left_s = context.deadline - asyncio.get_running_loop().time() - SPARE_S
    with tempfile.TemporaryDirectory(prefix="cetp-query-") as folder:
        world = World(
            folder=Path(folder),
            further=(_SCRIPTS, *_of_python()),
            memory_bytes=MEMORY_BYTES,
            file_bytes=MEMORY_BYTES,
            processes=8,
        )
        ended = await run_confined(
            world,
            [],
            script=str(_SCRIPTS / script),
            given=msgspec.json.encode({**asked, "text": source.text}),
            seconds=max(min(SECONDS, left_s), 0.1),
            out_bytes=OUT_BYTES,
        )
    return Answered(_answer(ended, source), source.origin)


def _answer(ended: Ended, source: Source) -> str:
    # What went wrong is said with values and columns of the text.
    if ended.code == _WRONG_QUESTION:
        raise NotPossible(ended.err.text, origin=source.origin)
    if ended.code == _FAILED and not ended.stopped:
        raise NotPossible(f"The query failed: {ended.err.text}", origin=source.origin)
    if ended.stopped or ended.code:
        raise NotPossible(
            "The query takes too long or too much memory.", hint="Ask for less, or for a part of the text."
        )
    return ended.out.text


def _of_python() -> tuple[Path, ...]:
    """Where the interpreter and the one package lie that a script imports."""
    found = find_spec("jmespath")
    package = (Path(found.origin).parent,) if found and found.origin else ()
    return (Path(sys.prefix), Path(sys.base_prefix), *package)
