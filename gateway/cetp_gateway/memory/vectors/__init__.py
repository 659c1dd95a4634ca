"""Nearest vectors without an extension of SQLite: sign bits in memory find candidates, floats in rows order them."""

from cetp_gateway.memory.vectors.nearest import NearestVectors
from cetp_gateway.memory.vectors.packing import as_blob, bits_of, normal, similarity

__all__ = ["NearestVectors", "as_blob", "bits_of", "normal", "similarity"]
