"""Cells and tables scored by a model: what answering and training share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from answerer.formats.u4 import ReportQuestion
from answerer.models import model_of, model_parameters
from answerer.u4.associations import Associations, associate, read_associations, read_question
from answerer.u4.features import Features, IndexedReport, cell_features
from answerer.u4.retrieval import IndexedTables, table_features
from indexer.files.arrays import Float64Array
from indexer.tables.reports import Report, ReportTable
from retriever.learning.model import Model, read_model, unfit

CELLS, TABLES = "u4-tqa", "u4-tr"
"""The tasks: Table QA and Table Retrieval."""

COPIES = ("", " | below best", " | is best")
"""What a feature x is beside its list: x, x − list max, and 1 where x is the greatest of different values."""

HAND = {
    CELLS: {
        "label: dice best": 6,
        "headings: any": 2,
        "period: year equal": 2,
        "period: period equal": 1,
        "cell: number": 1,
    },
    TABLES: {"label: equal any": 4, "label: covered": 4, "headings: best": 3, "period: years hold it": 1},
}
"""Weights without a model, and what picks the candidates that training looks at: label, headings, year."""


class Ranker(NamedTuple):
    """A task's model with its associations; `parameters` are what a trace says of it."""

    model: Model | None
    found: Associations
    parameters: Mapping[str, Any]

    def score(self, task: str, features: Features) -> Float64Array:
        """The score of each candidate, (candidates,)."""
        if self.model is None:
            return by_hand(task, features)
        return self.model.score(with_copies(features))

    def contributions(self, task: str, features: Features, place: int) -> dict[str, float]:
        """What each family of features adds to one candidate's score, beyond what it adds to the list's mean."""
        if self.model is None:
            each = {name: weight * features[name] for name, weight in HAND[task].items()}
            parts = {name: own[place] - own.mean() for name, own in each.items()}
        else:
            values = with_copies(features)
            own = (values[place] - values.mean(0)) * self.model.weights / self.model.scales
            parts = dict(zip(self.model.feature_names, own.tolist(), strict=True))
        found: dict[str, float] = {}
        for name, value in parts.items():
            family = name.partition(":")[0]
            found[family] = found.get(family, 0.0) + float(value)
        return dict(sorted(found.items(), key=lambda one: (-abs(one[1]), one[0])))


def by_hand(task: str, features: Features) -> Float64Array:
    """The score of each candidate without a model, (candidates,)."""
    found: Float64Array = sum(weight * features[name] for name, weight in HAND[task].items())  # type: ignore[assignment]
    return found


def load_ranker(task: str, given: str | None) -> Ranker:
    """The ranker of a model file (by default the program's own; `none`: without one). UserError for another task's."""
    path = model_of(task, given)
    if path is None:
        return Ranker(None, associate([]), model_parameters(None, ()))
    model = read_model(path, task)
    try:
        found = read_associations(model.learned)
    except (LookupError, ValueError, TypeError, AttributeError) as error:
        raise unfit(path, f"damaged model ({error})", task) from error
    return Ranker(model, found, model_parameters(path, model.data))


def copy_names(features: Features) -> tuple[str, ...]:
    return tuple(name + ending for ending in COPIES for name in features)


def with_copies(features: Features) -> Float64Array:
    """The columns of `copy_names`, (candidates, columns)."""
    return copies_of(np.stack(list(features.values()), 1))


def copies_of(values: Float64Array) -> Float64Array:
    """A feature's copies beside it, (candidates, 3 × features), of values (candidates, features)."""
    below = values - values.max(0)
    return np.concatenate([values, below, ((below == 0) & (values.min(0) < values.max(0))).astype(float)], 1)


class ScoredCandidates(NamedTuple):
    """A question's candidates: each one's table and place among its cells (−1 for the table), and their features."""

    candidates: Sequence[tuple[ReportTable, int]]
    features: Features


def score_report(
    task: str, report: Report, questions: Sequence[ReportQuestion], found: Associations
) -> list[ScoredCandidates]:
    """The candidates of each question on a report in their order; none where its table is not there, or is empty."""
    if task == TABLES:
        tables = IndexedTables(IndexedReport(report, found))
        if not tables.ids:
            return [ScoredCandidates([], {}) for _ in questions]
        own = [(table, -1) for table in tables.tables]
        return [ScoredCandidates(own, table_features(read_question(one.text), tables)) for one in questions]
    indexed = IndexedReport(report, found, frozenset(one.table_id for one in questions))
    scored: list[ScoredCandidates] = []
    for one in questions:
        first, end = indexed.span.get(one.table_id, (0, 0))
        cells = [(indexed.tables[table], place) for table, place in indexed.cells[first:end]]
        features = cell_features(read_question(one.text), indexed, slice(first, end)) if cells else {}
        scored.append(ScoredCandidates(cells, features))
    return scored
