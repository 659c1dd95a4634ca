"""The nearest vectors of a database. Used from the database's worker alone.

Above: `meaning`. Below: packed bits, and the tables `memory_vectors` and `memory_bits`.
"""

import importlib.util
import sqlite3
from array import array
from collections.abc import Iterable, Sequence
from typing import Final, Protocol

from cetp_gateway.memory.full_text import Scope
from cetp_gateway.memory.vectors.packed_ints import PackedInts
from cetp_gateway.memory.vectors.packing import as_blob, bits_of

CANDIDATES: Final = 100
"""Rows whose floats are looked at; enough for 0.99 of the true ten."""
_PER_HIT: Final = 10


class Packed(Protocol):
    """The bits of one namespace's vectors in memory, 48 bytes a vector of 384 dimensions."""

    def __len__(self) -> int: ...

    def put(self, number: int, bits: bytes) -> None: ...

    def discard(self, number: int) -> None: ...

    def nearest(self, bits: bytes, count: int) -> list[int]: ...

    def similarities(self, vector: "array[float]", blobs: Sequence[bytes]) -> list[float]:
        """Of a vector to each of the rows' own, all of length 1."""
        ...


class NearestVectors:
    """One object per database and model.

    Args:
        with_numpy: None uses numpy when it is there.
    """

    def __init__(self, *, with_numpy: bool | None = None) -> None:
        self._with_numpy = _has_numpy() if with_numpy is None else with_numpy
        self._spaces: dict[str, Packed] = {}
        self._width = 0
        self.loaded = False

    def load(self, connection: sqlite3.Connection) -> None:
        """Read all bits, once; takes a tenth of a second for 100 000."""
        if not self.loaded:
            for number, namespace, bits in connection.execute("SELECT id, namespace, bits FROM memory_bits"):
                self._put(namespace, number, bits)
            self.loaded = True

    def put(
        self, connection: sqlite3.Connection, number: int, namespace: str, model: str, vector: Iterable[float]
    ) -> None:
        """Store a row's vector of length 1 (`packing.normal`)."""
        floats = array("f", vector)
        bits = bits_of(floats)
        connection.execute("INSERT OR REPLACE INTO memory_vectors VALUES (?, ?, ?)", (number, model, as_blob(floats)))
        connection.execute("INSERT OR REPLACE INTO memory_bits VALUES (?, ?, ?)", (number, namespace, bits))
        if self.loaded:
            self._put(namespace, number, bits)

    def discard(self, number: int) -> None:
        """Forget a row's bits in memory; those in the file go with the row."""
        for packed in self._spaces.values():
            packed.discard(number)

    def drop_other_models(self, connection: sqlite3.Connection, model: str) -> int:
        """Vectors of another model say nothing to this one; how many went."""
        return connection.execute("DELETE FROM memory_vectors WHERE model <> ?", (model,)).rowcount

    def search(
        self, connection: sqlite3.Connection, vector: Iterable[float], scope: Scope, limit: int
    ) -> dict[int, float]:
        """Numbers of the nearest rows with their similarity, best first; nothing that points away."""
        self.load(connection)
        floats = array("f", vector)
        packed = self._spaces.get(scope.namespace)
        if packed is None:
            return {}
        numbers = packed.nearest(bits_of(floats), max(CANDIDATES, _PER_HIT * limit))
        marks = ", ".join("?" * len(numbers))
        rows = connection.execute(
            "SELECT v.id, v.vector FROM memory_vectors AS v CROSS JOIN memories AS m ON m.id = v.id "  # noqa: S608
            f"WHERE v.id IN ({marks}) AND {scope.condition}",
            (*numbers, *scope.values),
        )
        size = len(floats) * floats.itemsize
        there = [(number, blob) for number, blob in rows if len(blob) == size]
        similarities = packed.similarities(floats, [blob for _, blob in there])
        scored = sorted(zip(similarities, (number for number, _ in there), strict=True), reverse=True)
        return {number: score for score, number in scored[:limit] if score > 0}

    def _put(self, namespace: str, number: int, bits: bytes) -> None:
        if len(bits) != self._width:
            # The first vector of a model says how wide all of them are.
            self._width, self._spaces = len(bits), {}
        if namespace not in self._spaces:
            self._spaces[namespace] = self._new()
        self._spaces[namespace].put(number, bits)

    def _new(self) -> Packed:
        if not self._with_numpy:
            return PackedInts(self._width)
        from cetp_gateway.memory.vectors.packed_array import PackedArray  # noqa: PLC0415  (numpy is optional)

        return PackedArray(self._width)


def _has_numpy() -> bool:
    return importlib.util.find_spec("numpy") is not None
