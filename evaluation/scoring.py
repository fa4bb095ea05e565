"""Scores runs from Python by the official measures of any task."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from evaluation.registry import scoring
from indexer.files.validation import FileName

if TYPE_CHECKING:
    from evaluation.contract import Figures
    from evaluation.runs import AnyRun


def score(task: str, gold: FileName, run: AnyRun, **options: Any) -> Figures:
    """Scores a run against its gold by the official measures of a task; for `trec`, a TREC run or
    the rankings of `OpenIndex.search` against qrels (`evaluation.trec_measures.score`).

    It calls the function `score` of the task's module in `evaluation.tasks`; `options` are that
    task's own, named as the command's (`interval=True`, `rules="tool"`). The evidence of a run from
    `answerer.answer` is used as `trace` if the task takes one. Raises UserError for anything that
    the command refuses, TypeError for an option that the task does not have.
    """
    if task == "trec":
        from evaluation.trec_measures import score as score_trec

        return score_trec(gold, run, **options)
    return scoring(task).score(gold, run, **options)
