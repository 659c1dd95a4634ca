"""What is to be checked: a file, a folder, or bytes; opened late and read with a bound."""

from pathlib import Path

import msgspec

from cetp_spec.validator.unreadable import Unreadable

HEAD_BYTES = 4096
STANDARD_INPUT = "-"


class Input(msgspec.Struct, frozen=True):
    """One input; `shown` stands in the places of its problems."""

    shown: str
    path: Path | None = None
    content: bytes = b""
    """Of an input without a path."""

    @property
    def is_folder(self) -> bool:
        return self.path is not None and self.path.is_dir()

    def head(self) -> bytes:
        """The first bytes, to tell the kind by. Raises OSError."""
        if self.path is None:
            return self.content[:HEAD_BYTES]
        with self.path.open("rb") as file:
            return file.read(HEAD_BYTES)

    def read(self, limit: int) -> bytes:
        """All bytes. Raises OSError, or Unreadable when there are more than `limit`."""
        if self.path is None:
            content = self.content
        else:
            with self.path.open("rb") as file:
                content = file.read(limit + 1)
        if len(content) > limit:
            raise Unreadable("input.too-large", f"has more than {limit} bytes")
        return content


def input_of(source: str | Path | bytes, shown: str = "") -> Input:
    """Bytes are content, everything else is a path."""
    if isinstance(source, bytes):
        return Input(shown or STANDARD_INPUT, None, source)
    return Input(shown or str(source), Path(source))
