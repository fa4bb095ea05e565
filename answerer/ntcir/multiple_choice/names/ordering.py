"""Events in time: when each happened, as a distribution over eras, and which order is the most probable."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from answerer.ntcir.multiple_choice.names.counts import ExamCounts, highest
from answerer.ntcir.multiple_choice.names.eras import ERAS, era_shares
from answerer.ntcir.multiple_choice.names.flat import NameClaim, Named
from indexer.files.arrays import Float64Array

_PASSAGES = 12  # paragraphs that say when an event was
_SHARPNESS = 0.5
_SMOOTHING = 0.3
_OWN_DATE = 50.0  # weight of a date in the statement, above all that passages can add (about 1 a name)
_LONG = 0.5  # years beyond its first at which a glossary's span counts half: a lifetime is not a date


def event_times(claims: Sequence[NameClaim], counts: ExamCounts) -> Float64Array:
    """The distribution of each event over time, (events, eras); rows sum to 1.

    A year that the event itself names outranks all, then one that a glossary gives its names; else the dates of the
    paragraphs that its terms retrieve, and of the paragraphs that hold its names (rare names count more), decide.
    Without any date: all eras alike.
    """
    unit = counts.paragraph
    found = np.full((len(claims), ERAS), _SMOOTHING / ERAS)
    for place, claim in enumerate(claims):
        found[place] += _own_time(claim.names)
        if any(name.span for name in claim.names):
            continue
        if claim.terms and unit.size:
            found[place] += _retrieved_time(claim, counts)
        for name in claim.names:
            if name.row >= 0:
                paragraphs = unit.passages_with(name.row)
                dates = counts.years_of(paragraphs).sum(axis=0)
                total = float(dates.sum())
                if total:
                    found[place] += dates / total / np.log2(1 + len(paragraphs))
    return np.asarray(found / found.sum(axis=1, keepdims=True), float)


def _own_time(names: Sequence[Named]) -> Float64Array:
    """The dates of a statement; else of the names in it the shortest years of a glossary, long ones counting less."""
    spans = [name.span for name in names if name.span]
    if spans:
        first, last = np.array(spans, float).T
        return np.asarray(_OWN_DATE * era_shares(first, last).mean(axis=0))
    given = [name.years for name in names if name.years]
    if not given:
        return np.zeros(ERAS)
    start, end = min(given, key=lambda years: (years[1] - years[0], years))
    trust = _OWN_DATE / (1 + (end - start) / _LONG)
    return np.asarray(trust * era_shares(np.array([start], float), np.array([end], float))[0])


def _retrieved_time(claim: NameClaim, counts: ExamCounts) -> Float64Array:
    """The dates of the `_PASSAGES` best paragraphs for the claim's terms, (eras,), weighted by a softmax of BM25."""
    scores = np.zeros(counts.paragraph.size)
    weights = counts.paragraph.terms.weights
    for term in claim.terms:
        part = slice(weights.indptr[term], weights.indptr[term + 1])
        scores[weights.indices[part]] += weights.data[part]
    scores = np.round(scores, 4)
    top = highest(scores, min(_PASSAGES, len(scores)))
    weight = np.exp(_SHARPNESS * (scores[top] - scores[top[0]]))
    weight /= weight.sum()
    dates = counts.years_of(top)
    dates = dates / np.maximum(dates.sum(axis=1, keepdims=True), 1.0)
    return np.asarray(2.0 * weight @ dates, float)


def order_score(times: Float64Array, order: Sequence[int]) -> float:
    """The log probability that events come in this order: the sum over all pairs."""
    return sum(
        pair_score(times[first], times[second]) for place, first in enumerate(order) for second in order[place + 1 :]
    )


def pair_score(first: Float64Array, second: Float64Array) -> float:
    """log P(the first event came before the second); two events in one era count half."""
    before = np.concatenate(([0.0], np.cumsum(first)[:-1]))
    return float(np.log(before @ second + 0.5 * (first @ second) + 1e-6))
