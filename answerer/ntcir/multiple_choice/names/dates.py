"""Does a date belong in its statement: are like dates where the rest leads to, and around the other names?"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array, diags_array

from answerer.ntcir.multiple_choice.names.counts import ExamCounts
from answerer.ntcir.multiple_choice.names.flat import Flat
from answerer.ntcir.multiple_choice.names.retrieval import Retrieved
from indexer.files.arrays import Float64Array, Int64Array

WIDTHS = {"near": (1.0, 0.003), "around": (8.0, 0.04)}
"""Years within which dates are alike: a constant, and the growth by each year before `_PRESENT`."""

_PLACES = ("paragraph", "paragraph_of_names")
NAMES = tuple(f"date_{width}_{place}" for width in WIDTHS for place in _PLACES)
_PRESENT = 2020.0  # the year from which dates lie back
_GAIN = 5.0  # dates that a place with any is taken to hold
_SMOOTHING = 1.0  # dates as in the whole book beside those of a place
_CENTURY_WEIGHT = 50.0  # years: a span of this length counts half
_ROWS_AT_ONCE = 256


def date_signals(counts: ExamCounts, flat: Flat, retrieved: Retrieved) -> dict[str, Float64Array]:
    """For each width and place a number a name: log(p(like dates there) / p(like dates in the book)).

    Places are the paragraphs that the rest retrieves, and those that hold the other names. 0 for names that are not
    dates.
    """
    signals = {name: np.zeros(len(flat.rows)) for name in NAMES}
    dated = np.array([place for place, span in enumerate(flat.spans) if span and not flat.whole[place]], np.int64)
    if not len(dated) or not len(counts.dates):
        return signals
    spans = np.array([flat.spans[place] for place in dated], float)
    dates, same = counts.different_dates
    usual = _weights(dates) * np.bincount(same)
    for place, held in zip(_PLACES, _dates_of_places(counts, flat, retrieved, dated, same), strict=True):
        for name, width in WIDTHS.items():
            signals[f"date_{name}_{place}"][dated] = _likeness(spans, dates, usual, held, width)
    return signals


def _dates_of_places(
    counts: ExamCounts, flat: Flat, retrieved: Retrieved, dated: Int64Array, same: Int64Array
) -> tuple[csr_array, csr_array]:
    """The weight of each different date (columns) for each dated name (rows), at each place.

    `same` has for each date of the book which of the different ones it is.
    """
    paragraph = counts.paragraph
    places = (counts.paragraph_of[counts.dates[:, 0].astype(np.int64)], same)
    dates = csr_array((_weights(counts.dates[:, 1:]), places), (paragraph.size, int(same.max()) + 1))
    passages, shares = retrieved.passages[dated], retrieved.shares[dated]
    rows = np.repeat(np.arange(len(dated)), passages.shape[1])
    leads = csr_array((shares.ravel(), (rows, passages.ravel())), (len(dated), paragraph.size))
    of_name = csr_array(paragraph.names @ dates)
    total = np.maximum(np.asarray(of_name.sum(axis=1)).ravel(), 1.0)
    beside = _other_names(flat, dated, len(counts.keys))
    return csr_array(_GAIN * (leads @ dates)), csr_array(_GAIN / 2 * (beside @ (diags_array(1 / total) @ of_name)))


def _other_names(flat: Flat, dated: Int64Array, names: int) -> csr_array:
    """For each dated name (rows) the other names of its statement (columns)."""
    row = np.full(len(flat.rows), -1)
    row[dated] = np.arange(len(dated))
    use = row[flat.pair_of] >= 0
    places = (row[flat.pair_of[use]], flat.pair_with[use])
    return csr_array((np.ones(len(places[0])), places), (len(dated), names))


def _weights(dates: Float64Array) -> Float64Array:
    """The weight of a date by its span: a century is less informative than a year."""
    return np.asarray(1 / (1 + (dates[:, 1] - dates[:, 0]) / _CENTURY_WEIGHT), float)


def _likeness(
    spans: Float64Array, dates: Float64Array, weight: Float64Array, held: csr_array, width: tuple[float, float]
) -> Float64Array:
    """log(((Σ w K + s b) / (Σ w + s)) / b): K = exp(−gap / width) between the dates, b its mean over the book."""
    found = np.zeros(len(spans))
    for start in range(0, len(spans), _ROWS_AT_ONCE):
        first, last = spans[start : start + _ROWS_AT_ONCE].T[:, :, None]
        gap = np.maximum(0.0, np.maximum(dates[:, 0] - last, first - dates[:, 1]))
        alike = np.exp(-gap / (width[0] + width[1] * np.maximum(0.0, _PRESENT - (first + last) / 2)))
        usual = np.maximum(alike @ weight / weight.sum(), 1e-12)
        part = held[start : start + _ROWS_AT_ONCE]
        here = np.asarray(part.multiply(alike).sum(axis=1)).ravel()
        total = np.asarray(part.sum(axis=1)).ravel()
        found[start : start + _ROWS_AT_ONCE] = np.log((here + _SMOOTHING * usual) / (total + _SMOOTHING) / usual)
    return found
