"""What questions teach about predicates: which words of a request go with which predicate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from indexer.files.arrays import Float64Array
from indexer.sources.triples.schema import bigrams

if TYPE_CHECKING:
    from scipy.sparse import csr_array

LONGEST_GRAM = 3
_PREDICATE_SMOOTHING = 40.0
_PIECE_SMOOTHING = 30.0
_COPIED = 0.2
_UNKNOWN = 0.5  # how often a gram that training left out counts as seen
_CELLS = 1 << 20  # of the table of grams and predicates at once


def grams(request: str) -> list[str]:
    """The different character 1- to 3-grams of a request in order; none crosses the mask of the mention."""
    found: dict[str, None] = {}
    for piece in request.split("|"):
        for size in range(1, LONGEST_GRAM + 1):
            for start in range(len(piece) - size + 1):
                found[piece[start : start + size]] = None
    return list(found)


def pieces(predicate: str) -> list[str]:
    """The different letters and digits of a predicate, and its character bigrams, its ends marked by `^` and `$`."""
    return list(dict.fromkeys([*filter(str.isalnum, predicate), *bigrams(f"^{predicate}$")]))


@lru_cache(maxsize=1 << 14)
def _profile(predicate: str) -> tuple[frozenset[str], tuple[str, ...]]:
    """A predicate's grams and its pieces."""
    return frozenset(grams(predicate)), tuple(pieces(predicate))


class _Pieces(NamedTuple):
    """The columns of pieces, the rows of grams, P(gram | piece) / P(gram) less its smoothing, and that, (pieces,)."""

    columns: Mapping[str, int]
    rows: Mapping[str, int]
    raised: csr_array
    smoothing: Float64Array


@dataclass(frozen=True)
class Templates:
    """Learned from pairs of request and predicate.

    `gram_share` is each gram's share of all grams, `with_predicate` how often a gram stood with a predicate.
    """

    gram_share: Mapping[str, float]
    with_predicate: Mapping[str, Mapping[str, int]]

    def associations(self, requests: Sequence[str], predicates: Sequence[str]) -> Float64Array:
        """The mean over a request's grams of log(P(gram | predicate) / P(gram)), (requests, predicates).

        0 for a request without grams. P(gram | predicate) = (count + 40 E(gram)) / (counts of the predicate + 40). E is
        what the predicate's own words lead to expect, so that a predicate which nobody asked for is put neither behind
        nor before the others: a fifth for its own grams, the rest the mean over its pieces of P(gram | piece), smoothed
        alike with 30 P(gram); of a gram that training did not hold, pieces lead to expect P(gram), half a count.
        A hierarchy of Dirichlet priors (MacKay and Peto 1995).
        """
        listed = [grams(request) for request in requests]
        places = {gram: place for place, gram in enumerate(dict.fromkeys(gram for found in listed for gram in found))}
        of_requests = [[places[gram] for gram in found] for found in listed]
        at_once = max(1, _CELLS // max(len(places), 1))
        found = np.zeros((len(requests), len(predicates)))
        for start in range(0, len(predicates), at_once):
            logs = self._logs(places, predicates[start : start + at_once])
            for row, own in enumerate(of_requests):
                if own:
                    found[row, start : start + at_once] = logs[own].mean(axis=0)
        return found

    def _logs(self, places: Mapping[str, int], predicates: Sequence[str]) -> Float64Array:
        """log(P(gram | predicate) / P(gram)) of the grams at their places, (grams, predicates)."""
        shares = [self.gram_share.get(gram, self._unknown_share) for gram in places]
        ratio = (1 - _COPIED) * self._expected(places, predicates)
        totals = np.zeros(len(predicates))
        for column, predicate in enumerate(predicates):
            own = _profile(predicate)[0]
            for place in [places[gram] for gram in own if gram in places]:
                ratio[place, column] += _COPIED / (len(own) * shares[place])
            counts = self.with_predicate.get(predicate)
            if counts:
                totals[column] = sum(counts.values())
                for gram in [gram for gram in places if gram in counts]:
                    ratio[places[gram], column] += counts[gram] / (_PREDICATE_SMOOTHING * shares[places[gram]])
        return np.asarray(np.log(ratio) - np.log1p(totals / _PREDICATE_SMOOTHING), np.float64)

    def _expected(self, places: Mapping[str, int], predicates: Sequence[str]) -> Float64Array:
        """The mean over predicates' known pieces of P(gram | piece) / P(gram), 1 without any, (grams, predicates)."""
        columns, rows, raised, smoothing = self._pieces
        expected = np.ones((len(places), len(predicates)))
        known = [[columns[piece] for piece in _profile(one)[1] if piece in columns] for one in predicates]
        used = {column: number for number, column in enumerate(dict.fromkeys(c for found in known for c in found))}
        held = [gram for gram in places if gram in rows]
        if not used or not held:
            return expected
        part = np.zeros((len(used), len(predicates)))
        for number, found in enumerate(known):
            part[[used[column] for column in found], number] = 1 / max(len(found), 1)
        of_pieces = raised[[rows[gram] for gram in held]][:, list(used)].toarray() + smoothing[list(used)]
        with_pieces = [number for number, found in enumerate(known) if found]
        expected[np.ix_([places[gram] for gram in held], with_pieces)] = of_pieces @ part[:, with_pieces]
        return expected

    @cached_property
    def _unknown_share(self) -> float:
        return _UNKNOWN / max(sum(sum(counts.values()) for counts in self.with_predicate.values()), 1)

    @cached_property
    def _pieces(self) -> _Pieces:
        rows = {gram: row for row, gram in enumerate(self.gram_share)}
        listed = [pieces(predicate) for predicate in self.with_predicate]
        columns = {piece: column for column, piece in enumerate(dict.fromkeys(one for own in listed for one in own))}
        counts = _table([{rows[gram]: n for gram, n in own.items()} for own in self.with_predicate.values()], len(rows))
        holding = _table([{columns[piece]: 1 for piece in own} for own in listed], len(columns))
        found = (counts.T @ holding).tocoo()
        totals = holding.T @ counts.sum(axis=1) + _PIECE_SMOOTHING
        shares = np.array(list(self.gram_share.values()), np.float64)
        found.data /= totals[found.col] * shares[found.row]
        return _Pieces(columns, rows, found.tocsr(), np.asarray(_PIECE_SMOOTHING / totals, np.float64))


def _table(rows: Sequence[Mapping[int, int]], width: int) -> csr_array:
    """The numbers of rows at their columns."""
    from scipy.sparse import csr_array

    places = [(row, column) for row, found in enumerate(rows) for column in found]
    numbers = [float(number) for found in rows for number in found.values()]
    return csr_array((numbers, np.array(places, np.int64).reshape(-1, 2).T), (len(rows), width))


def learn(requests: Sequence[str], predicates: Sequence[str]) -> Templates:
    """The templates of training questions: request i asked for predicate i. Grams seen once are left out."""
    listed = [grams(request) for request in requests]
    frequency = Counter(gram for found in listed for gram in found)
    total = sum(count for count in frequency.values() if count > 1)
    with_predicate: dict[str, Counter[str]] = {}
    for found, predicate in zip(listed, predicates, strict=True):
        kept = [gram for gram in found if frequency[gram] > 1]
        with_predicate.setdefault(predicate, Counter()).update(kept)
    return Templates(
        {gram: count / total for gram, count in sorted(frequency.items()) if count > 1},
        {predicate: dict(sorted(counts.items())) for predicate, counts in sorted(with_predicate.items())},
    )


def to_json(templates: Templates) -> dict[str, Any]:
    """The templates as plain JSON values, for the model file."""
    return {"gram_share": dict(templates.gram_share), "with_predicate": dict(templates.with_predicate)}


def from_json(value: Mapping[str, Any]) -> Templates:
    """The templates of a model file; KeyError when a table is missing, ValueError for what is no share or no count."""
    shares, counts = value["gram_share"], value["with_predicate"]
    if not (_numbers(shares, 1) and isinstance(counts, dict) and all(_numbers(own, np.inf) for own in counts.values())):
        raise ValueError("templates are shares of grams up to 1, and how often each stood with a predicate")
    return Templates(shares, counts)


def _numbers(table: object, most: float) -> bool:
    """Whether all values of a table are numbers above 0, up to `most`."""
    return isinstance(table, dict) and all(type(n) in (int, float) and 0 < n <= most for n in table.values())
