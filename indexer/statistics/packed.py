"""Arrays of numbers as short texts, which any engine can keep: every `encode` with its `decode`."""

from __future__ import annotations

import base64

import numpy as np

from indexer.files.arrays import Float32Array, Float64Array, Int32Array, Int64Array

_WIDTHS = (1, 2, 4, 8)  # bytes of a number


def encode_numbers(numbers: Int32Array | Int64Array) -> str:
    """Whole numbers: the bytes that each has, then all of them in base 64, the lowest byte first."""
    least, greatest = (int(numbers.min()), int(numbers.max())) if len(numbers) else (0, 0)
    width = next(width for width in _WIDTHS if -(1 << 8 * width - 1) <= least and greatest < 1 << 8 * width - 1)
    return f"{width}{base64.b64encode(numbers.astype(f'<i{width}').tobytes()).decode()}"


def decode_numbers(text: str) -> Int64Array:
    """What `encode_numbers` encoded."""
    return np.frombuffer(base64.b64decode(text[1:]), f"<i{text[0]}").astype(np.int64)


def encode_rising(numbers: Int32Array | Int64Array) -> str:
    """Rising numbers as the steps between them, which are small."""
    steps = numbers.copy()
    steps[1:] -= numbers[:-1]  # quicker than np.diff, which counts with some ten thousand short ones
    return encode_numbers(steps)


def decode_rising(text: str) -> Int64Array:
    """What `encode_rising` encoded."""
    return np.cumsum(decode_numbers(text))


def encode_halves(rows: Float32Array) -> str:
    """A table of numbers of 16 bits: how many columns it has, then its rows in base 64."""
    return f"{rows.shape[1]}:{base64.b64encode(rows.astype('<f2').tobytes()).decode()}"


def decode_halves(text: str) -> Float64Array:
    """What `encode_halves` encoded; a table without columns has no rows."""
    columns, _, halves = text.partition(":")
    numbers = np.frombuffer(base64.b64decode(halves), "<f2").astype(np.float64)
    return numbers.reshape(-1, int(columns)) if int(columns) else np.zeros((0, 0))
