"""Features of the fit of a name in a statement, (names, features), of a whole exam at once."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from indexer.entities import KINDS
from indexer.files.arrays import Float64Array
from indexer.statistics.forms import EVERY
from retriever.association.counts import EntityCounts, unit_of, values_at
from retriever.association.features import (
    LATENT,
    PAIR_SMOOTHING,
    RETRIEVAL,
    RaggedNames,
    RetrievedPassages,
    above_chance,
    latent_features,
    mutual_information,
    pooled_by_name,
    retrieval_features,
    retrieved_by,
)

_PAIR_KINDS = ("pmi", "pmi_best", "pmi_worst")
_LOCAL_SMOOTHING = 30.0  # terms as in the whole book beside those counted around a name
_LOCAL_PAIR_SMOOTHING = 0.5  # sentences that hold a name and a word beside those counted
_BESIDE = ("word_before", "word_after")
_BESIDE_SMOOTHING = 0.5  # mentions of a name with the word beside those counted
_WIDTH = 8.0  # years within which dates are alike
_WIDTH_GROWTH = 0.04  # and its growth by each year before `_PRESENT`
_PRESENT = 2020.0  # the year from which dates lie back
_GAIN = 5.0  # dates that a place with any is taken to hold
_DATE_SMOOTHING = 1.0  # dates as in the whole book beside those of a place
_CENTURY_WEIGHT = 50.0  # years: a span of this length counts half
_ROWS_AT_ONCE = 256  # bounds the size of a matrix of dates
_KINDS = ("person", "place", "people", "period", "other")

NAMES: tuple[str, ...] = (
    *(f"{kind}_{unit}" for unit in PAIR_SMOOTHING for kind in _PAIR_KINDS),
    "local_sentence",
    "local_pmi",
    *_BESIDE,
    *RETRIEVAL,
    *LATENT,
    "date_around_paragraph",
    "is_date",
    *(f"is_{kind}" for kind in _KINDS),
    "is_statement",
)
"""The features in the order of their columns."""


def signal_rows(flat: RaggedNames, counts: EntityCounts) -> Float64Array:
    """Feature values of names in their statements, (names, features), columns as `NAMES`; 0 where a
    feature does not apply, or the index has no names or sentences. The entry for a whole statement
    has only "is_statement"."""
    size = len(flat.rows)
    if not size or not len(counts.paragraph_of) or not counts.keys:
        return np.zeros((size, len(NAMES)))
    in_index = flat.rows >= 0
    is_date = np.array([span is not None for span in flat.spans], bool)
    kinds = np.array([counts.kinds[row] if row >= 0 else "" for row in flat.rows.tolist()])
    pairs: dict[str, Float64Array] = {}
    for name, unit in (
        ("window", unit_of(counts, "window")),
        ("section", unit_of(counts, "section")),
    ):
        values = mutual_information(name, unit, flat.rows[flat.pair_of], flat.pair_with)
        pairs |= zip(
            [f"{kind}_{name}" for kind in _PAIR_KINDS],
            pooled_by_name(values, flat.pair_of, size),
            strict=True,
        )
    retrieved = retrieved_by(unit_of(counts, "paragraph"), flat)
    columns = {
        **pairs,
        **_local_features(flat, counts),
        **_neighbour_features(flat, counts),
        **retrieval_features(unit_of(counts, "paragraph"), flat, retrieved),
        **latent_features(unit_of(counts, "paragraph"), counts.book.vectors, flat),
        "date_around_paragraph": _date_likelihood(flat, counts, retrieved),
        "is_date": is_date,
        **{f"is_{kind}": kinds == kind for kind in _KINDS},
    }
    names = (in_index | is_date) & ~flat.whole
    columns = {name: np.where(names, column, 0.0) for name, column in columns.items()} | {
        "is_statement": flat.whole
    }
    return np.column_stack([columns[name] for name in NAMES]).astype(np.float64)


def _local_features(flat: RaggedNames, counts: EntityCounts) -> dict[str, Float64Array]:
    """Association of each name e with the terms w around it (two on either side), as means over
    these terms, (names,). "local_sentence": ln(((c(w, e) + μ p(w)) / (|c_e| + μ)) / p(w)), where c
    counts sentences with term and name, |c_e| the words of sentences with the name, and p is a
    term's fraction of the book. "local_pmi": ln((c(w, e) + k) / (n_e n_w / N + k)) over N
    sentences."""
    unit = unit_of(counts, "sentence")
    use = flat.rows[flat.local_of] >= 0
    of, term = flat.local_of[use], flat.local[use]
    rows = flat.rows[of]
    together = values_at(unit.names @ unit.terms.incidence.T, rows, term)
    words = max(1.0, counts.sentence_size * unit.size)
    share = np.maximum(unit.terms.number[term] / words, 1e-9)
    around = together + _LOCAL_SMOOTHING * share
    likely = np.log(around / ((unit.names @ unit.terms.lengths)[rows] + _LOCAL_SMOOTHING) / share)
    expected = unit.name_counts[rows] * unit.terms.number[term] / unit.size
    paired = above_chance(together, expected, _LOCAL_PAIR_SMOOTHING)
    size = len(flat.rows)
    return {
        "local_sentence": pooled_by_name(likely, of, size)[0],
        "local_pmi": pooled_by_name(paired, of, size)[0],
    }


def _neighbour_features(flat: RaggedNames, counts: EntityCounts) -> dict[str, Float64Array]:
    """Pointwise mutual information of each name with the previous and with the next word, by
    feature, (names,) each. ln((c + k) / (n_e n_w / N + k)): of N mentions of names of its type, n_w
    have the word there; of the name's n_e mentions, c. 0 for a word that never occurs beside a name
    of that type, and for a name unknown to the index."""
    columns = np.zeros((len(flat.rows), len(_BESIDE)))
    every = counts.book.words.get(EVERY)
    for position, (row, words) in enumerate(zip(flat.rows.tolist(), flat.beside, strict=True)):
        beside = counts.beside.get(row)
        # Phrases are not names of the index: it did not count their neighbours.
        if beside is None or every is None:
            continue
        kind = KINDS.index(counts.kinds[row])
        for side, (word, often) in enumerate(
            zip(words, (beside.before, beside.after), strict=True)
        ):
            if word in counts.book.words:
                expected = beside.mentions * counts.book.words[word][side, kind] / every[side, kind]
                smoothed = often.get(word, 0) + _BESIDE_SMOOTHING
                columns[position, side] = np.log(smoothed / (expected + _BESIDE_SMOOTHING))
    return dict(zip(_BESIDE, columns.T, strict=True))


def _date_likelihood(
    flat: RaggedNames, counts: EntityCounts, retrieved: RetrievedPassages
) -> Float64Array:
    """Log likelihood ratio of each date among those of the paragraphs that the rest of its
    statement retrieves, (names,): ln(((Σ w K + s b) / (Σ w + s)) / b). K = exp(−gap in years /
    width) is the similarity of two dates, the width growing with the date's age, b its mean over
    the book, w the weight of a date in what was retrieved, less for a long one. 0 for names that
    are not dates."""
    likelihood = np.zeros(len(flat.rows))
    dated = np.array(
        [position for position, span in enumerate(flat.spans) if span and not flat.whole[position]],
        np.int64,
    )
    if not len(dated) or not len(counts.book.dates):
        return likelihood
    dates, same = counts.different_dates
    # A century is less informative than a year.
    weights = 1 / (1 + (counts.book.dates[:, 2] - counts.book.dates[:, 1]) / _CENTURY_WEIGHT)
    places = (counts.paragraph_of[counts.book.dates[:, 0]], same)
    of_paragraph = csr_array(
        (weights, places), (unit_of(counts, "paragraph").size, int(same.max()) + 1)
    )
    passages, shares = retrieved.passages[dated], retrieved.shares[dated]
    rows = np.repeat(np.arange(len(dated)), passages.shape[1])
    leads = csr_array(
        (shares.ravel(), (rows, passages.ravel())), (len(dated), of_paragraph.shape[0])
    )
    date_weights = csr_array(_GAIN * (leads @ of_paragraph))
    spans = np.array([flat.spans[position] for position in dated], float)
    in_book = np.bincount(same, weights)
    for start in range(0, len(spans), _ROWS_AT_ONCE):
        first, last = spans[start : start + _ROWS_AT_ONCE].T[:, :, None]
        # Dates that overlap have no gap.
        gap = np.maximum(0.0, np.maximum(dates[:, 0] - last, first - dates[:, 1]))
        alike = np.exp(
            -gap / (_WIDTH + _WIDTH_GROWTH * np.maximum(0.0, _PRESENT - (first + last) / 2))
        )
        usual = np.maximum(alike @ in_book / in_book.sum(), 1e-12)
        part = date_weights[start : start + _ROWS_AT_ONCE]
        here = np.asarray(part.multiply(alike).sum(axis=1)).ravel()
        total: Float64Array = np.asarray(part.sum(axis=1)).ravel()
        ratio = (here + _DATE_SMOOTHING * usual) / (total + _DATE_SMOOTHING) / usual
        likelihood[dated[start : start + _ROWS_AT_ONCE]] = np.log(ratio)
    return likelihood
