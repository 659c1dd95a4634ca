"""BERT's encoder and the mean over its tokens, in numpy. Plain functions of the weights.

Python's own numbers beside the arrays keep them in single precision, numpy's would not.
Source: Devlin et al., BERT (2018); Reimers and Gurevych, Sentence-BERT (2019).
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

HEADS: Final = 12
_EPSILON: Final = 1e-12

Array = Any
Weights = Mapping[str, Array]


def encode(numbers: Sequence[int], weights: Weights, *, heads: int = HEADS) -> Array:
    """One vector of length 1 for one text's tokens."""
    state = _embedded(numbers, weights)
    layer = 0
    while f"encoder.layer.{layer}.attention.self.query.weight" in weights:
        state = _layer(state, weights, f"encoder.layer.{layer}", heads)
        layer += 1
    mean = state.mean(axis=0)
    return mean / (np.linalg.norm(mean) or 1.0)


def _embedded(numbers: Sequence[int], weights: Weights) -> Array:
    words = weights["embeddings.word_embeddings.weight"][list(numbers)]
    places = weights["embeddings.position_embeddings.weight"][: len(numbers)]
    kind = weights["embeddings.token_type_embeddings.weight"][0]
    return _normed(words + places + kind, weights, "embeddings.LayerNorm")


def _layer(state: Array, weights: Weights, name: str, heads: int) -> Array:
    seen = _dense(
        _attention(state, weights, f"{name}.attention.self", heads), weights, f"{name}.attention.output.dense"
    )
    state = _normed(state + seen, weights, f"{name}.attention.output.LayerNorm")
    wide = _gelu(_dense(state, weights, f"{name}.intermediate.dense"))
    return _normed(state + _dense(wide, weights, f"{name}.output.dense"), weights, f"{name}.output.LayerNorm")


def _attention(state: Array, weights: Weights, name: str, heads: int) -> Array:
    length, width = state.shape
    query, key, value = (
        _dense(state, weights, f"{name}.{part}").reshape(length, heads, width // heads).transpose(1, 0, 2)
        for part in ("query", "key", "value")
    )
    scores = query @ key.transpose(0, 2, 1) / math.sqrt(width // heads)
    scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
    shares = scores / scores.sum(axis=-1, keepdims=True)
    return (shares @ value).transpose(1, 0, 2).reshape(length, width)


def _dense(state: Array, weights: Weights, name: str) -> Array:
    return state @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]


def _normed(state: Array, weights: Weights, name: str) -> Array:
    centred = state - state.mean(axis=-1, keepdims=True)
    scaled = centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + _EPSILON)
    return scaled * weights[f"{name}.weight"] + weights[f"{name}.bias"]


def _gelu(state: Array) -> Array:
    """With the error function of Abramowitz and Stegun, 7.1.26, which is exact to 1.5e-7."""
    size = np.abs(state) / math.sqrt(2.0)
    t = 1.0 / (1.0 + 0.3275911 * size)
    series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    return 0.5 * state * (1.0 + np.sign(state) * (1.0 - series * np.exp(-(size**2))))
