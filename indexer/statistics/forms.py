"""The stored form of corpus statistics, shared by who counts and who reads: the part, and arrays as
short texts."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from indexer.engines.contract import Part
from indexer.files.arrays import Float32Array, Float64Array, Int32Array, Int64Array

NAMES = Part("names", (), ("name", "term"))
PACKAGES = ("numpy", "scipy")  # by which it is counted
VERSION = 9  # of what its documents hold: the next number wherever their form changes
LAYOUT = "layout"
VECTORS = (
    "vectors:"  # the key of the documents with the paragraphs' vectors; no name has a colon there
)

# Left and right neighbours of names: a word on either side, or a character in languages without
# blanks.

EDGE = "<edge>"
"""Neighbour of a name that begins or ends its text; no word, for words have no such signs."""
EVERY = "<every>"
"""A word that stands for all: as often before and after names of a kind as such names are
mentioned."""

_REACH = 60  # characters that a word has at most
_UNPARTED = (
    "\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f"  # kana and Han
)
_WORD = re.compile(rf"\s*([^\W{_UNPARTED}]+|\S)")


def neighbour_words(text: str, start: int, end: int) -> tuple[str, str]:
    """The words, or characters, right before and right after text[start:end], in lower case; `EDGE`
    where there is not any."""
    before = _WORD.match(text[max(0, start - _REACH) : start][::-1])
    after = _WORD.match(text[end : end + _REACH])
    return before[1][::-1].lower() if before else EDGE, after[1].lower() if after else EDGE


# Arrays of numbers as short texts, which any engine can keep: every `encode` with its `decode`.

_WIDTHS = (1, 2, 4, 8)  # bytes of a number


def encode_numbers(numbers: Int32Array | Int64Array) -> str:
    """Whole numbers as a text: the digit 1, 2, 4 or 8 (bytes of each number), then all of them in
    base 64, little-endian."""
    least, greatest = (int(numbers.min()), int(numbers.max())) if len(numbers) else (0, 0)
    width = next(
        width
        for width in _WIDTHS
        if -(1 << 8 * width - 1) <= least and greatest < 1 << 8 * width - 1
    )
    return f"{width}{base64.b64encode(numbers.astype(f'<i{width}').tobytes()).decode()}"


def decode_numbers(text: str) -> Int64Array:
    """Numbers from the text of `encode_numbers`."""
    return np.frombuffer(base64.b64decode(text[1:]), f"<i{text[0]}").astype(np.int64)


def encode_rising(numbers: Int32Array | Int64Array) -> str:
    """Ascending numbers as a text: the first number and the differences between neighbours, by
    `encode_numbers`."""
    steps = numbers.copy()
    steps[1:] -= numbers[
        :-1
    ]  # quicker than np.diff, which counts with some ten thousand short ones
    return encode_numbers(steps)


def decode_rising(text: str) -> Int64Array:
    """Rising numbers from the text of `encode_rising`."""
    return np.cumsum(decode_numbers(text))


def encode_halves(rows: Float32Array) -> str:
    """A table as a text: its number of columns, a colon, and its rows as 16-bit floats in base
    64."""
    return f"{rows.shape[1]}:{base64.b64encode(rows.astype('<f2').tobytes()).decode()}"


def decode_halves(text: str) -> Float64Array:
    """Table of half-precision numbers from the text of `encode_halves`; a table without columns has
    no rows."""
    columns, _, halves = text.partition(":")
    numbers = np.frombuffer(base64.b64decode(halves), "<f2").astype(np.float64)
    return numbers.reshape(-1, int(columns)) if int(columns) else np.zeros((0, 0))


# doc_ids that count up, written as runs: those of a book's hundred thousand paragraphs are a few
# numbers.

_DIGITS = 15  # at most that count: such a number is exact everywhere


class IdRun(NamedTuple):
    """`size` consecutive doc_ids: `beginning` followed by a number, from `first`, zero-padded to
    `width` digits (0: the doc_id is `beginning`)."""

    beginning: str
    width: int
    first: int
    size: int


def run_of(doc_id: str) -> IdRun:
    """Run of a single doc_id, split into its beginning and the digits at its end."""
    digits = doc_id[len(doc_id.rstrip("0123456789")) :][-_DIGITS:]
    return IdRun(doc_id.removesuffix(digits), len(digits), int(digits or 0), 1)


def join_runs(runs: Iterable[IdRun]) -> list[IdRun]:
    """The runs in order, with neighbours merged where the numbers of one continue those of the
    other."""
    merged: list[IdRun] = []
    for run in runs:
        last = merged[-1] if merged else None
        if last and run.width and last[:2] == run[:2] and last.first + last.size == run.first:
            merged[-1] = last._replace(size=last.size + run.size)
        else:
            merged.append(run)
    return merged


def doc_id_at(runs: Sequence[IdRun], place: int) -> str:
    """The doc_id at index `place`, from 0, of concatenated runs. Raises IndexError beyond the
    last."""
    for run in runs:
        if place < run.size:
            return run.beginning + (f"{run.first + place:0{run.width}}" if run.width else "")
        place -= run.size
    raise IndexError("there are fewer doc_ids")
