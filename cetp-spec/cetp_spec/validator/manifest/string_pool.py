"""The strings of a binary Android resource file, read one at a time (`ResStringPool` in `ResourceTypes.h`)."""

import struct

_UTF8 = 0x100


class StringPool:
    """The pool whose chunk begins at `start`. Numbers outside it raise struct.error or IndexError."""

    def __init__(self, content: bytes, start: int) -> None:
        self._content = content
        self._start = start
        (self._header_size,) = struct.unpack_from("<H", content, start + 2)
        self._count, _, self._flags, self._strings = struct.unpack_from("<IIII", content, start + 8)

    def text(self, index: int) -> str:
        """The string of this number; bytes that are no text come out as replacement characters."""
        if index >= self._count:
            raise IndexError(index)
        (offset,) = struct.unpack_from("<I", self._content, self._start + self._header_size + 4 * index)
        position = self._start + self._strings + offset
        if self._flags & _UTF8:
            _, position = self._length(position, 1)
            size, position = self._length(position, 1)
            return self._content[position : position + size].decode("utf-8", errors="replace")
        size, position = self._length(position, 2)
        return self._content[position : position + 2 * size].decode("utf-16-le", errors="replace")

    def _length(self, position: int, width: int) -> tuple[int, int]:
        """A length of one or two units of `width` bytes, and the position behind it."""
        form = "<B" if width == 1 else "<H"
        high = 1 << (8 * width - 1)
        (first,) = struct.unpack_from(form, self._content, position)
        if not first & high:
            return first, position + width
        (second,) = struct.unpack_from(form, self._content, position + width)
        return (first & (high - 1)) << (8 * width) | second, position + 2 * width
