"""The base of the tools that work on files: their work blocks, so it is done in a thread.

Above: the file tools. Below: `space`, `builtin_tool`.
"""

import asyncio
from abc import abstractmethod
from typing import Final

from msgspec import Meta

from cetp_gateway.api import CallContext
from cetp_gateway.builtin.builtin_tool import BuiltinTool
from cetp_gateway.builtin.declared import A
from cetp_gateway.builtin.files.space import FileSpace

MAX_PATH_CHARS: Final = 1024
PATH: Final = Meta(
    min_length=1, max_length=MAX_PATH_CHARS, description="File, relative to the workspace, such as notes/plan.md."
)
FOLDER: Final = Meta(
    max_length=MAX_PATH_CHARS, description="Folder, relative to the workspace; empty is the workspace."
)


class FileTool(BuiltinTool[A]):
    """A tool of the file space."""

    def __init__(self, space: FileSpace) -> None:
        self.space = space

    async def run(self, asked: A, context: CallContext) -> str:
        return await asyncio.to_thread(self.work, asked, context)

    @abstractmethod
    def work(self, asked: A, context: CallContext) -> str:
        """The answer; runs in a thread. Raises NotPossible."""
