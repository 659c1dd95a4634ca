"""The tool that finds files by their names.

Above: `all_tools`. Below: `file_tool`, `tree`, `path_glob`.
"""

import os
from typing import Annotated, Final, Literal

from msgspec import Meta

from cetp_gateway.api import CallContext, Effect
from cetp_gateway.builtin.builtin_tool import json_text
from cetp_gateway.builtin.declared import Asked, Declared
from cetp_gateway.builtin.files.file_tool import FOLDER, FileTool
from cetp_gateway.builtin.files.path_glob import MAX_CHARS, path_glob
from cetp_gateway.builtin.files.tree import Tree

MAX_SHOWN: Final = 1000
GLOB: Final = Meta(
    min_length=1,
    max_length=MAX_CHARS,
    description="Glob such as *.md or reports/**/2024-*.csv; * is within a name, ** goes through folders.",
)


class FindAsked(Asked, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is looked for, and where."""

    glob: Annotated[str, GLOB]
    path: Annotated[str, FOLDER] = ""
    kind: Annotated[Literal["file", "folder"], Meta(description="What to find.")] = "file"
    limit: Annotated[int, Meta(ge=1, le=MAX_SHOWN, description="Most paths to show.")] = 200


class FindFiles(FileTool[FindAsked]):
    """Paths that fit, in the order of the folders."""

    declared = Declared(
        FindAsked,
        name="find_files",
        effect=Effect.READS,
        description="Finds files or folders of the workspace by a glob of their paths.",
    )

    def work(self, asked: FindAsked, context: CallContext) -> str:
        fits, tree = path_glob(asked.glob), Tree()
        with self.space.place(context, asked.path) as place:
            folder = place.open_folder()
        above = "" if place.shown == "." else f"{place.shown}/"
        try:
            entries = tree.entries(folder, deep=True)
            found = [f"{above}{each.path}" for each in entries if each.kind == asked.kind and fits(each.path)]
        finally:
            os.close(folder)
        left_out = len(found) - asked.limit
        more = {"left_out": left_out} if left_out > 0 else {}
        cut = {"cut": True} if tree.cut else {}
        return json_text({"paths": found[: asked.limit], **more, **cut})
