"""Scores and compares runs from Python: official measures as rows, by question, as a data frame of pandas."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Unpack

from evaluation.comparison import command, comparison_rows
from evaluation.registry import scoring
from evaluation.runs import AnyRun, FileName, RunInMemory, check_run, in_files, readable, warn_of_training
from evaluation.tables import align_columns
from indexer.files.errors import UserError
from indexer.files.memory import is_held_folder
from indexer.frames import html_table
from indexer.parameters import settings

if TYPE_CHECKING:
    import pandas

Row = Mapping[str, object]
TRACE = "trace"


@dataclass(frozen=True, repr=False)
class Figures:
    """Official figures: `rows` are those of all questions, by group; `by_question` has a row for each question.

    `str` gives the table that the command prints.
    """

    task: str
    rows: Sequence[Row]
    by_question: Sequence[Row] = ()

    def to_frame(self, by_question: bool = False) -> pandas.DataFrame:
        """The rows, or those by question, as a data frame of pandas. Raises UserError if pandas is not installed."""
        from indexer.frames import frame

        return frame(self.by_question if by_question else self.rows)

    def __str__(self) -> str:
        return align_columns(self.rows)

    def _repr_html_(self) -> str:
        """The rows as a table, for notebooks."""
        return html_table(self.rows, self.task)

    def __repr__(self) -> str:
        questions = f", {len(self.by_question):,} questions" if self.by_question else ""
        return f"<Figures {self.task}: {len(self.rows):,} rows{questions}>"


class ScoreOptions(TypedDict, total=False):
    """The options of scoring, named like the commands' long options; each task accepts some of them."""

    interval: bool
    trace: FileName
    align: Literal["anscolumn_ID", "answer_column"]
    any_name: bool
    ties: Literal["file", "expected", "worst", "average"]
    at: str
    rules: Literal["guideline", "tool"]
    language: str
    nuggets: FileName
    marks: FileName
    share: float


def score(name: str, gold: FileName, run: AnyRun, **options: Unpack[ScoreOptions]) -> Figures:
    """Scores a run against its gold by the official measures of the task called `name`.

    `options` are the command's, by their long names (`interval=True`, `rules="tool"`). The evidence of a run from
    `answerer.answer` is used as `trace` if the task takes one. Raises UserError for anything that the command refuses.
    """
    task = scoring(name)
    if task.tables is None:
        raise UserError(f"{name} is scored on the command line only: its Scoring has no `tables`")
    accepted = inspect.signature(task.tables).parameters
    params = [one for one in task.command.parameters if one.flags and one.name in accepted]
    with in_files([run], traced=TRACE in accepted and TRACE not in options) as [(name_of_run, place, trace)]:
        values = settings(name, params, options)
        # The evidence of a run in memory, unless a trace was named.
        if trace:
            values[TRACE] = trace
        goal = readable(gold, "gold")
        folder = next((one for one in (goal, place) if one.is_dir() or is_held_folder(one)), None)
        if folder and "any_name" not in accepted:
            raise UserError(f"{folder}: is a folder; {name} scores one file against another")
        # A run in memory has no metadata beside it; its header says what the model was trained on.
        if isinstance(run, RunInMemory):
            warn_of_training(goal, Path(name_of_run), {"data": run.header.get("parameters")})
        else:
            check_run(goal, place)
        found = task.tables(goal, place, **values)
        return Figures(name, list(found.summary()), list(found.by_question()))


def compare(name: str, gold: FileName, *runs: AnyRun, seed: int = 0) -> Figures:
    """Compares runs of the task called `name` with the first: a row for each with mean, standard error, 95 % interval
    and difference.

    p comes from a paired randomisation test over the questions of the gold, with more than two runs also corrected by
    the method of [Holm]; `seed` is of the test and the bootstrap. Raises UserError for anything that the command
    refuses.
    """
    checked: dict[str, Any] = settings("compare", command.parameters, {"seed": seed})
    with in_files(runs, traced=False) as given:
        places, names = [one.place for one in given], [one.name for one in given]
        return Figures(name, comparison_rows(name, readable(gold, "gold"), places, names, checked["seed"]))
