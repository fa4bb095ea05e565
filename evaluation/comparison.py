"""`python -m evaluation compare TASK GOLD RUN1 RUN2...`: runs of one task against each other, from
the command line and from Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from evaluation.contract import Figures
from evaluation.options import format_option, run_arguments
from evaluation.registry import scoring
from evaluation.runs import RunFile, check_run, existing, named_files, same_bytes
from evaluation.significance import against_first
from evaluation.tables import print_rows
from evaluation.tasks.results import read_reported, scores_of
from indexer.cli.types import SEED, Command, PlainText
from indexer.files.errors import UserError
from indexer.files.messages import warn
from indexer.files.validation import FileName, validate_count

if TYPE_CHECKING:
    from evaluation.runs import AnyRun


@click.command(
    cls=Command,
    example="evaluate compare ntcir-essay samples/essay-en.gold.xml essay.run.xml summary.run.xml",
)
@run_arguments("RUN1 RUN2...")
@click.option("--seed", type=SEED, default=0, help="Of the bootstrap and the randomisation [0].")
@click.option(
    "-m",
    "measure",
    metavar="MEASURE",
    type=PlainText(),
    help="Of TREC runs, one measure of ir_measures [AP].",
)
@format_option
def command(
    task: str, gold: Path, runs: tuple[Path, ...], seed: int, measure: str | None, form: str
) -> None:
    """Mean score of each run with its standard error and 95 % interval, and its difference from the
    first run.

    A result of selqa holds the gold: `compare selqa RESULT1 RESULT2...` needs no other.
    `compare trec QRELS RUN1 RUN2...` compares anybody's TREC runs by a measure of ir_measures.

    Win, tie and loss count the questions that a run scores higher, as high and lower than the
    first. p is two-sided, by a paired randomisation test over the questions of the gold; with more
    than two runs also by Holm's correction.
    """
    print_rows(comparison_rows(task, gold, runs, list(map(str, runs)), seed, measure), form)


def compare(
    task: str,
    gold: FileName,
    *runs: AnyRun | Mapping[str, AnyRun],
    seed: int = 0,
    measures: str | Sequence[str] | None = None,
    measure: str | None = None,
) -> Figures:
    """Compares runs of a task with the first: a row for each with its number of questions, mean,
    standard error and 95 % interval, and but for the first the questions won, tied and lost, the
    difference with its interval, and p. A run is called by its file, its method, or "run"
    (rankings); one mapping in the place of all runs names them.

    p comes from a paired randomisation test over the questions of the gold, with more than two runs
    also corrected by the method of [Holm]; `seed` is of the test and the bootstrap. `measures`
    (or `measure`) is for the task `trec`: one of ir_measures, by default AP. Raises UserError for
    anything that the command refuses.
    """
    validate_count(seed, "seed", least=0)
    if measures and measure:
        raise UserError("measure and measures are one option: give one of them")
    files = named_files(runs)
    paths, names = [file.path for file in files], [file.name for file in files]
    right = existing(gold, "gold", folders=True)
    return Figures(task, comparison_rows(task, right, paths, names, seed, measures or measure))


def comparison_rows(
    task: str,
    gold: Path,
    runs: Sequence[RunFile],
    names: Sequence[str],
    seed: int,
    measure: str | Sequence[str] | None = None,
) -> list[dict[str, object]]:
    """A row for each run under its name, in order: number of questions, mean score with standard
    error and interval, and for all but the first run the comparison with the first. `measure` is
    that of the task `trec`, by default AP.

    A `gold` that is itself a result with the gold in it (SelQA's) is the first of the runs. Warns
    of equal runs. Raises UserError for a run of the same bytes as its gold, or exchanged with it,
    for fewer than two runs, runs with different questions, a gold without questions, several
    measures, and one for another task.
    """
    is_result = None if task == "trec" else getattr(scoring(task), "is_result", None)
    if gold_is_run := bool(is_result and is_result(gold)):
        runs, names = [gold, *runs], [str(gold), *names]
    if len(runs) < 2:
        raise UserError("one run: expected at least two to compare")
    for number, run in enumerate(runs):
        if not gold_is_run:
            check_run(gold, run)
        if same := next((other for other in runs[:number] if same_bytes(other, run)), None):
            warn(f"{run}: the same run as {same}")
    if task == "trec":
        from evaluation.trec_measures import scores_by_one_measure

        scored = scores_by_one_measure(gold, runs, measure or "AP")
    elif measure:
        raise UserError(f"-m {measure}: {task} has a measure of its own; -m is of `trec`")
    else:
        scored = [scores_of(reported) for reported in read_reported(scoring(task), gold, runs)]
    rows: list[dict[str, object]] = []
    for name, (whole, against) in zip(names, against_first(scored, seed), strict=True):
        row: dict[str, object] = {"run": name, "questions": len(scored[0]), "mean": whole.mean}
        row |= {"standard error": whole.standard_error, "low": whole.low, "high": whole.high}
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
