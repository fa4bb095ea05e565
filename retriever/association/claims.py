"""Statements as names and terms, and the names of many statements in ragged arrays: what features are computed on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from indexer.files.arrays import BoolArray, Float64Array, Int64Array


class NamedEntity(NamedTuple):
    """A name in a statement: its row in the entity matrix (`row`, −1 if the index does not have the name) and the term
    rows of the words in the name (`own`).

    `span` are its (first, last) years if it is a date, `years` those that a glossary gives. `local` are the term rows
    of the two words on either side, `beside` the words right before and after the name. A name that is not `judged` is
    context only. `whole` marks an entry for the statement as a whole, which covers its terms outside names.
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
    """A statement as input of the features: its names, and the rows of all its terms that the index has."""

    names: tuple[NamedEntity, ...]
    terms: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class RaggedNames:
    """All names of all claims (statements) as ragged arrays, with their pairs.

    `rows` are the names' rows in the entity matrix, `claim` the claim number of each. `pair_of` is the number of the
    name that a pair belongs to, `pair_with` the entity row of the other name of the claim; `term_of` and `term` pair a
    name with the terms of its claim outside the name, `local_of` and `local` with the words beside it. An entry for a
    whole statement has no pairs. `rest` is the number of the name whose terms are the context for judging a name:
    itself, for a rival the name that it replaces. `beside` are the words right before and after each name. `home`
    weights the passages, (claims, blocks), by collection selection; None: 1.
    """

    rows: Int64Array
    claim: Int64Array
    spans: list[tuple[int, int] | None]
    pair_of: Int64Array
    pair_with: Int64Array
    term_of: Int64Array
    term: Int64Array
    local_of: Int64Array
    local: Int64Array
    whole: BoolArray
    rest: Int64Array
    beside: list[tuple[str, str]]
    home: Float64Array | None = None

    def home_of(self, places: Int64Array) -> Float64Array | None:
        """The rows of `home` for the claims of the names at these places; None without `home`."""
        return None if self.home is None else self.home[self.claim[places]]

    @property
    def known_pairs(self) -> tuple[Int64Array, Int64Array]:
        """The pairs whose names the index knows: the place of the name, the row of the other."""
        use = self.rows[self.pair_of] >= 0
        return self.pair_of[use], self.pair_with[use]


def flatten(claims: Sequence[NameClaim], home: Float64Array | None = None) -> RaggedNames:
    """The names of all claims as ragged arrays, claim by claim; `home` (claims, blocks) is stored unchanged."""
    names = [(number, name) for number, each in enumerate(claims) for name in each.names]
    pairs: list[tuple[int, int]] = []
    terms: list[tuple[int, int]] = []
    local: list[tuple[int, int]] = []
    for place, (number, name) in enumerate(names):
        if not name.whole:
            others, all_terms = claims[number]
            pairs += [(place, other.row) for other in others if other.row >= 0 and other.row != name.row]
            terms += [(place, term) for term in all_terms if term not in name.own]
            local += [(place, term) for term in name.local]
    (pair_of, pair_with), (term_of, term), (local_of, local_term) = map(columns_of, (pairs, terms, local))
    return RaggedNames(
        rows=np.array([name.row for _, name in names], np.int64),
        claim=np.array([number for number, _ in names], np.int64),
        spans=[name.span for _, name in names],
        pair_of=pair_of,
        pair_with=pair_with,
        term_of=term_of,
        term=term,
        local_of=local_of,
        local=local_term,
        whole=np.array([name.whole for _, name in names], bool),
        rest=np.arange(len(names)),
        beside=[name.beside for _, name in names],
        home=home,
    )


def with_rivals(
    flat: RaggedNames, of: Int64Array, rows: Int64Array, spans: list[tuple[int, int] | None]
) -> RaggedNames:
    """`flat` with competing names appended: entity `rows[i]`, with the years `spans[i]`, replaces the name number
    `of[i]` in its claim and takes over its pairs and neighbours."""

    def copy_pairs(holders: Int64Array, values: Int64Array) -> tuple[Int64Array, Int64Array]:
        """The pairs (name number, value) followed by copies of those of the names `of`, which belong to the new names;
        `holders` must be sorted."""
        starts = np.searchsorted(holders, of, "left")
        sizes = np.searchsorted(holders, of, "right") - starts
        places = np.arange(int(sizes.sum())) + np.repeat(starts - (np.cumsum(sizes) - sizes), sizes)
        new = np.repeat(np.arange(len(of)), sizes) + len(flat.rows)
        return np.concatenate((holders, new)), np.concatenate((values, values[places]))

    pair_of, pair_with = copy_pairs(flat.pair_of, flat.pair_with)
    local_of, local = copy_pairs(flat.local_of, flat.local)
    return replace(
        flat,
        rows=np.concatenate((flat.rows, rows)),
        claim=np.concatenate((flat.claim, flat.claim[of])),
        spans=[*flat.spans, *spans],
        pair_of=pair_of,
        pair_with=pair_with,
        local_of=local_of,
        local=local,
        whole=np.concatenate((flat.whole, np.zeros(len(of), bool))),
        rest=np.concatenate((flat.rest, of)),
        beside=[*flat.beside, *(flat.beside[place] for place in of.tolist())],
    )


def columns_of(pairs: list[tuple[int, int]]) -> tuple[Int64Array, Int64Array]:
    """The first and the second numbers of pairs."""
    table = np.array(pairs, np.int64).reshape(-1, 2)
    return table[:, 0].copy(), table[:, 1].copy()
