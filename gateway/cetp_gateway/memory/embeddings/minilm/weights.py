"""A model's numbers from a `safetensors` file: eight bytes of length, a JSON header, the numbers themselves."""

import struct
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np

_MAX_HEADER: Final = 10 * 1024 * 1024


class _Tensor(msgspec.Struct):
    dtype: str
    shape: list[int]
    data_offsets: tuple[int, int]


def read_weights(path: Path) -> dict[str, Any]:
    """Arrays by name, single floats, read from the disk when they are used. ValueError when the file is another."""
    with path.open("rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        if length > _MAX_HEADER:
            raise ValueError("the header is too long")
        header = msgspec.json.decode(file.read(length), type=dict[str, msgspec.Raw])
    numbers = np.memmap(path, dtype=np.uint8, mode="r", offset=8 + length)
    tensors = {name: msgspec.json.decode(raw, type=_Tensor) for name, raw in header.items() if name != "__metadata__"}
    return {
        name: np.frombuffer(numbers[slice(*tensor.data_offsets)], dtype="<f4").reshape(tensor.shape)
        for name, tensor in tensors.items()
        if tensor.dtype == "F32"
    }
