"""The stored form of corpus statistics, shared by who counts and who reads: the part, and what a
document of it holds."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from indexer.engines.contract import Part

NAME, TERM, WORD = "name", "term", "word"
NAMES = Part("names", (), (NAME, TERM, WORD))
PACKAGES = ("numpy", "scipy")  # by which it is counted
VERSION = 10  # of what its documents hold: the next number wherever their form changes
LAYOUT = "layout"
ROWS = 128  # names, terms or words of a document: a question reads its own documents
VECTORS = (
    "vectors:"  # the key of the documents with the paragraphs' vectors; no name has a colon there
)
EVERY = "<every>"
"""A word that represents all: as often before and after names of a kind as such names are
mentioned."""

# What a document holds, by name, as JSON: texts, lists, arrays and sparse tables.


def encode_block(**values: object) -> str:
    """Values by name as JSON. An array is its bytes in base 64, numpy's name of its type (`<u2`:
    two bytes, little-endian; of whole numbers the narrowest that holds them) and its shape; a
    `scipy.sparse.csr_array` is its three arrays and its shape."""
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"), default=_encode)


def decode_block(text: str) -> dict[str, Any]:
    """The values that `encode_block` wrote; arrays are read-only."""
    values: dict[str, Any] = json.loads(text, object_hook=_decode)
    return values


def _encode(value: Any) -> dict[str, Any]:
    """An array as an object of JSON values, as `encode_block` describes it; a sparse table's still
    has its three arrays."""
    if isinstance(value, csr_array):
        return {"csr": [value.data, value.indices, value.indptr], "shape": value.shape}
    if value.dtype.kind == "i" and value.size:
        least, greatest = int(value.min()), int(value.max())
        extreme = greatest if least >= 0 else min(least, -greatest - 1)
        value = value.astype(np.min_scalar_type(extreme))
    value = value.astype(value.dtype.newbyteorder("<"), copy=False)
    content = base64.b64encode(value.tobytes()).decode()
    return {"array": content, "type": value.dtype.str, "shape": value.shape}


def _decode(stored: dict[str, Any]) -> csr_array | np.ndarray[Any, Any] | dict[str, Any]:
    """The array that `_encode` wrote; any other object unchanged."""
    if "csr" in stored:
        return csr_array(tuple(stored["csr"]), tuple(stored["shape"]))
    if "array" in stored:
        content = np.frombuffer(base64.b64decode(stored["array"]), stored["type"])
        return content.reshape(stored["shape"])
    return stored


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
    """Run of a single doc_id, split into its beginning and the digits at its end, at most 15;
    without digits its width and number are 0."""
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


def doc_id_at(runs: Sequence[IdRun], index: int) -> str:
    """The doc_id at an index, from 0, of concatenated runs. Raises IndexError beyond the last."""
    for run in runs:
        if index < run.size:
            return run.beginning + (f"{run.first + index:0{run.width}}" if run.width else "")
        index -= run.size
    raise IndexError("there are fewer doc_ids")
