"""Vectors as bytes: floats for rows, one bit a dimension for candidates. Plain functions of values."""

import math
import sys
from array import array
from collections.abc import Sequence
from operator import mul


def normal(vector: Sequence[float]) -> "array[float]":
    """The vector with length 1, in single precision; zeros stay zeros. ValueError when a number is not finite."""
    length = math.sqrt(sum(map(mul, vector, vector)))
    if not math.isfinite(length):
        raise ValueError("a number of the vector is not finite")
    return array("f", [number / length for number in vector] if length else vector)


def as_blob(vector: "array[float]") -> bytes:
    """For a row: little-endian single floats."""
    if sys.byteorder == "big":
        vector = array("f", vector)
        vector.byteswap()
    return vector.tobytes()


def from_blob(blob: bytes) -> "array[float]":
    vector = array("f", blob)
    if sys.byteorder == "big":
        vector.byteswap()
    return vector


def bits_of(vector: Sequence[float]) -> bytes:
    """The signs, filled up to whole groups of 64: vectors that point the same way agree in most."""
    width = -(-len(vector) // 64) * 64
    text = "".join("1" if number > 0 else "0" for number in vector).ljust(width, "0")
    return int(text, 2).to_bytes(width // 8, "little")


def similarity(one: "array[float]", other: "array[float]") -> float:
    """The cosine of two vectors of length 1."""
    return float(sum(map(mul, one, other)))
