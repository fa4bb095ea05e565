"""Scores NLPCC DBQA: a number for each line of the gold ([NLPCC2017])."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from evaluation.contract import Figures, PoolItem
from evaluation.measures.ranking import Ties
from evaluation.options import by_option, format_option, interval_option, scored_files_arguments
from evaluation.runs import RunFile, gold_of
from evaluation.tasks.ranked_lists import (
    RANKS,
    at_option,
    lines_in,
    pooled_candidates,
    print_figures,
    ranked_figures,
    report_lines,
    right_candidates,
    rules_shown,
    ties_option,
)
from evaluation.tasks.results import Reported, ReportedQuestion, printed_tree
from indexer.cli.types import Command
from indexer.files.validation import FileName
from indexer.formats.sentence_rows import RowFile, read_sentence_rows
from indexer.languages.language import Language

if TYPE_CHECKING:
    from evaluation.runs import AnyRun

TASK = "nlpcc-dbqa"
RANKS_CANDIDATES = True  # the candidates come with the question
TIES_OF_TASK: Ties = "file"  # as the official program orders equal scores


@click.command(cls=Command, example="evaluate nlpcc-dbqa samples/dbqa.dev.txt dbqa.scores.txt")
@scored_files_arguments("GOLD...", "SCORES|TREE")
@ties_option(TIES_OF_TASK)
@at_option
@interval_option("questions")
@by_option("ties", "asks-for")
@format_option
def command(
    golds: tuple[Path, ...],
    run: Path,
    by_question: bool,
    ties: Ties | None,
    at: tuple[int, ...] | None,
    interval: bool,
    by: tuple[str, ...],
    form: str,
) -> None:
    """Score SCORES, one number a line, against a DBQA file with labels: MRR, MAP and
    Accuracy@N."""
    if printed_tree(
        TASK,
        golds,
        run,
        interval,
        form,
        {"-q": by_question, "--ties": ties, "--at": at, "--by": by},
    ):
        return
    questions = report_questions(gold_of(golds, run), run).questions
    print_figures(
        questions, rules_shown(ties, TIES_OF_TASK), at or RANKS, by_question, interval, by, form
    )


def score(
    gold: FileName,
    run: AnyRun,
    *,
    ties: Ties | None = None,
    at: Sequence[int] = RANKS,
    interval: bool = False,
) -> Figures:
    """MRR, MAP and Accuracy@N of a file of scores under one rule for ties, by default under each,
    with `interval` also their 95 % bootstrap intervals. Raises UserError for what the command
    refuses."""
    return ranked_figures(TASK, report_questions, gold, run, ties, TIES_OF_TASK, at, interval)


def read(path: Path) -> RowFile:
    """The labelled sentences of a file."""
    return read_sentence_rows(path, dbqa=True)


def report_questions(gold: Path, run: RunFile) -> Reported:
    """The questions of a labelled file with the scores of a run (`report_lines`)."""
    return report_lines(read, True, gold, run)


def pool_items(gold: Path, run: Path) -> Iterator[tuple[str, list[PoolItem]]]:
    """Yields the candidates of each question as a run ranks them, best first, equal scores in file
    order (`pooled_candidates`)."""
    yield from pooled_candidates(read(gold).lists, report_questions(gold, run).questions)


def asked_in(path: Path, gold: bool) -> frozenset[str]:
    """The number of lines of a file (`lines_in`)."""
    return lines_in(path, gold, read)


def gold(path: Path, _language: Language | None) -> Iterator[ReportedQuestion]:
    """Yields the right candidates of each question (`right_candidates`)."""
    yield from right_candidates(read, path)
