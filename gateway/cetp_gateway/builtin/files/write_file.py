"""The tool that writes a file.

Above: `all_tools`. Below: `file_tool`.
"""

from typing import Annotated, Final, Literal

from msgspec import Meta

from cetp_gateway.api import CallContext, Effect
from cetp_gateway.builtin.builtin_tool import NotPossible
from cetp_gateway.builtin.declared import Asked, Declared
from cetp_gateway.builtin.files.file_tool import PATH, FileTool
from cetp_gateway.builtin.files.place import Place
from cetp_gateway.builtin.files.text import counted

MAX_CHARS: Final = 500_000


class WriteAsked(Asked, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is to be in the file."""

    path: Annotated[str, PATH]
    content: Annotated[str, Meta(max_length=MAX_CHARS, description="The text.")]
    mode: Annotated[
        Literal["create", "overwrite", "append"],
        Meta(description="create: only when the file is not there yet. overwrite: in its place. append: at its end."),
    ] = "create"


class WriteFile(FileTool[WriteAsked]):
    """Nobody ever sees half of what is written."""

    declared = Declared(
        WriteAsked,
        name="write_file",
        effect=Effect.WRITES,
        description=(
            "Writes a text file of the workspace: a new one, one in place of another, or more at the end of one. "
            "Folders that are missing are made. To change a part of a file, use edit_file."
        ),
    )

    def work(self, asked: WriteAsked, context: CallContext) -> str:
        content = asked.content.encode("utf-8", "replace")
        with self.space.place(context, asked.path, writing=True) as place:
            if asked.mode == "append":
                self._append(place, content)
            elif asked.mode == "create":
                place.create(self._checked(content))
            else:
                place.replace(self._checked(content))
        return f"{counted(len(content), 'byte')} written to {place.shown}."

    def _append(self, place: Place, content: bytes) -> None:
        with self.space.writing:
            before = place.read(self.space.file_bytes) if place.exists() else b""
            place.replace(self._checked(before + content))

    def _checked(self, content: bytes) -> bytes:
        if len(content) > self.space.file_bytes:
            raise NotPossible(f"The file would have more than {self.space.file_bytes} bytes (builtin.file_bytes).")
        return content
