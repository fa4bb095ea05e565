"""Where a question is at home in an index of many books: how much the passages of each block count for it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from answerer.ntcir.multiple_choice.names.counts import Counts
from answerer.ntcir.multiple_choice.names.flat import Claim
from answerer.ntcir.multiple_choice.names.retrieval import found_by
from indexer.files.arrays import Float64Array

_SMOOTHING = 0.05  # of all that is found, as it would be found by chance, beside what each block has
_ENOUGH = 0.5  # of the greatest ratio: a block with that is as good a home
_SHARPNESS = 4.0  # power of what a block has of enough


def home_of(claims: Sequence[Claim], questions: Sequence[int], counts: Counts) -> Float64Array | None:
    """How much a passage of each block (columns) counts for each claim (rows), at most 1.

    A question is at home where its statements, by all their terms, find a greater share of what they find than they
    would by chance. Blocks whose ratio of the two shares is at least half the greatest count 1, the others the fourth
    power of what they have of that. All count 1 where nothing is found. None where there is one block only.

    Source: federated search ranks collections by what a sample of each gives (Si and Callan, Relevant document
    distribution estimation method for resource selection, 2003).
    """
    blocks, sizes = counts.paragraph.terms.blocks
    if len(sizes) < 2 or not claims:
        return None
    found = np.zeros((max(questions) + 1, len(sizes)))
    for claim, question in zip(claims, questions, strict=True):
        passages, shares = found_by(counts.paragraph, np.array(claim.terms, np.int64))
        found[question] += np.bincount(blocks[passages], shares, len(sizes))
    usual = sizes / sizes.sum()
    nothing = ~found.any(axis=1, keepdims=True)
    share = np.where(nothing, usual, found / (found.sum(axis=1, keepdims=True) + nothing))
    ratio = (share + _SMOOTHING) / (usual + _SMOOTHING)
    home = np.minimum(1.0, ratio / ratio.max(axis=1, keepdims=True) / _ENOUGH) ** _SHARPNESS
    return np.asarray(home[np.asarray(questions)], float)
