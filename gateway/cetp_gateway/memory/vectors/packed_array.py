"""Sign bits as one numpy matrix: three times faster than integers, for those who have numpy. Imported only then."""

from array import array
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

_FIRST_ROWS: Final = 1024


class PackedArray:
    """The bits of one namespace. Implements Packed."""

    def __init__(self, width: int) -> None:
        self._words = width // 8
        self._matrix = np.zeros((_FIRST_ROWS, self._words), dtype=np.uint64)
        self._numbers = np.zeros(_FIRST_ROWS, dtype=np.int64)
        self._places: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self._places)

    def put(self, number: int, bits: bytes) -> None:
        """Add a row's bits, or replace them."""
        place = self._places.setdefault(number, len(self._places))
        if place == len(self._numbers):
            self._matrix = np.concatenate((self._matrix, np.zeros_like(self._matrix)))
            self._numbers = np.concatenate((self._numbers, np.zeros_like(self._numbers)))
        self._numbers[place] = number
        self._matrix[place] = np.frombuffer(bits, dtype=np.uint64)

    def discard(self, number: int) -> None:
        """Remove a row's bits when they are there."""
        place = self._places.pop(number, None)
        if place is None:
            return
        last = len(self._places)
        if place != last:
            self._numbers[place] = self._numbers[last]
            self._matrix[place] = self._matrix[last]
            self._places[int(self._numbers[place])] = place
        self._matrix[last] = 0

    def nearest(self, bits: bytes, count: int) -> list[int]:
        """Numbers of at least `count` rows that differ in the fewest bits, or of all."""
        rows = len(self._places)
        numbers = self._numbers[:rows]
        if rows <= count:
            return _as_list(numbers)
        differing = self._matrix[:rows] ^ np.frombuffer(bits, dtype=np.uint64)
        distances = np.bitwise_count(differing).sum(axis=1, dtype=np.uint16)
        return _as_list(numbers[np.argpartition(distances, count)[:count]])

    def similarities(self, vector: "array[float]", blobs: Sequence[bytes]) -> list[float]:
        """See Packed."""
        rows = np.frombuffer(b"".join(blobs), dtype="<f4").reshape(len(blobs), len(vector))
        found: list[float] = (rows @ np.frombuffer(vector, dtype=np.float32)).tolist()
        return found


def _as_list(numbers: Any) -> list[int]:
    found: list[int] = numbers.tolist()
    return found
