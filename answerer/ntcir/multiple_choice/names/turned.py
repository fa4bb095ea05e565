"""Words that could be turned round: is it rather the word or its opposite that stands where the statement leads to?"""

from __future__ import annotations

import numpy as np

from answerer.ntcir.multiple_choice.names.counts import Counts
from answerer.ntcir.multiple_choice.names.flat import Flat, pooled_by_name, values_at
from answerer.ntcir.multiple_choice.names.retrieval import Retrieved
from indexer.files.arrays import Float64Array

NAMES = ("is_turned", "turned_names", "turned_passages")
_SMOOTHING = 0.5  # windows that hold a word and a name beside those counted
_FLOOR = 0.05  # of a share of the retrieved passages
_MOST = 2.0  # of the log ratio of how common the two words are: rarer words than that are not told apart


def turn_signals(counts: Counts, flat: Flat, retrieved: Retrieved) -> dict[str, Float64Array]:
    """Log ratios of the word to its opposite: beside the other names, and in what the rest retrieves; 0 for names.

    The second is less half the log ratio of how many paragraphs of the book hold the two.
    """
    places = np.flatnonzero(flat.opposite != flat.NAME)
    words, others = flat.rows[places], flat.opposite[places]
    of_pair = np.searchsorted(places, flat.pair_of)
    use = np.append(places, -1)[of_pair] == flat.pair_of
    of, name = of_pair[use], flat.pair_with[use]
    there = np.where(others[of] >= 0, values_at(counts.window.beside, np.maximum(others[of], 0), name), 0.0)
    ratios = np.log((values_at(counts.window.beside, words[of], name) + _SMOOTHING) / (there + _SMOOTHING))
    signals = {name: np.zeros(len(flat.rows)) for name in NAMES}
    signals["is_turned"][places] = 1.0
    signals["turned_names"][places] = pooled_by_name(ratios, of, len(places))[0]
    for place, word, other in zip(places, words, others, strict=True):
        passages, shares = retrieved.passages[place], retrieved.shares[place]
        held = [float(counts.paragraph.holds(row, passages) @ shares) if row >= 0 else 0.0 for row in (word, other)]
        prior = np.clip(np.log(_frequency(counts, word) / _frequency(counts, other)), -_MOST, _MOST)
        signals["turned_passages"][place] = np.log((held[0] + _FLOOR) / (held[1] + _FLOOR)) - 0.5 * prior
    return signals


def _frequency(counts: Counts, row: int) -> float:
    return float(counts.paragraph.name_counts[row]) + 1.0 if row >= 0 else 1.0
