"""Ranking of candidate facts: scores by default weights, plain overlap or a model; answers by probability."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from answerer.nlpcc.kbqa.features import CharacterStatistics, FactFeatures, default_weights
from answerer.nlpcc.kbqa.linking import FactCandidate
from answerer.nlpcc.kbqa.relation_phrase import decode_templates
from indexer.engines.contract import Index
from indexer.files.arrays import BoolArray, Float64Array
from indexer.files.errors import UserError
from indexer.sources.triples.schema import PREDICATE_CHARACTERS, STATISTICS, decode_counts, fold
from retriever.learning.model import read_model, unfit

TASK = "nlpcc-kbqa"
RELATIVE = " (relative)"
_DIGITS = 9  # decimals to which probabilities are compared: further ones are rounding errors


class FactRanker(NamedTuple):
    """Features and their weights: one weight a feature, then, in a trained ranker, one for each feature relative to the
    question's other candidates.

    `data` are fingerprints of the training files; empty for untrained weights.
    """

    features: FactFeatures
    weights: Float64Array
    data: Sequence[Mapping[str, Any]] = ()

    def score(self, question: str, candidates: Sequence[FactCandidate]) -> tuple[Float64Array, Float64Array]:
        """The scores of a folded question's candidates, (candidates,), and their feature values, (candidates,
        features)."""
        rows = self.features.rows(question, candidates)
        width = len(self.features.names)
        scores = rows @ self.weights[:width]
        if len(self.weights) > width:
            scores = scores + relative(rows[:, self.features.compared]) @ self.weights[width:]
        return scores, rows

    def contributions(self, rows: Float64Array) -> Float64Array:
        """Contribution of each feature to each score, (candidates, features), the relative copy of the feature
        included.

        `rows` are the feature values of all candidates of one question.
        """
        width = len(self.features.names)
        found = rows * self.weights[:width]
        if len(self.weights) > width:
            compared = self.features.compared
            found[:, compared] += relative(rows[:, compared]) * self.weights[width:]
        return np.asarray(found, float)


def relative(rows: Float64Array) -> Float64Array:
    """Standardised features, (x − mean) / standard deviation of each column over the rows; 0 for a constant column."""
    if not len(rows):
        return rows
    deviations = rows.std(axis=0)
    varied = deviations > 1e-9
    distances = (rows - rows.mean(axis=0)) / np.where(varied, deviations, 1.0)
    return np.asarray(distances * varied, float)


def feature_names(features: FactFeatures) -> tuple[str, ...]:
    """The columns of a trained model: every feature, then the compared ones relative to their question's candidates."""
    return (*features.names, *(features.names[column] + RELATIVE for column in features.compared))


def statistics_of(index: Index) -> CharacterStatistics:
    """The predicate statistics stored in a triples index. Raises UserError if the index has none."""
    found = index.part(STATISTICS.name).lookup("doc_id", [PREDICATE_CHARACTERS])[0]
    if not found:
        raise UserError(f"{index.address}: the index has no statistics; build it again: python -m indexer triples KB")
    return CharacterStatistics(*decode_counts(found[0].payload))


def default_ranker(statistics: CharacterStatistics) -> FactRanker:
    """The untrained ranker: features without templates under default weights."""
    features = FactFeatures(statistics)
    return FactRanker(features, default_weights(features.names))


def overlap_ranker(statistics: CharacterStatistics) -> FactRanker:
    """The baseline ranker: the longest exact mention first, then idf-weighted Jaccard overlap of relation phrase and
    predicate; misspelt mentions after all exact ones."""
    features = FactFeatures(statistics)
    # The length decides, then the overlap; a misspelt name comes after every exact one.
    weights = {"mention length": 1000.0, "jaccard": 1.0, "fuzzy": -10_000.0}
    return FactRanker(features, np.array([weights.get(name, 0.0) for name in features.names]))


def fact_ranker(path: str | None, statistics: CharacterStatistics) -> FactRanker:
    """The ranker of the model file at `path`; the untrained ranker if `path` is None.

    Raises UserError for another task's model, a damaged model, and a model with unknown features.
    """
    if not path:
        return default_ranker(statistics)
    model = read_model(path, TASK)
    try:
        templates = decode_templates(model.learned["templates"]) if "templates" in model.learned else None
        objects = bool(model.settings["objects"])
    except (KeyError, TypeError) as error:
        raise unfit(path, f"the model lacks {error}", TASK) from error
    except ValueError as error:
        raise unfit(path, f"damaged model ({error})", TASK) from error
    features = FactFeatures(statistics, templates, objects)
    if model.feature_names != feature_names(features):
        raise unfit(path, "the model has other features", TASK)
    return FactRanker(features, model.weights / model.scales, model.data)


class RankedAnswer(NamedTuple):
    """An answer with the summed probability of the candidates that give it; `row` is the number of the best-scoring of
    these."""

    answers: tuple[str, ...]
    probability: float
    row: int


def rank(candidates: Sequence[FactCandidate], scores: Float64Array) -> list[RankedAnswer]:
    """The different answers, best first: by the sum of the softmax probabilities of their candidates (to 9 digits),
    then by text; [] without candidates."""
    if not candidates:
        return []
    weights = np.exp(scores - scores.max())
    weights /= weights.sum()
    sums: dict[tuple[str, ...], float] = {}
    best: dict[tuple[str, ...], int] = {}
    for row, candidate in enumerate(candidates):
        answer = candidate.answer
        sums[answer] = sums.get(answer, 0.0) + float(weights[row])
        if answer not in best or scores[row] > scores[best[answer]]:
            best[answer] = row
    # Sums of floats depend on their order, which engines are free to choose: digits beyond the ninth do not count.
    order = sorted(sums, key=lambda answer: (-round(sums[answer], _DIGITS), answer))
    return [RankedAnswer(candidates[best[answer]].fact.objects, sums[answer], best[answer]) for answer in order]


def gold_candidates(candidates: Sequence[FactCandidate], answers: Sequence[str]) -> BoolArray:
    """Mask of the candidates, (candidates,), that hold one of the right answers, case and blanks ignored."""
    right = {fold(answer) for answer in answers}
    return np.array([any(text in right for text in candidate.answer) for candidate in candidates], bool)
