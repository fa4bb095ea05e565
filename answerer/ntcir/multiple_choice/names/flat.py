"""The names of statements one after the other, with what each is paired with: what the signals are computed on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from indexer.files.arrays import BoolArray, Float64Array, Int64Array


class Named(NamedTuple):
    """A name in a statement: its row among the counts (-1: the index does not know it), its own terms' rows,
    its span of years where it is a date, the rows of the words right beside it, of two on either side. A name that is
    not judged is context.
    `whole` marks the row of the statement as a whole, which covers its terms outside names.
    `years` are those that a glossary gives a name. `beside` are the words right before and after it.
    """

    row: int
    own: frozenset[int]
    span: tuple[int, int] | None = None
    local: tuple[int, ...] = ()
    judged: bool = True
    whole: bool = False
    years: tuple[int, int] | None = None
    beside: tuple[str, str] = ("", "")


class NameClaim(NamedTuple):
    """A statement for the signals: its names, and the rows of all its terms that the index knows."""

    names: tuple[Named, ...]
    terms: tuple[int, ...]


@dataclass(frozen=True)
class Flat:
    """All names of all claims in ragged arrays; pairs of a name with another, and with a term outside the name.

    The row of a whole statement does not have pairs. Terms belong to the name for whose statement they are the rest.
    """

    rows: Int64Array
    claim: Int64Array
    spans: list[tuple[int, int] | None]
    pair_of: Int64Array  # the place of the name that a pair belongs to
    pair_with: Int64Array  # row of the other name
    term_of: Int64Array
    term: Int64Array
    local_of: Int64Array
    local: Int64Array
    whole: BoolArray
    rest: (
        Int64Array  # the place of the name whose statement's rest this one is judged by: its own, a rival's the other's
    )
    beside: list[tuple[str, str]]  # the words right before and after it
    home: Float64Array | None = None  # weights of the passages, (claims, blocks), from collection selection; None: 1

    def home_of(self, places: Int64Array) -> Float64Array | None:
        """The rows of `home` for the claims of the names at these places; None without `home`."""
        return None if self.home is None else self.home[self.claim[places]]


def flatten(claims: Sequence[NameClaim], home: Float64Array | None = None) -> Flat:
    """Puts the names of all claims into ragged arrays."""
    rows: list[int] = []
    claim: list[int] = []
    spans: list[tuple[int, int] | None] = []
    pairs: list[tuple[int, int]] = []
    terms: list[tuple[int, int]] = []
    local: list[tuple[int, int]] = []
    whole: list[bool] = []
    for number, each in enumerate(claims):
        for name in each.names:
            place = len(rows)
            rows.append(name.row)
            whole.append(name.whole)
            claim.append(number)
            spans.append(name.span)
            if name.whole:
                continue
            pairs += [(place, other.row) for other in each.names if other.row >= 0 and other.row != name.row]
            terms += [(place, term) for term in each.terms if term not in name.own]
            local += [(place, term) for term in name.local]
    return Flat(
        np.array(rows, np.int64),
        np.array(claim, np.int64),
        spans,
        *apart(pairs),
        *apart(terms),
        *apart(local),
        np.array(whole, bool),
        np.arange(len(rows)),
        [name.beside for each in claims for name in each.names],
        home,
    )


def with_rivals(flat: Flat, of: Int64Array, rows: Int64Array, spans: list[tuple[int, int] | None]) -> Flat:
    """Appends the names of `rows`, each in the place of the name at its index in `of`."""
    size = len(flat.rows)
    pair_of, pair_with = _copy_values(flat.pair_of, flat.pair_with, of)
    local_of, local = _copy_values(flat.local_of, flat.local, of)
    return replace(
        flat,
        rows=np.concatenate((flat.rows, rows)),
        claim=np.concatenate((flat.claim, flat.claim[of])),
        spans=[*flat.spans, *spans],
        pair_of=np.concatenate((flat.pair_of, pair_of + size)),
        pair_with=np.concatenate((flat.pair_with, pair_with)),
        local_of=np.concatenate((flat.local_of, local_of + size)),
        local=np.concatenate((flat.local, local)),
        whole=np.concatenate((flat.whole, np.zeros(len(of), bool))),
        rest=np.concatenate((flat.rest, of)),
        beside=[*flat.beside, *(flat.beside[place] for place in of.tolist())],
    )


def _copy_values(of: Int64Array, values: Int64Array, wanted: Int64Array) -> tuple[Int64Array, Int64Array]:
    """The values of each wanted name, with its number among the wanted; `of` rises."""
    starts, ends = np.searchsorted(of, wanted, "left"), np.searchsorted(of, wanted, "right")
    sizes = ends - starts
    before = np.cumsum(sizes) - sizes
    places = np.arange(int(sizes.sum())) + np.repeat(starts - before, sizes)
    return np.repeat(np.arange(len(wanted)), sizes), values[places]


def apart(pairs: list[tuple[int, int]]) -> tuple[Int64Array, Int64Array]:
    """The first and the second numbers of pairs."""
    table = np.array(pairs, np.int64).reshape(-1, 2)
    return table[:, 0].copy(), table[:, 1].copy()


def values_at(matrix: csr_array, rows: Int64Array, columns: Int64Array) -> Float64Array:
    """The values at these places of a matrix with sorted columns."""
    if not len(rows):
        return np.zeros(0)
    used, rows = np.unique(rows, return_inverse=True)
    matrix = matrix[used]
    width = matrix.shape[1]
    row_of = np.repeat(np.arange(matrix.shape[0], dtype=np.int64), np.diff(matrix.indptr))
    places = row_of * width + matrix.indices
    wanted = rows * width + columns
    found = np.minimum(np.searchsorted(places, wanted), max(0, len(places) - 1))
    if not len(places):
        return np.zeros(len(rows))
    return np.where(places[found] == wanted, matrix.data[found], 0.0)


def pooled_by_name(values: Float64Array, of: Int64Array, size: int) -> tuple[Float64Array, Float64Array, Float64Array]:
    """Mean, greatest and least of the values of each name; 0 without one."""
    number = np.bincount(of, minlength=size)
    mean = np.bincount(of, values, size) / np.maximum(number, 1)
    greatest, least = np.full(size, -np.inf), np.full(size, np.inf)
    np.maximum.at(greatest, of, values)
    np.minimum.at(least, of, values)
    some = number > 0
    return mean, np.where(some, greatest, 0.0), np.where(some, least, 0.0)
