"""Time as a histogram: spans of years that grow wider the further back they lie."""

from __future__ import annotations

import numpy as np

from indexer.files.arrays import Float64Array

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
_REACH = 2.0  # eras over which a date is blurred


def era_name(era: int) -> str:
    """The first and last year of an era, as a person reads it. The year 0 is the last before 1."""
    first, last = (int(bound) for bound in _BOUNDS[era : era + 2])
    if era == 0:
        return f"before {-last} BCE"
    if era == ERAS - 1:
        return f"from {first}"
    return f"{-first}–{1 - last} BCE" if last <= 0 else f"{max(first, 1)}–{last - 1}"


def era_shares(first: Float64Array, last: Float64Array) -> Float64Array:
    """For each span of years (both ends included) how it spreads over the eras: rows that sum to 1, blurred.

    A span that lies in several eras is spread over them evenly, then every era shares with its neighbours
    (a Gaussian of two eras), so that near dates agree.
    """
    low = np.searchsorted(_BOUNDS, first, side="right") - 1
    high = np.searchsorted(_BOUNDS, last, side="right") - 1
    eras = np.arange(ERAS)
    inside = (eras >= low[:, None]) & (eras <= high[:, None])
    distance = (eras[:, None] - eras) / _REACH
    blur = np.exp(-(distance**2) / 2)
    blur /= blur.sum(axis=1, keepdims=True)
    return np.asarray((inside / inside.sum(axis=1, keepdims=True)) @ blur, float)
