"""What comes of a web answer's bytes: text of the kinds that can be read, unpacked within a bound. Plain functions."""

import codecs
import re
import zlib
from email.message import Message
from typing import Final

import msgspec

from cetp_gateway.builtin.builtin_tool import NotPossible

TOO_LARGE: Final = "TOO_LARGE"
TYPE_NOT_READABLE: Final = "TYPE_NOT_READABLE"
_READABLE: Final = re.compile(r"text/[\w.+-]+|application/(?:[\w.-]+\+)?(?:json|xml)|application/(?:x-)?ndjson")
_HTML: Final = frozenset({"text/html", "application/xhtml+xml"})
_CHARSET: Final = re.compile(
    r"(?:utf|ucs|iso|latin|windows|cp|ascii|us-ascii|gb|hz|big5|euc|shift|sjis|koi8|mac|tis|viscii)[\w-]*"
)
"""Python has codecs that are no charsets."""
_SHOWN_CHARS: Final = 60


class ContentType(msgspec.Struct, frozen=True):
    """Of an answer, as far as it counts here."""

    name: str
    charset: str
    """Empty when none was given or nobody knows it."""

    @property
    def is_html(self) -> bool:
        return self.name in _HTML


def read_content_type(header: str) -> ContentType:
    """Of an answer that can be read as text; raises NotPossible for others."""
    message = Message()
    message["content-type"] = header
    name = message.get_content_type() if header else ""
    if not _READABLE.fullmatch(name):
        said = f"of the type {name[:_SHOWN_CHARS]}" if name else "of no type that was named"
        raise NotPossible(f"What is there is {said}; only text, HTML, JSON and XML are read.", code=TYPE_NOT_READABLE)
    charset = message.get_content_charset("")
    return ContentType(name, charset if _CHARSET.fullmatch(charset) and _is_known(charset) else "")


def _is_known(charset: str) -> bool:
    try:
        codecs.lookup(charset)
    except LookupError:
        return False
    return True


class Body:
    """Takes an answer piece by piece and unpacks it; never holds more than the bound.

    Args:
        encoding: the Content-Encoding.
        most_bytes: of the unpacked body.
    """

    def __init__(self, encoding: str, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._bytes = bytearray()
        packed = encoding.strip().lower()
        if packed not in {"", "identity", "gzip", "x-gzip", "deflate"}:
            raise NotPossible(f"The answer is packed as {packed[:_SHOWN_CHARS]}.", code=TYPE_NOT_READABLE)
        # 32 tells gzip and zlib apart by itself.
        self._unpacker = zlib.decompressobj(zlib.MAX_WBITS | 32) if packed not in {"", "identity"} else None

    def add(self, piece: bytes) -> None:
        """Take a piece; raises NotPossible when the body is too large or is not packed as it says."""
        room = self._most_bytes - len(self._bytes) + 1
        if self._unpacker is not None:
            try:
                piece = self._unpacker.decompress(piece, room)
            except zlib.error:
                raise NotPossible("The answer is damaged.", code=TYPE_NOT_READABLE) from None
        self._bytes += piece[:room]
        if len(self._bytes) > self._most_bytes:
            raise NotPossible(
                f"The answer has more than {self._most_bytes} bytes (builtin.fetch_bytes).", code=TOO_LARGE
            )

    @property
    def content(self) -> bytes:
        return bytes(self._bytes)


def as_text(content: bytes, charset: str) -> str:
    """Plain text; what is no letter of its charset becomes U+FFFD."""
    return content.decode(charset or "utf-8-sig", "replace")
