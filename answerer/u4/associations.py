"""The PMI of a question's tokens and the headings of right answers [PMI]."""

from __future__ import annotations

import base64
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from answerer.u4.question import key
from indexer.files.arrays import Float64Array

# The places of an answer's headings: left of the cell, above it, above the table.
PARTS = ("row", "column", "title")

_LEAST = 2  # right answers that a token, an item and a pair need: one proves nothing
_MOST = 50_000  # pairs kept in a part, which bounds the size of a model file
_STEP = 0.25  # steps in which PMI is kept, so that it fits into a byte
_SMOOTHING = 0.5  # added to both counts, as usual for rare pairs
_KEYS, _STORED = "<u4", ("<u4", "<u2", "<u1")  # in a model file: keys, and the row ends, columns and steps of a part


class Associations(NamedTuple):
    """Numbers of tokens and of items by their keys, and per part the positive PMI of each pair, (tokens, items)."""

    tokens: Mapping[int, int]
    items: Mapping[int, int]
    values: Mapping[str, csr_array]

    def scores(self, part: str, tokens: Sequence[str]) -> dict[str, Float64Array]:
        """The best and the mean PMI of each item with the known ones of the tokens, (items + 1,); 0 without any.

        The last entry, 0, is that of all unknown items.
        """
        rows = [self.tokens[number] for number in map(key, tokens) if number in self.tokens]
        best, total = np.zeros(len(self.items) + 1), np.zeros(len(self.items) + 1)
        if rows:
            pairs = self.values[part][rows]
            np.maximum.at(best, pairs.indices, pairs.data)
            total += np.bincount(pairs.indices, pairs.data, len(total))
        return {"best": best, "mean": total / max(1, len(rows))}


def incidence(rows: Sequence[Iterable[int]], width: int) -> csr_array:
    """1 at the columns that each row names, (rows, width)."""
    columns = [np.fromiter(row, np.int64) for row in rows]
    ends = np.cumsum([0, *map(len, columns)])
    # The empty slice gives the type where there is not a row.
    return csr_array((np.ones(ends[-1]), np.concatenate([*columns, ends[:0]]), ends), shape=(len(columns), width))


def _frequent(rows: Iterable[Iterable[int]]) -> dict[int, int]:
    """Numbers, by rising key, of the keys that at least `_LEAST` rows name, the most frequent that two bytes hold."""
    counts = Counter(key for row in rows for key in row).most_common(1 << 16)
    return {key: number for number, key in enumerate(sorted(key for key, count in counts if count >= _LEAST))}


def associate(examples: Iterable[tuple[Sequence[int], Mapping[str, Sequence[int]]]]) -> Associations:
    """The associations of right answers: log((n_ti + k) / (n_t n_i / n + k)) of pairs that are frequent, if above 0.

    An example is the keys of a question's tokens and, by part, those of the items of its right answer, each once.
    """
    listed = list(examples)
    tokens = _frequent(said for said, _ in listed)
    # An item that is in the row and in the column of an answer counts once.
    names = _frequent({item for keys in held.values() for item in keys} for _, held in listed)
    values = {}
    for part in PARTS:
        # Answers of which only the table is known say nothing of rows and columns.
        rows = [(said, held[part]) for said, held in listed if part in held]
        of_token = incidence([[tokens[one] for one in said if one in tokens] for said, _ in rows], len(tokens))
        of_item = incidence([[names[one] for one in held if one in names] for _, held in rows], len(names))
        both = (of_token.T @ of_item).tocoo()
        expected = of_token.sum(0)[both.row] * of_item.sum(0)[both.col] / max(1, len(rows))
        steps = np.rint(np.log((both.data + _SMOOTHING) / (expected + _SMOOTHING)) / _STEP)
        # Ties are kept in the order of the keys, so that the same data give the same model.
        order = np.lexsort((both.col, both.row, -both.data * steps))
        best = order[(both.data[order] >= _LEAST) & (steps[order] >= 1)][:_MOST]
        values[part] = csr_array((steps[best] * _STEP, (both.row[best], both.col[best])), shape=both.shape)
    return Associations(tokens, names, values)


def encode_associations(learned: Associations) -> dict[str, Any]:
    """The associations for a model file, in base64."""

    def text(values: Iterable[int], kind: str) -> str:
        return base64.b64encode(np.array(list(values), kind).tobytes()).decode()

    encoded: dict[str, Any] = {"tokens": text(learned.tokens, _KEYS), "items": text(learned.items, _KEYS)}
    for part, matrix in learned.values.items():
        pairs = matrix.sorted_indices()
        arrays = (pairs.indptr, pairs.indices, np.rint(pairs.data / _STEP).astype(int))
        encoded[part] = [text(values, kind) for values, kind in zip(arrays, _STORED, strict=True)]
    return encoded


def decode_associations(learned: Mapping[str, Any]) -> Associations:
    """The associations of a model file; raises ValueError, LookupError or TypeError for a damaged one."""

    def numbers(text: str, kind: str) -> Any:
        return np.frombuffer(base64.b64decode(text, validate=True), kind).astype(np.int64)

    tokens, names = (
        {number: place for place, number in enumerate(numbers(learned[what], _KEYS).tolist())}
        for what in ("tokens", "items")
    )
    values = {}
    for part in PARTS:
        ends, columns, steps = (numbers(text, kind) for text, kind in zip(learned[part], _STORED, strict=True))
        values[part] = csr_array((steps * _STEP, columns, ends), shape=(len(tokens), len(names)))
        # A model file may come from anyone: columns beyond the items would be read past the array's end.
        values[part].check_format()
    return Associations(tokens, names, values)
