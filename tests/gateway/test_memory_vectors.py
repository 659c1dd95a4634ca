"""Nearest vectors: both kinds of packed bits, and the local model's own arithmetic."""

import json
import math
import random
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cetp_gateway.memory.embeddings.minilm.encoder import encode
from cetp_gateway.memory.embeddings.minilm.tokens import token_numbers
from cetp_gateway.memory.embeddings.minilm.weights import read_weights
from cetp_gateway.memory.vectors import bits_of, normal, similarity
from cetp_gateway.memory.vectors.packed_array import PackedArray
from cetp_gateway.memory.vectors.packed_ints import PackedInts

WIDTH = 16


@pytest.mark.parametrize("kind", [PackedInts, PackedArray])
def test_the_rows_that_differ_in_the_fewest_bits_are_found_after_any_changes(kind: Any) -> None:
    chance = random.Random(3)
    packed, model = kind(WIDTH), dict[int, bytes]()
    for _ in range(4000):
        number = chance.randrange(1500)
        if chance.random() < 0.3:
            packed.discard(number)
            model.pop(number, None)
        else:
            model[number] = chance.randbytes(WIDTH)
            packed.put(number, model[number])
    assert len(packed) == len(model)
    wanted = chance.randbytes(WIDTH)

    def distance(number: int) -> int:
        return (int.from_bytes(wanted, "little") ^ int.from_bytes(model[number], "little")).bit_count()

    found = packed.nearest(wanted, 20)
    assert len(set(found)) == 20
    assert sorted(map(distance, found)) == sorted(map(distance, model))[:20]
    assert sorted(packed.nearest(wanted, 5000)) == sorted(model)


def test_vectors_have_length_1_and_their_signs_as_bits() -> None:
    vector = normal([3.0, -4.0])
    assert similarity(vector, vector) == pytest.approx(1.0)
    assert list(vector) == pytest.approx([0.6, -0.8])
    assert list(normal([0.0, 0.0])) == [0.0, 0.0]
    assert len(bits_of([1.0] * 65)) == 16
    with pytest.raises(ValueError, match="finite"):
        normal([math.inf, 1.0])


VOCABULARY = {
    word: number
    for number, word in enumerate(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "cafe", "##s", "un", "##able", "!", "中", "文"])
}


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("Cafés!", [2, 4, 5, 8, 3]),
        ("unable", [2, 6, 7, 3]),
        ("xyz", [2, 1, 3]),
        ("中文", [2, 9, 10, 3]),
        ("a\x00\u200bb " + "q" * 200, [2, 1, 1, 3]),
        ("", [2, 3]),
    ],
)
def test_text_becomes_word_pieces(text: str, numbers: list[int]) -> None:
    assert token_numbers(text, VOCABULARY, limit=16) == numbers


def test_a_long_text_is_cut_with_its_end_in_place() -> None:
    numbers = token_numbers("cafe " * 50, VOCABULARY, limit=8)
    assert (len(numbers), numbers[-1]) == (8, 3)


def write_weights(path: Path, arrays: dict[str, Any]) -> None:
    header: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    body = b""
    for name, array in arrays.items():
        data = array.astype("<f4").tobytes()
        header[name] = {"dtype": "F32", "shape": list(array.shape), "data_offsets": [len(body), len(body) + len(data)]}
        body += data
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + body)


def small_model(width: int = 8, wide: int = 16) -> dict[str, Any]:
    chance = np.random.default_rng(7)
    arrays = {
        "embeddings.word_embeddings.weight": chance.normal(size=(11, width)),
        "embeddings.position_embeddings.weight": chance.normal(size=(16, width)),
        "embeddings.token_type_embeddings.weight": chance.normal(size=(2, width)),
    }
    layer = "encoder.layer.0"
    shapes = {
        **{f"{layer}.attention.self.{part}": (width, width) for part in ("query", "key", "value")},
        f"{layer}.attention.output.dense": (width, width),
        f"{layer}.intermediate.dense": (wide, width),
        f"{layer}.output.dense": (width, wide),
    }
    for name, shape in shapes.items():
        arrays |= {f"{name}.weight": chance.normal(size=shape), f"{name}.bias": chance.normal(size=shape[0])}
    for name in ("embeddings", f"{layer}.attention.output", f"{layer}.output"):
        arrays |= {f"{name}.LayerNorm.weight": np.ones(width), f"{name}.LayerNorm.bias": np.zeros(width)}
    return arrays


def test_weights_are_read_as_they_were_written_and_other_files_are_refused(tmp_path: Path) -> None:
    arrays = small_model()
    write_weights(tmp_path / "model.safetensors", arrays)
    read = read_weights(tmp_path / "model.safetensors")
    assert read.keys() == arrays.keys()
    assert all(np.allclose(read[name], arrays[name], atol=1e-6) for name in arrays)
    (tmp_path / "other").write_bytes(b"\xff" * 64)
    with pytest.raises(ValueError, match="too long"):
        read_weights(tmp_path / "other")


def test_a_text_is_one_vector_of_length_1_that_depends_on_the_order_of_its_words(tmp_path: Path) -> None:
    write_weights(tmp_path / "model.safetensors", small_model())
    weights = read_weights(tmp_path / "model.safetensors")
    one, other = encode([2, 4, 5, 3], weights, heads=2), encode([2, 5, 4, 3], weights, heads=2)
    assert (one.dtype, one.shape) == (np.float32, (8,))
    assert np.linalg.norm(one) == pytest.approx(1.0, abs=1e-5)
    assert not np.allclose(one, other)
    assert np.allclose(one, encode([2, 4, 5, 3], weights, heads=2))
