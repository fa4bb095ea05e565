"""What the module of a scored task has, and what it gives: figures, and items for assessors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from evaluation.tables import Rows, align_columns
from indexer.files.messages import counted

if TYPE_CHECKING:
    import click
    import pandas

    from evaluation.tasks.results import Reported


@dataclass(frozen=True, repr=False)
class Figures:
    """Official figures: `rows` are those of all questions, by group; `by_question` has a row for
    each question.

    `str` gives the table that the command prints with --by of every group.
    """

    task: str
    rows: Rows
    by_question: Rows = ()

    def to_frame(self, by_question: bool = False) -> pandas.DataFrame:
        """The rows, or those by question, as a data frame of pandas. Raises UserError if pandas is
        not installed."""
        from indexer.frames import frame

        return frame(self.by_question if by_question else self.rows)

    def __str__(self) -> str:
        return align_columns(self.rows)

    def _repr_html_(self) -> str:
        """The rows as a table, for notebooks."""
        from indexer.frames import html_table

        return html_table(self.rows, self.task)

    def __repr__(self) -> str:
        questions = f", {counted(len(self.by_question), 'questions')}" if self.by_question else ""
        return f"<Figures {self.task}: {counted(len(self.rows), 'rows')}{questions}>"


class PoolItem(NamedTuple):
    """A thing of a run that assessors judge for a question: its text, and columns that say what it
    is. Items are the same if their `key` is, "" meaning the text without case and blanks. A pool is
    in the order of `order`, else in that of the runs."""

    answer: str
    cells: Mapping[str, object] = {}
    key: str = ""
    order: tuple[int | str, ...] = ()


class Scoring(Protocol):
    """What the module of a task has. A module may further have `gold(path, language)`, which yields
    the right answers of a file as `ReportedQuestion`s, for `explain`; `GOLD_IN_FOLDERS = True`
    where it takes a folder too; `RANKS_CANDIDATES = True` for a task whose candidates come with the
    question; `is_result(path)`, whether a file is a run that holds the gold, so that `compare`
    needs no other; `pool_items(gold, run)`, which yields the id of each question with the
    `PoolItem`s that assessors judge of the run, best first, for a task where that is not the run's
    answer; and `NOT_POOLED`, why its runs have nothing to judge.
    """

    command: click.Command
    """`evaluation TASK GOLD RUN`."""
    score: Callable[..., Figures]
    """What Python calls: `score(gold, run, *, …)`, with the command's options."""
    report_questions: Callable[..., Reported]
    """`report_questions(gold, run, …)`: the questions of the gold in order as the run answered
    them, which are compared, reported and printed; every option has a default."""
    asked_in: Callable[[Path, bool], frozenset[str]]
    """`asked_in(path, gold)`: the questions of a gold file, or of a run, by what names them in
    both; empty for a file of another task."""
