"""Answers a SelQA file, for the command and for the submitted program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from answerer.formats.ranked_results import results_text
from answerer.ranking_methods import Scored, score_candidates
from indexer.files.arrays import Float64Array
from indexer.formats.labels import CandidateList
from indexer.formats.selqa import SelqaFile
from indexer.formats.sentence_rows import RowFile
from retriever.ranking.english import english_ranking
from retriever.ranking.ranker import Ranking


class SelqaResult(NamedTuple):
    """The result file of a SelQA input as text, the lists with sentences, and their ranking and scores (None where no
    question has sentences)."""

    text: str
    lists: Sequence[CandidateList]
    ranking: Ranking | None = None
    made: Scored | None = None


def answer(read: SelqaFile | RowFile, method: str | None = None, model_path: str | None = None) -> SelqaResult:
    """The results of a SelQA file by a method or a model (default: the packaged one). Raises UserError if both are
    given, or the model does not fit."""
    lists = [one for one in read.lists if one.candidates]
    if not lists:
        return SelqaResult(results_text(read, []), lists)
    ranking = english_ranking(lists)
    made = score_candidates(ranking, method, model_path)
    return SelqaResult(results_text(read, sentence_probabilities(lists, made.scores)), lists, ranking, made)


def sentence_probabilities(lists: Sequence[CandidateList], scores: Float64Array) -> list[Float64Array]:
    """The softmax of a list's scores, (sentences,), for each list; `scores` (rows,) are those of all lists. An empty
    sentence has probability 0."""
    shares = []
    start = 0
    for one in lists:
        own = scores[start : start + len(one.candidates)]
        start += len(own)
        filled = np.array([bool(text.strip()) for text in one.candidates])
        # Scores less the greatest: exp() cannot overflow. The sum is 1 or more then, but for a list of empty sentences.
        powers = np.where(filled, np.exp(own - own.max(initial=-np.inf, where=filled)), 0.0)
        shares.append(powers / max(float(powers.sum()), 1.0) if filled.any() else np.zeros(len(own)))
    return shares
