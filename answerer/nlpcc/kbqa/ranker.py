"""Scores for candidate facts: by hand weights, by plain overlap, or by a trained model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from answerer.nlpcc.kbqa.candidates import Candidate
from answerer.nlpcc.kbqa.features import CharacterStatistics, Signals, hand_weights
from answerer.nlpcc.kbqa.relation_phrase import from_json
from indexer.engines.contract import Index
from indexer.files.arrays import Float64Array
from indexer.files.errors import UserError
from indexer.sources.triples.schema import PREDICATE_CHARACTERS, STATISTICS, decode_counts
from retriever.learning.model import read_model, unfit

TASK = "nlpcc-kbqa"
RELATIVE = " (relative)"


class FactRanker(NamedTuple):
    """Signals and their weights. With more weights than signals the others are for the relative signals.

    `data` says what the weights were learned from, if from anything.
    """

    signals: Signals
    weights: Float64Array
    data: Sequence[Mapping[str, Any]] = ()

    def score(self, question: str, candidates: Sequence[Candidate]) -> tuple[Float64Array, Float64Array]:
        """The scores of a folded question's candidates, and the rows of their signals."""
        rows = self.signals.rows(question, candidates)
        width = len(self.signals.names)
        scores = rows @ self.weights[:width]
        if len(self.weights) > width:
            scores = scores + relative(rows[:, self.signals.compared]) @ self.weights[width:]
        return scores, rows

    def added(self, rows: Float64Array) -> Float64Array:
        """What each signal adds to the scores: a row a candidate, a column a signal.

        `rows` are the signals of all candidates of a question; what a signal adds relative to them counts with it.
        """
        width = len(self.signals.names)
        found = rows * self.weights[:width]
        if len(self.weights) > width:
            compared = self.signals.compared
            found[:, compared] += relative(rows[:, compared]) * self.weights[width:]
        return np.asarray(found, float)


def relative(rows: Float64Array) -> Float64Array:
    """Each signal as its distance from the mean of the question's candidates, in standard deviations; 0 if constant."""
    if not len(rows):
        return rows
    deviations = rows.std(axis=0)
    varied = deviations > 1e-9
    distances = (rows - rows.mean(axis=0)) / np.where(varied, deviations, 1.0)
    return np.asarray(distances * varied, float)


def feature_names(signals: Signals) -> tuple[str, ...]:
    """The columns of a trained model: every signal, then the compared ones relative to their question's candidates."""
    return (*signals.names, *(signals.names[column] + RELATIVE for column in signals.compared))


def statistics_of(index: Index) -> CharacterStatistics:
    """The statistics of predicates that the index keeps. UserError when they are missing."""
    found = index.part(STATISTICS.name).lookup("doc_id", [PREDICATE_CHARACTERS])[0]
    if not found:
        raise UserError(f"{index.address}: the index has no statistics; build it again: python -m indexer triples KB")
    return CharacterStatistics(*decode_counts(found[0].payload))


def fact_ranker(model_path: str | None, statistics: CharacterStatistics) -> FactRanker:
    """The ranker of a model's file; without one the untrained ranker."""
    return model_ranker(model_path, statistics) if model_path else hand_ranker(statistics)


def hand_ranker(statistics: CharacterStatistics) -> FactRanker:
    """The untrained ranker: signals without templates under hand weights."""
    signals = Signals(statistics)
    return FactRanker(signals, hand_weights(signals.names))


def overlap_ranker(statistics: CharacterStatistics) -> FactRanker:
    """The plain baseline: the longest exact mention, then idf-weighted Jaccard overlap of request and predicate."""
    signals = Signals(statistics)
    weights = {"mention length": 1000.0, "jaccard": 1.0, "fuzzy": -10_000.0}
    return FactRanker(signals, np.array([weights.get(name, 0.0) for name in signals.names]))


def model_ranker(path: str, statistics: CharacterStatistics) -> FactRanker:
    """The ranker of a model file. UserError for another task's, a damaged one or one with unknown signals."""
    model = read_model(path, TASK)
    try:
        templates = from_json(model.learned["templates"]) if "templates" in model.learned else None
        objects = bool(model.settings["objects"])
    except (KeyError, TypeError) as error:
        raise unfit(path, f"the model lacks {error}", TASK) from error
    except ValueError as error:
        raise unfit(path, f"damaged model ({error})", TASK) from error
    signals = Signals(statistics, templates, objects)
    if model.feature_names != feature_names(signals):
        raise unfit(path, "the model has other signals", TASK)
    return FactRanker(signals, model.weights / model.scales, model.data)
