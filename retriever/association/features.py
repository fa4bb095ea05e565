"""Names in their statements as ragged arrays, and features of their association with these: mutual
information, retrieval, latent semantic analysis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from indexer.files.arrays import BoolArray, Float64Array, Int64Array
from retriever.association.counts import (
    PassageUnit,
    highest,
    holds,
    passage_scores,
    passages_with,
    values_at,
)

RETRIEVAL = ("relevance_paragraph", "share_paragraph", "best_paragraph", "near_paragraph")
LATENT = ("latent_rest", "latent_names", "latent_log_rest", "latent_log_names")
PAIR_SMOOTHING = {"window": 0.4, "section": 0.7}  # passages that hold a pair beside those counted
_DEPTH = 60  # paragraphs that count as found
# of the softmax that makes shares of their scores: 2 points of BM25 halve a share
_SHARPNESS = 0.35
# How far a share of what was found is drawn to the name's usual share, and the floor that keeps a
# name that no paragraph holds comparable. Shares by softmax lie on the few best paragraphs and so
# are drawn less than shares by rank; those of neighbours least, for their usual share is but an
# estimate. Set by hand: the learner weighs the features, only their shape is decided here.
_DRAWN_BY_SOFTMAX, _FLOOR_BY_SOFTMAX = 0.5, 0.005
_DRAWN_BY_RANK, _DRAWN_BESIDE, _FLOOR = 1.0, 0.3, 0.01
# frequency of a name in or near a paragraph, weighted by `_NEAR`, as a multiple of that in a
# paragraph
_WIDE = 3
# points of BM25 added to the best score: a point behind says little where the best has few
_LEAST_BEST = 3.0
_STEPS = np.array([0, -2, -1, 1, 2])  # to a passage, and to those beside it
_NEAR = np.exp(-np.abs(_STEPS))  # the weight of a name there
_COSINE_FLOOR = 0.03  # of a cosine whose log is taken


class NamedEntity(NamedTuple):
    """A name in a statement: its row in the entity matrix (`row`, −1 if the index does not have the
    name) and the term rows of the words in the name (`name_terms`).

    `span` are its (first, last) years if it is a date, `years` those that a glossary gives. `local`
    are the term rows of the two words on either side, `beside` the words right before and after the
    name. A name that is not `judged` is context only. `whole` marks an entry for the statement as a
    whole, which covers its terms outside names.
    """

    row: int
    name_terms: frozenset[int]
    span: tuple[int, int] | None = None
    local: tuple[int, ...] = ()
    judged: bool = True
    whole: bool = False
    years: tuple[int, int] | None = None
    beside: tuple[str, str] = ("", "")


class NameClaim(NamedTuple):
    """A statement as input of the features: its names, and the rows of all its terms that the index
    has."""

    names: tuple[NamedEntity, ...]
    terms: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class RaggedNames:
    """All names of all claims (statements) as ragged arrays, with their pairs.

    `rows` are the names' rows in the entity matrix, `claim` the claim number of each. `pair_of` is
    the number of the name that a pair belongs to, `pair_with` the entity row of the other name of
    the claim; `term_of` and `term` pair a name with the terms of its claim outside the name,
    `local_of` and `local` with the words beside it. An entry for a whole statement has neither
    pairs nor terms, and no pair is of a name with itself or of one that the index lacks (row −1).
    `rest` is the number of the name whose terms are the context for judging a name: itself, or one
    with the same terms. `beside` are the words right before and after each name.
    """

    rows: Int64Array
    claim: Int64Array
    pair_of: Int64Array
    pair_with: Int64Array
    term_of: Int64Array
    term: Int64Array
    rest: Int64Array
    spans: Sequence[tuple[int, int] | None] = ()
    local_of: Int64Array = field(default_factory=lambda: np.zeros(0, np.int64))
    local: Int64Array = field(default_factory=lambda: np.zeros(0, np.int64))
    whole: BoolArray = field(default_factory=lambda: np.zeros(0, bool))
    beside: Sequence[tuple[str, str]] = ()


def flatten(claims: Sequence[NameClaim]) -> RaggedNames:
    """The names of all claims as ragged arrays, claim by claim; `rest` is each name itself. Names
    that the index lacks stay, but no pair is of one; a whole statement has no pairs or terms."""
    names = [(number, name) for number, claim in enumerate(claims) for name in claim.names]
    pairs: list[tuple[int, int]] = []
    terms: list[tuple[int, int]] = []
    local: list[tuple[int, int]] = []
    for position, (number, name) in enumerate(names):
        if not name.whole:
            others, all_terms = claims[number]
            pairs += [
                (position, other.row)
                for other in others
                if name.row >= 0 and other.row not in (-1, name.row)
            ]
            terms += [(position, term) for term in all_terms if term not in name.name_terms]
            local += [(position, term) for term in name.local]
    pair_of, pair_with = pair_columns(pairs)
    term_of, term = pair_columns(terms)
    local_of, local_term = pair_columns(local)
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
    )


def pair_columns(pairs: Sequence[tuple[int, int]]) -> tuple[Int64Array, Int64Array]:
    """The first and the second numbers of pairs, (pairs,) each."""
    first, second = np.array(pairs, np.int64).reshape(-1, 2).T.copy()
    return first, second


class RetrievedPassages(NamedTuple):
    """For each name the numbers, softmax weights, `shares` (weights that sum to 1, or to 0 if
    nothing is found) and BM25 scores (`values`) of the passages that the rest of its statement
    retrieves, best first, all (names, depth); and `best`, (names,), the best score of a passage
    that contains the name, 0 for none, and for a name that the index lacks."""

    passages: Int64Array
    weights: Float64Array
    shares: Float64Array
    values: Float64Array
    best: Float64Array


def retrieved_by(unit: PassageUnit, flat: RaggedNames) -> RetrievedPassages:
    """For each name the best passages of the unit for the terms of its statement outside the name,
    60 (`_DEPTH`) or all: numbers, softmax weights (0 for a passage without the terms), shares of
    their sum, BM25 scores, each (names, depth); and the best score of a passage with the name."""
    rest = _terms_outside(unit, flat)
    # The statements of a question often ask for the same terms.
    positions_of: dict[tuple[int, ...], list[int]] = {}
    for position, number in enumerate(flat.rest.tolist()):
        terms = rest.indices[rest.indptr[number] : rest.indptr[number + 1]]
        positions_of.setdefault(tuple(terms.tolist()), []).append(position)
    shape = len(flat.rows), min(_DEPTH, unit.size)
    passages, values, best = np.zeros(shape, np.int64), np.zeros(shape), np.zeros(shape[0])
    for query, positions in positions_of.items():
        scores = passage_scores(unit.terms, np.array(query, np.int64))
        top = highest(scores, shape[1])
        passages[positions], values[positions] = top, scores[top]
        # The best passage with the name may be beyond the retrieved ones.
        for position in positions:
            if (row := int(flat.rows[position])) >= 0:
                best[position] = scores[passages_with(unit, row)].max(initial=0.0)
    # A softmax of the scores; then 0 for a passage without any of the terms, which scores 0.
    sharpened = values * _SHARPNESS
    powers = np.exp(sharpened - sharpened[:, :1])
    weights = powers / powers.sum(axis=1, keepdims=True) * (values > 0)
    shares = weights / np.maximum(weights.sum(axis=1, keepdims=True), 1e-12)
    return RetrievedPassages(passages, weights, shares, values, best)


def retrieval_features(
    unit: PassageUnit, flat: RaggedNames, retrieved: RetrievedPassages
) -> dict[str, Float64Array]:
    """Four features (names,), by name, of each name in the passages that the rest of its statement
    retrieves (`retrieved`).

    `relevance_paragraph` and `share_paragraph` are log ratios of the weight of these passages that
    contains the name, by softmax and by score / log2(rank + 1), to the fraction of all passages
    that does; `near_paragraph` is that by softmax, where passages one or two away from one with the
    name count 1/e and 1/e². `best_paragraph` compares the best score of a passage with the name to
    the best of all, 0 to −1 (0 where nothing is retrieved). Of a name that the index lacks, it is
    near −1, the others are 0."""
    values = retrieved.values
    # 1 for a retrieved passage with the name; e^-1 and e^-2 if a passage one or two away holds it.
    presence, beside = np.zeros(values.shape), np.zeros(values.shape)
    for position, row in enumerate(flat.rows.tolist()):
        if row >= 0:
            around = np.clip(retrieved.passages[position] + _STEPS[:, None], 0, unit.size - 1)
            inside = holds(unit, row, around.ravel()).reshape(around.shape)
            presence[position] = inside[0]
            beside[position] = (inside * _NEAR[:, None]).max(axis=0)
    # The name's usual share of the passages, by which all features compare.
    common = np.where(flat.rows >= 0, unit.name_counts[flat.rows] / unit.size, 0.0)
    mass = values / np.log2(np.arange(values.shape[1]) + 2.0)
    relevance = (retrieved.weights * presence).sum(axis=1)
    share = (mass * presence).sum(axis=1) / np.maximum(mass.sum(axis=1), 1e-9)
    near = (retrieved.weights * beside).sum(axis=1)
    best = values[:, 0]
    return {
        "relevance_paragraph": _surplus(relevance, common, _DRAWN_BY_SOFTMAX, _FLOOR_BY_SOFTMAX),
        "share_paragraph": _surplus(share, common, _DRAWN_BY_RANK, _FLOOR),
        "best_paragraph": np.where(best > 0, (retrieved.best - best) / (best + _LEAST_BEST), 0.0),
        "near_paragraph": _surplus(near, np.minimum(1.0, common * _WIDE), _DRAWN_BESIDE, _FLOOR),
    }


def _terms_outside(unit: PassageUnit, flat: RaggedNames) -> csr_array:
    """1 where a name's statement has a term outside the name, however often, (names, terms)."""
    shape = (len(flat.rows), unit.terms.incidence.shape[0])
    outside = csr_array((np.ones(len(flat.term)), (flat.term_of, flat.term)), shape)
    outside.sum_duplicates()
    outside.data[:] = 1.0
    return outside


def _surplus(share: Float64Array, usual: Float64Array, drawn: float, floor: float) -> Float64Array:
    """Log ratio of a share to the usual one, 0 if they are equal, smoothed by `drawn` usual shares
    and by `floor`."""
    return np.asarray(
        np.log((share + drawn * usual + floor) / ((1 + drawn) * usual + floor)), float
    )


def mutual_information(
    unit_name: str, unit: PassageUnit, rows: Int64Array, others: Int64Array
) -> Float64Array:
    """log((n_ef + k) / (n_e n_f / N + k)) of the pairs of entities rows[i] and others[i], of which
    n_ef of N passages contain both. k is that of the unit called `unit_name`: "window" .4,
    "section" .7, KeyError for others."""
    expected = unit.name_counts[rows] * unit.name_counts[others] / unit.size
    return above_chance(values_at(unit.beside, rows, others), expected, PAIR_SMOOTHING[unit_name])


def above_chance(together: Float64Array, expected: Float64Array, smoothing: float) -> Float64Array:
    """The log ratio of a number to the expected one, `smoothing` added to both."""
    return np.asarray(np.log((together + smoothing) / (expected + smoothing)), float)


def latent_features(
    unit: PassageUnit, vectors: Float64Array, flat: RaggedNames
) -> dict[str, Float64Array]:
    """LATENT feature → values (names,): the cosine of a name with the rest of its statement, its
    mean cosine with the statement's other names, and the logarithms of both; 0 for a name that the
    index lacks. `vectors` are those of the paragraphs (`indexer.statistics.lsa`); a name, which
    counts as a word, or a term has the sum of its paragraphs', a rest that of its terms by idf."""
    names = _unit_length(np.asarray(unit.names @ vectors, float))
    terms = _unit_length(np.asarray(unit.terms.incidence @ vectors, float))
    # A rest is the sum of its terms, weighted by idf.
    rests = np.asarray(_terms_outside(unit, flat) @ (terms * unit.terms.idf[:, None]), float)
    rest_of_name = _unit_length(rests)[flat.rest]
    with_rest = (rest_of_name * names[np.maximum(flat.rows, 0)]).sum(axis=1)
    pair_cosines = (names[flat.rows[flat.pair_of]] * names[flat.pair_with]).sum(axis=1)
    with_names, _, _ = pooled_by_name(pair_cosines, flat.pair_of, len(flat.rows))
    logs = [np.log(np.maximum(cosine, 0) + _COSINE_FLOOR) for cosine in (with_rest, with_names)]
    features = zip(LATENT, (with_rest, with_names, *logs), strict=True)
    return {name: np.where(flat.rows >= 0, feature, 0.0) for name, feature in features}


def _unit_length(vectors: Float64Array) -> Float64Array:
    """Each row divided by its length; rows of zeros stay."""
    return np.asarray(
        vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9), float
    )


def pooled_by_name(
    values: Float64Array, of: Int64Array, size: int
) -> tuple[Float64Array, Float64Array, Float64Array]:
    """Mean, maximum and minimum, each (size,), of the values of each name; values[i] is of name
    of[i]; 0 for a name without values."""
    number = np.bincount(of, minlength=size)
    greatest, least = np.full(size, -np.inf), np.full(size, np.inf)
    np.maximum.at(greatest, of, values)
    np.minimum.at(least, of, values)
    some = number > 0
    mean = np.bincount(of, values, size) / np.maximum(number, 1)
    return mean, np.where(some, greatest, 0.0), np.where(some, least, 0.0)
