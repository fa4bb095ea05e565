"""Events in time: when each happened, as a distribution over eras, and which order is the most probable."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_array

from indexer.files.arrays import Float64Array, Int64Array
from retriever.association.claims import NameClaim
from retriever.association.counts import EntityCounts, highest

# Time as a histogram: spans of years that grow wider the further back they lie.
_BOUNDS = np.concatenate(
    [
        np.array([-1e9, -6000, -4000]),
        np.arange(-3000, -1000, 250),
        np.arange(-1000, 1000, 100),
        np.arange(1000, 1500, 50),
        np.arange(1500, 1800, 25),
        np.arange(1800, 2030, 10),
        np.array([1e9]),
    ]
)
ERAS = len(_BOUNDS) - 1
_BLUR = 2.0  # eras over which a date is blurred
_PASSAGES = 12  # paragraphs that say when an event was
_SHARPNESS = 0.5  # of the softmax over BM25 scores: 2 points multiply a weight by e
_SMOOTHING = 0.3  # of all eras alike, so that no order is impossible
_OWN_DATE = 50.0  # weight of a date in the statement, above all that passages can add (about 1 a name)
_LONG = 0.5  # years beyond its first at which a glossary's span counts half: a lifetime is not a date


def era_name(era: int) -> str:
    """The years of era number `era` in words, such as "1450–1499", "2500–2251 BCE" or "before 6000 BCE".

    The year 0 is 1 BCE.
    """
    first, last = (int(bound) for bound in _BOUNDS[era : era + 2])
    if era == 0:
        return f"before {-last} BCE"
    if era == ERAS - 1:
        return f"from {first}"
    return f"{-first}–{1 - last} BCE" if last <= 0 else f"{max(first, 1)}–{last - 1}"


def era_shares(first: Float64Array, last: Float64Array) -> Float64Array:
    """Distributes each span of years, from `first` to `last` inclusive, over the eras: (spans, eras), rows sum to 1.

    A span is divided evenly over its eras and then smoothed by a Gaussian of two eras, so that near dates agree.
    """
    low = np.searchsorted(_BOUNDS, first, side="right") - 1
    high = np.searchsorted(_BOUNDS, last, side="right") - 1
    eras = np.arange(ERAS)
    inside = (eras >= low[:, None]) & (eras <= high[:, None])
    distance = (eras[:, None] - eras) / _BLUR
    blur = np.exp(-(distance**2) / 2)
    blur /= blur.sum(axis=1, keepdims=True)
    return np.asarray((inside / inside.sum(axis=1, keepdims=True)) @ blur, float)


def years_of(paragraphs: Int64Array, counts: EntityCounts, shares: Float64Array) -> Float64Array:
    """Sums of the era distributions of all dates in each paragraph, (paragraphs, eras).

    `paragraphs` are paragraph numbers; `shares` (dates, eras) are the distributions of `counts.different_dates`.
    """
    dates, which = counts.dates_of[paragraphs], counts.different_dates[1]
    each = (np.ones(len(dates.indices)), np.arange(len(dates.indices)), dates.indptr)
    spread = csr_array(each, (len(paragraphs), len(dates.indices)))
    return np.asarray(spread @ shares[which[dates.indices]], float)


def event_times(claims: Sequence[NameClaim], counts: EntityCounts) -> Float64Array:
    """The distribution of each event (claim) over time, (events, eras); rows sum to 1.

    Years in the event itself outweigh all else. Otherwise evidence adds up: the shortest date that a glossary has for
    its names (less if long), the dates of paragraphs that its terms retrieve, and those of paragraphs with its names
    (more for rare names). Uniform without any date.
    """
    unit, weights = counts.paragraph, counts.paragraph.terms.weights
    shares = era_shares(*counts.different_dates[0].T)
    times = np.full((len(claims), ERAS), _SMOOTHING / ERAS)
    for place, claim in enumerate(claims):
        if spans := [name.span for name in claim.names if name.span]:
            times[place] += _OWN_DATE * era_shares(*np.array(spans, float).T).mean(axis=0)
            continue
        if years := [name.years for name in claim.names if name.years]:
            start, end = min(years, key=lambda each: (each[1] - each[0], each))
            trust = _OWN_DATE / (1 + (end - start) / _LONG)
            times[place] += trust * era_shares(np.array([start], float), np.array([end], float))[0]
        if claim.terms and unit.size:
            # The dates of the best paragraphs for the claim's terms, weighted by a softmax of BM25.
            scores = np.zeros(unit.size)
            for term in claim.terms:
                part = slice(weights.indptr[term], weights.indptr[term + 1])
                scores[weights.indices[part]] += weights.data[part]
            # So that sums in another order give the same ranking.
            scores = np.round(scores, 4)
            top = highest(scores, min(_PASSAGES, len(scores)))
            weight = np.exp(_SHARPNESS * (scores[top] - scores[top[0]]))
            weight /= weight.sum()
            dates = years_of(top, counts, shares)
            times[place] += 2.0 * weight @ (dates / np.maximum(dates.sum(axis=1, keepdims=True), 1.0))
        for name in claim.names:
            if name.row >= 0:
                paragraphs = unit.passages_with(name.row)
                held = years_of(paragraphs, counts, shares).sum(axis=0)
                if total := float(held.sum()):
                    # A rare name dates an event better than one that is in every chapter.
                    times[place] += held / total / np.log2(1 + len(paragraphs))
    return np.asarray(times / times.sum(axis=1, keepdims=True), float)


def order_score(times: Float64Array, order: Sequence[int]) -> float:
    """The log probability that events come in this order: the sum over all pairs."""
    return sum(
        pair_score(times[first], times[second]) for place, first in enumerate(order) for second in order[place + 1 :]
    )


def pair_score(first: Float64Array, second: Float64Array) -> float:
    """log P(the first event came before the second); two events in one era count half."""
    before = np.concatenate(([0.0], np.cumsum(first)[:-1]))
    return float(np.log(before @ second + 0.5 * (first @ second) + 1e-6))
