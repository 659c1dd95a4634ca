"""What is in a file: text, or something that is not to be shown. Plain functions.

Above: the file tools. Below: nothing.
"""

import io
from collections.abc import Iterator
from typing import Final

SNIFFED_BYTES: Final = 8192


def text_of(content: bytes) -> str | None:
    """The text of a file in UTF-8, a byte order mark left out; None when it is none."""
    if b"\0" in content[:SNIFFED_BYTES]:
        return None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None


def lines_of(text: str) -> Iterator[str]:
    """The lines with their ends, one by one, as editors count them."""
    return io.StringIO(text, newline="\n")


def counted(count: int, noun: str) -> str:
    """`1 line`, `2 lines`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
