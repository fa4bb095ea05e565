"""Scores NLPCC TBQA: a number for each line of the gold ([NLPCC2017])."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from evaluation.contract import Figures, PoolItem
from evaluation.measures.ranking import Ties
from evaluation.runs import RunFile
from evaluation.tasks.ranked_lists import (
    FILE_ORDER,
    RANKS,
    lines_command,
    lines_in,
    pooled_candidates,
    ranked_figures,
    report_lines,
    right_candidates,
)
from evaluation.tasks.results import Reported, ReportedQuestion
from indexer.files.validation import FileName
from indexer.formats.sentence_rows import RowFile
from indexer.formats.table_rows import TableRow, read_table_lists
from indexer.languages.language import Language

if TYPE_CHECKING:
    from evaluation.runs import AnyRun

TASK = "nlpcc-tbqa"
RANKS_CANDIDATES = True  # the candidates come with the question


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
    return ranked_figures(TASK, report_questions, gold, run, ties, FILE_ORDER, at, interval)


def read(path: Path) -> RowFile:
    """The labelled tables of a file, without their texts, which are by far its largest part."""
    return read_table_lists(path, text=lambda _: "")


def report_questions(gold: Path, run: RunFile) -> Reported:
    """The questions of a labelled file with the scores of a run (`report_lines`)."""
    return report_lines(read, False, gold, run)


command = lines_command(
    TASK,
    "TBQA",
    "evaluate nlpcc-tbqa samples/tbqa.dev.txt tbqa.scores.txt",
    report_questions,
)


def _as_text(row: TableRow) -> str:
    """A table in one line: its caption, if any, its heading and its rows, parted by "; ", their
    cells by " | "."""
    rows = [" | ".join(cells) for cells in (row.header(), *row.rows())]
    return "; ".join(filter(None, (row.caption, *rows)))


def pool_items(gold: Path, run: Path) -> Iterator[tuple[str, list[PoolItem]]]:
    """Yields the candidates of each question as a run ranks them, best first, equal scores in file
    order (`pooled_candidates`)."""
    yield from pooled_candidates(
        read_table_lists(gold, text=_as_text).lists, report_questions(gold, run).questions
    )


def asked_in(path: Path, gold: bool) -> frozenset[str]:
    """The number of lines of a file (`lines_in`)."""
    return lines_in(path, gold, read)


def gold(path: Path, _language: Language | None) -> Iterator[ReportedQuestion]:
    """Yields the right candidates of each question (`right_candidates`)."""
    yield from right_candidates(read, path)
