"""The tool that lists a folder.

Above: `all_tools`. Below: `file_tool`, `tree`.
"""

import os
from datetime import UTC, datetime
from typing import Annotated, Any, Final

from msgspec import Meta

from cetp_gateway.api import CallContext, Effect
from cetp_gateway.builtin.builtin_tool import json_text
from cetp_gateway.builtin.declared import Asked, Declared
from cetp_gateway.builtin.files.file_tool import FOLDER, FileTool
from cetp_gateway.builtin.files.tree import Found, Tree

MAX_SHOWN: Final = 500


class ListAsked(Asked, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which folder."""

    path: Annotated[str, FOLDER] = ""
    limit: Annotated[int, Meta(ge=1, le=MAX_SHOWN, description="Most entries to show.")] = 200


class ListFiles(FileTool[ListAsked]):
    """One folder, by name."""

    declared = Declared(
        ListAsked,
        name="list_files",
        effect=Effect.READS,
        description="Lists what is in a folder of the workspace: names, kinds, sizes in bytes and times of change.",
    )

    def work(self, asked: ListAsked, context: CallContext) -> str:
        tree = Tree()
        with self.space.place(context, asked.path) as place:
            folder = place.open_folder()
        try:
            found = list(tree.entries(folder, deep=False))
        finally:
            os.close(folder)
        left_out = len(found) - asked.limit
        more = {"left_out": left_out} if left_out > 0 else {}
        cut = {"cut": True} if tree.cut else {}
        return json_text(
            {"folder": place.shown, "entries": [_row(each) for each in found[: asked.limit]], **more, **cut}
        )


def _row(found: Found) -> dict[str, Any]:
    row: dict[str, Any] = {"name": found.name, "kind": found.kind}
    if found.kind == "file":
        changed = datetime.fromtimestamp(found.status.st_mtime, UTC)
        row |= {"bytes": found.status.st_size, "changed": changed.isoformat(timespec="seconds")}
    return row
