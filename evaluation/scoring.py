"""Runs scored and compared from Python: official measures as rows, by question, as a table of pandas."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Unpack

from evaluation.comparison import command, compared
from evaluation.registry import scoring
from evaluation.runs import Answered, AnyRun, FileName, check_run, in_files, readable, warn_of_training
from evaluation.tables import align_columns
from indexer.cli.options import settings
from indexer.files.errors import UserError
from indexer.frames import html_table

if TYPE_CHECKING:
    import pandas

Row = Mapping[str, object]
TRACE = "trace"


@dataclass(frozen=True, repr=False)
class Figures:
    """Official figures: `rows` are those of all questions, by group; `by_question` has a row a question.

    As text they are the table that the command prints.
    """

    task: str
    rows: Sequence[Row]
    by_question: Sequence[Row] = ()

    def to_frame(self, by_question: bool = False) -> pandas.DataFrame:
        """The rows, or those by question, as a table of pandas. UserError where pandas is not installed."""
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
    """The options of scoring, as the commands have them by their long names; each task takes its own of them."""

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
    """The official figures of a run against its gold.

    `options` are the command's, by their long names (`interval=True`, `rules="tool"`). The evidence of a run that was
    answered in this program is used as `trace` where the task takes one. UserError for what the command would refuse.
    """
    task = scoring(name)
    if task.tables is None:
        raise UserError(f"{name} is scored on the command line alone: its Scoring has no `tables`")
    accepted = inspect.signature(task.tables).parameters
    params = [param for param in task.command.params if param.name in accepted]
    with in_files([run], traced=TRACE in accepted and TRACE not in options) as [(name_of_run, place, trace)]:
        more = {TRACE: str(trace)} if trace else {}
        given = settings(name, params, {**options, **more})
        goal = readable(gold, "gold")
        folder = next((one for one in (goal, place) if one.is_dir()), None)
        if folder and "any_name" not in accepted:
            raise UserError(f"{folder}: is a folder; {name} scores one file against another")
        if isinstance(run, Answered):
            warn_of_training(goal, Path(name_of_run), {"data": run.header.get("parameters")})
        else:
            check_run(goal, place)
        found = task.tables(goal, place, **given)
        return Figures(name, list(found.summary()), list(found.by_question()))


def compare(name: str, gold: FileName, *runs: AnyRun, seed: int = 0) -> Figures:
    """A row a run: its mean with standard error and 95 % interval, and how it differs from the first run.

    p is by a paired randomisation test over the questions of the gold, with more than two runs by Holm's correction
    too. UserError as the command says it.
    """
    checked: dict[str, Any] = settings("compare", command.params, {"seed": seed})
    with in_files(runs, traced=False) as given:
        places, names = [one.place for one in given], [one.name for one in given]
        return Figures(name, compared(name, readable(gold, "gold"), places, names, checked["seed"]))
