"""Signals (features) of the fit of a name in a statement, (names, signals), of a whole exam at once."""

from __future__ import annotations

import numpy as np

from answerer.ntcir.multiple_choice.names import dates, latent, retrieval
from answerer.ntcir.multiple_choice.names.counts import ExamCounts, Unit
from answerer.ntcir.multiple_choice.names.flat import Flat, pooled_by_name, values_at
from indexer.entities import KINDS
from indexer.files.arrays import Float64Array, Int64Array
from indexer.statistics.neighbours import EVERY

_PAIR_SMOOTHING = {"window": 0.4, "section": 0.7}  # passages that hold a pair beside those counted
_LOCAL_SMOOTHING = 30.0  # terms as in the whole book beside those counted around a name
_LOCAL_PAIR_SMOOTHING = 0.5  # sentences that hold a name and a word beside those counted
_BESIDE = ("word_before", "word_after")
_BESIDE_SMOOTHING = 0.5  # mentions of a name with the word beside those counted
_KINDS = ("person", "place", "people", "period", "other")

_OF_NAMES: tuple[str, ...] = (
    "known",
    *(f"{kind}_{unit}" for unit in _PAIR_SMOOTHING for kind in ("pmi", "pmi_best", "pmi_worst")),
    "local_sentence",
    "local_pmi",
    *_BESIDE,
    *retrieval.NAMES,
    *latent.NAMES,
    *dates.NAMES,
    "is_date",
    *(f"is_{kind}" for kind in _KINDS),
)
NAMES: tuple[str, ...] = (*_OF_NAMES, "is_statement")
"""The signals in the order of their columns."""


def signal_rows(flat: Flat, counts: ExamCounts) -> Float64Array:
    """A row for each name, in order; columns as `NAMES`; 0 if a signal says nothing.

    A whole statement has its constant alone.
    """
    if not len(flat.rows) or not counts.sentences or not counts.keys:
        return np.zeros((len(flat.rows), len(NAMES)))
    known = flat.rows >= 0
    is_date = np.array([span is not None for span in flat.spans], bool)
    kinds = np.array([counts.kinds[row] if row >= 0 else "" for row in flat.rows.tolist()])
    found, retrieved = retrieval.retrieval_signals(counts.paragraph, flat)
    columns = {
        "known": known,
        **_pairs("window", counts.window, flat),
        **_pairs("section", counts.section, flat),
        **_local(counts.sentence, flat, counts),
        **_beside(flat, counts),
        **found,
        **latent.latent_signals(counts.paragraph, counts.vectors, flat),
        **dates.date_signals(counts, flat, retrieved),
        "is_date": is_date,
        **{f"is_{kind}": kinds == kind for kind in _KINDS},
    }
    names = (known | is_date) & ~flat.whole
    columns = {
        **{name: np.where(names, columns[name], 0.0) for name in _OF_NAMES},
        "is_statement": flat.whole,
    }
    return np.column_stack([columns[name] for name in NAMES]).astype(np.float64)


def _pairs(name: str, unit: Unit, flat: Flat) -> dict[str, Float64Array]:
    """Pointwise mutual information with the other names, mean, greatest and least: three columns of a number a name."""
    use = flat.rows[flat.pair_of] >= 0
    of, other = flat.pair_of[use], flat.pair_with[use]
    own = flat.rows[of]
    values = mutual_information(name, unit, own, other, flat.home_of(of))
    kinds = (f"{kind}_{name}" for kind in ("pmi", "pmi_best", "pmi_worst"))
    return dict(zip(kinds, pooled_by_name(values, of, len(flat.rows)), strict=True))


def mutual_information(
    name: str, unit: Unit, own: Int64Array, other: Int64Array, home: Float64Array | None = None
) -> Float64Array:
    """log((n_ef + k) / (n_e n_f / N + k)) of pairs of names by their rows, of which n_ef passages hold both.

    Where `home` is given, by pairs and blocks, each passage counts as that says.
    """
    expected = unit.number(own, home) * unit.number(other, home) / unit.number_of_all(home)
    return _above_chance(unit.number_beside(own, other, home), expected, _PAIR_SMOOTHING[name])


def _above_chance(found: Float64Array, expected: Float64Array, smoothing: float) -> Float64Array:
    return np.asarray(np.log((found + smoothing) / (expected + smoothing)), float)


def _local(unit: Unit, flat: Flat, counts: ExamCounts) -> dict[str, Float64Array]:
    """Association of a name with the words right beside it, (names, 2): means over these words.

    The first is log(((c(w, e) + μ p(w)) / (|c_e| + μ)) / p(w)): c counts the passages that hold word and name, |c_e|
    the words of those with the name, p is a word's share of the book. The second is their pointwise mutual
    information, log((c(w, e) + k) / (n_e n_w / N + k)) of N passages.
    """
    use = flat.rows[flat.local_of] >= 0
    of, term = flat.local_of[use], flat.local[use]
    own = flat.rows[of]
    together = values_at(unit.around, own, term)
    share = np.maximum(counts.term_share[term], 1e-9)
    around = together + _LOCAL_SMOOTHING * share
    likely = np.log(around / (unit.words_with_name[own] + _LOCAL_SMOOTHING) / share)
    expected = unit.name_counts[own] * unit.terms.number[term] / unit.size
    paired = _above_chance(together, expected, _LOCAL_PAIR_SMOOTHING)
    columns = {"local_sentence": likely, "local_pmi": paired}
    return {name: pooled_by_name(values, of, len(flat.rows))[0] for name, values in columns.items()}


def _beside(flat: Flat, counts: ExamCounts) -> dict[str, Float64Array]:
    """Pointwise mutual information of a name with the word before it and with that after it: two columns.

    log((c + k) / (n_e n_w / N + k)): of N mentions of names of its kind n_w have the word there, of its n_e mentions
    c. 0 for a word that is never beside a name of the kind, and for a name unknown to the index.
    """
    columns = np.zeros((len(flat.rows), len(_BESIDE)))
    every = counts.words.get(EVERY)
    for place, (row, words) in enumerate(zip(flat.rows.tolist(), flat.beside, strict=True)):
        own = counts.beside.get(row)
        if own is None or every is None:
            continue
        kind = KINDS.index(counts.kinds[row])
        for side, (word, often) in enumerate(zip(words, (own.before, own.after), strict=True)):
            if word in counts.words:
                expected = own.mentions * counts.words[word][side, kind] / every[side, kind]
                found = often.get(word, 0) + _BESIDE_SMOOTHING
                columns[place, side] = np.log(found / (expected + _BESIDE_SMOOTHING))
    return dict(zip(_BESIDE, columns.T, strict=True))
