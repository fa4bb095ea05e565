"""Scores and compares runs from Python: official measures as rows, by question, as a data frame of
pandas.

`python -m evaluation compare TASK GOLD RUN1 RUN2...` prints the comparison.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypedDict, TypeGuard, Unpack

from answerer.run import Run
from evaluation.registry import read_reported, scoring
from evaluation.runs import check_run, run_arguments, same_bytes, unlike
from evaluation.significance import against_first
from evaluation.tables import align_columns, format_option, print_rows
from evaluation.tasks.results import scores_of
from indexer.files.encoding import held_files, is_held_folder
from indexer.files.errors import UserError
from indexer.files.messages import warn
from indexer.files.paths import require_input
from indexer.files.validation import FileName, validate_path
from indexer.frames import html_table
from indexer.parameters import SEED, TEXT, command_line, flag, option, settings

if TYPE_CHECKING:
    import pandas

    AnyRun = FileName | Run
    """A run: a file, a folder of files for several exams, or a result of `answerer.answer`."""

Row = Mapping[str, object]
TRACE = "trace"


def is_run(run: object) -> TypeGuard[Run]:
    """Whether an object is a result of `answerer.answer`."""
    return isinstance(run, Run)


@contextmanager
def in_files(runs: Sequence[AnyRun], traced: bool) -> Iterator[list[tuple[str, Path, Path | None]]]:
    """Yields the name, path and trace of each run, under different names; files of runs in memory
    are held there.

    `traced` adds the traces of runs in memory that have evidence. A UserError inside calls a run in
    memory by its name.
    """
    called = [
        str(run.header.get("method", "run")) if is_run(run) else validate_path(run, "run")
        for run in runs
    ]
    found: list[tuple[str, Path, Path | None]] = []
    held: dict[Path, bytes] = {}
    for run, path, name in zip(runs, called, unlike(called), strict=True):
        if not is_run(run):
            found.append((name, readable(path, "run"), None))
            continue
        place = Path("memory:", name)  # not a folder that exists
        trace = Path("memory:", f"{name}.jsonl") if traced and run.questions else None
        held |= {Path(path): content for path, content in run.contents(place, trace)}
        found.append((name, place, trace))
    with held_files(held):
        try:
            yield found
        except UserError as error:
            raise UserError(str(error).replace("memory:/", "")) from error


def readable(path: FileName, named: str) -> Path:
    """The path of an existing file or folder. Raises UserError if it does not exist; `named` is
    what the message calls it."""
    require_input(validate_path(path, named), named, ("**",))
    return Path(path)


@dataclass(frozen=True, repr=False)
class Figures:
    """Official figures: `rows` are those of all questions, by group; `by_question` has a row for
    each question.

    `str` gives the table that the command prints.
    """

    task: str
    rows: Sequence[Row]
    by_question: Sequence[Row] = ()

    def to_frame(self, by_question: bool = False) -> pandas.DataFrame:
        """The rows, or those by question, as a data frame of pandas. Raises UserError if pandas is
        not installed."""
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
    """The options of scoring, named like the commands' long options; each task accepts some of
    them."""

    interval: bool
    trace: FileName
    align: Literal["anscolumn_ID", "answer_column"]
    any_name: bool
    ties: Literal["file", "expected", "worst", "average"]
    rules: Literal["guideline", "tool"]
    nuggets: FileName
    marks: FileName


def score(name: str, gold: FileName, run: AnyRun, **options: Unpack[ScoreOptions]) -> Figures:
    """Scores a run against its gold by the official measures of the task called `name`.

    `options` are the command's, by their long names (`interval=True`, `rules="tool"`). The evidence
    of a run from `answerer.answer` is used as `trace` if the task takes one. Raises UserError for
    anything that the command refuses.
    """
    task = scoring(name)
    params = [*task.options, flag("--interval", help="")]
    accepted = {one.name for one in params}
    with in_files([run], traced=TRACE in accepted and TRACE not in options) as [(_, place, trace)]:
        values = settings(name, params, options)
        # The evidence of a run in memory, unless a trace was named.
        values |= {TRACE: trace} if trace else {}
        goal, interval = readable(gold, "gold"), values.pop("interval")
        folder = next((one for one in (goal, place) if one.is_dir() or is_held_folder(one)), None)
        if folder and "any_name" not in accepted:
            raise UserError(f"{folder}: is a folder; {name} scores one file against another")
        if place.exists():  # a run in memory has no metadata beside it
            check_run(goal, place)
        found = task.tables(task.reported(goal, place, **values), interval, **values)
        return Figures(name, list(found.summary()), list(found.by_question()))


def compare(name: str, gold: FileName, *runs: AnyRun, seed: int = 0) -> Figures:
    """Compares runs of the task called `name` with the first: a row for each with mean, standard
    error, 95 % interval and difference.

    p comes from a paired randomisation test over the questions of the gold, with more than two runs
    also corrected by the method of [Holm]; `seed` is of the test and the bootstrap. Raises
    UserError for anything that the command refuses.
    """
    checked: dict[str, Any] = settings("compare", command.parameters, {"seed": seed})
    with in_files(runs, traced=False) as files:
        names, places = [one for one, _, _ in files], [place for _, place, _ in files]
        return Figures(
            name, comparison_rows(name, readable(gold, "gold"), places, names, checked["seed"])
        )


@command_line(
    "evaluation compare ntcir-essay samples/essay-en.gold.xml essay.run.xml summary.run.xml",
    *run_arguments("RUN1 RUN2..."),
    option("--seed", type=SEED, default=0, help="Of the bootstrap and the randomisation [0]."),
    option(
        "-m", "measure", metavar="MEASURE", type=TEXT, help="Of TREC runs, by ir_measures [AP]."
    ),
    format_option,
)
def command(runs: tuple[Path, ...], format: str, **given: Any) -> None:  # noqa: A002
    """Mean score of each run with its standard error and 95 % interval, and its difference from the
    first run.

    `compare trec QRELS RUN1 RUN2...` compares anybody's TREC runs by a measure of ir_measures.

    Win, tie and loss count the questions that a run scores higher, as high and lower than the
    first. p is two-sided, by a paired randomisation test over the questions of the gold; with more
    than two runs also by Holm's correction.
    """
    print_rows(comparison_rows(runs=runs, names=list(map(str, runs)), **given), format)


def comparison_rows(
    task: str,
    gold: Path,
    runs: Sequence[Path],
    names: Sequence[str],
    seed: int,
    measure: str | None = None,
) -> list[dict[str, object]]:
    """A row for each run under its name, in order: number of questions, mean score with standard
    error and interval, and for all but the first run the comparison with the first. `measure` is
    that of the task `trec`, by default AP.

    Warns of equal runs. Raises UserError as `check_run` does, for fewer than two runs, runs with
    different questions, and a gold without questions.
    """
    if len(runs) < 2:
        raise UserError("one run: expected at least two to compare")
    for number, run in enumerate(runs):
        check_run(gold, run)
        if same := next((one for one in runs[:number] if same_bytes(one, run)), None):
            warn(f"{run}: the same run as {same}")
    if task == "trec":
        from evaluation.trec_measures import query_scores

        of_runs = query_scores(gold, runs, [measure or "AP"])
        scored = [next(iter(by_measure.values())) for by_measure in of_runs]
    elif measure:
        raise UserError(f"-m {measure}: {task} has a measure of its own; -m is of `trec`")
    else:
        scored = [scores_of(reported) for reported in read_reported(scoring(task), gold, runs)]
    rows: list[dict[str, object]] = []
    for name, (own, against) in zip(names, against_first(scored, seed), strict=True):
        row: dict[str, object] = {"run": name, "questions": len(scored[0]), "mean": own.mean}
        row |= {"standard error": own.standard_error, "low": own.low, "high": own.high}
        if against is not None:  # the first run is compared with none
            row |= {
                "win": against.win,
                "tie": against.tie,
                "loss": against.loss,
                "difference": against.difference,
            }
            row |= {"difference low": against.low, "difference high": against.high, "p": against.p}
            row |= {} if against.holm is None else {"p (Holm)": against.holm}
        rows.append(row)
    return rows
