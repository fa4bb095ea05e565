"""Collection selection in an index of many books: the weight of the passages of each block for a question."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from answerer.ntcir.multiple_choice.names.counts import ExamCounts
from answerer.ntcir.multiple_choice.names.flat import NameClaim
from answerer.ntcir.multiple_choice.names.retrieval import found_by
from indexer.files.arrays import Float64Array

_SMOOTHING = 0.05  # of all that is found, as it would be found by chance, beside what each block has
_ENOUGH = 0.5  # of the greatest ratio: a block with that is as good a home
_SHARPNESS = 4.0  # power of what a block has of enough


def home_of(claims: Sequence[NameClaim], questions: Sequence[int], counts: ExamCounts) -> Float64Array | None:
    """Weights of the passages for each claim, (claims, blocks), at most 1; None if there is one block only.

    A question belongs to the blocks that hold a greater share of the passages retrieved by its statements, by all
    their terms, than of all passages. Blocks whose ratio of the two shares is at least half the greatest count 1, the
    others the fourth power of the quotient of their ratio and that half. All count 1 if nothing is found.

    Source: federated search ranks collections by a sample of each ([SiCallan]).
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
