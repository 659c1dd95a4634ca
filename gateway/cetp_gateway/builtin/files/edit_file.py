"""The tool that changes a part of a file.

Above: `all_tools`. Below: `file_tool`.
"""

from typing import Annotated, Final

from msgspec import Meta

from cetp_gateway.api import CallContext, Effect
from cetp_gateway.builtin.builtin_tool import NotPossible
from cetp_gateway.builtin.declared import Asked, Declared
from cetp_gateway.builtin.files.file_tool import PATH, FileTool
from cetp_gateway.builtin.files.text import counted, text_of

MAX_CHARS: Final = 100_000


class EditAsked(Asked, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is to be put in place of what."""

    path: Annotated[str, PATH]
    old: Annotated[
        str, Meta(min_length=1, max_length=MAX_CHARS, description="Text as it stands in the file, blanks and all.")
    ]
    new: Annotated[str, Meta(max_length=MAX_CHARS, description="Text to put in its place; empty removes it.")]
    every: Annotated[
        bool, Meta(description="True: wherever it stands. False: it has to stand in the file exactly once.")
    ] = False


class EditFile(FileTool[EditAsked]):
    """Changes nothing when it is not clear what is meant."""

    declared = Declared(
        EditAsked,
        name="edit_file",
        effect=Effect.WRITES,
        description="Replaces a text in a file of the workspace by another, once or wherever it stands.",
    )

    def work(self, asked: EditAsked, context: CallContext) -> str:
        with self.space.place(context, asked.path, writing=True) as place, self.space.writing:
            content = place.read(self.space.file_bytes)
            if text_of(content) is None:
                raise NotPossible(f"{place.shown} is not text.")
            old, new = _as_in(content, asked.old), _as_in(content, asked.new)
            found = content.count(old)
            _check(found, asked, place.shown)
            changed = content.replace(old, new)
            if len(changed) > self.space.file_bytes:
                raise NotPossible(f"The file would have more than {self.space.file_bytes} bytes (builtin.file_bytes).")
            place.replace(changed)
        line = content[: content.index(old)].count(b"\n") + 1
        return f"{counted(found, 'place')} changed in {place.shown}, the first in line {line}."


def _as_in(content: bytes, text: str) -> bytes:
    """A text with the line ends of the file; models write those of POSIX."""
    encoded = text.encode("utf-8", "replace")
    only_crlf = b"\r\n" in content and content.count(b"\n") == content.count(b"\r\n")
    return encoded.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n") if only_crlf else encoded


def _check(found: int, asked: EditAsked, shown: str) -> None:
    if not found:
        raise NotPossible(f"old: {shown} does not have this text.", hint="Read the file and copy the text from it.")
    if found > 1 and not asked.every:
        raise NotPossible(
            f"old: this text stands in {shown} {found} times.",
            hint="Give more of the text around it, or set every to true.",
        )
