"""`python -m evaluation compare TASK GOLD RUN1 RUN2...`: every run against the first, with intervals and tests."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evaluation.registry import scoring
from evaluation.runs import check_run, run_arguments, same_bytes
from evaluation.tables import format_option, print_rows
from evaluation.tasks.results import scores_of
from indexer.files.errors import UserError
from indexer.files.messages import warn
from indexer.parameters import SEED, command_line, option


@command_line(
    "evaluation compare ntcir-essay samples/essay-en.gold.xml essay.run.xml summary.run.xml",
    *run_arguments("RUN1 RUN2..."),
    option("--seed", type=SEED, default=0, help="Of the bootstrap and the randomisation [0]."),
    format_option,
)
def command(runs: tuple[Path, ...], format: str, **given: Any) -> None:  # noqa: A002
    """Mean score of each run with its standard error and 95 % interval, and its difference from the first run.

    Win, tie and loss count the questions that a run scores higher, as high and lower than the first. p is two-sided,
    by a paired randomisation test over the questions of the gold; with more than two runs also by Holm's correction.
    """
    print_rows(comparison_rows(runs=runs, names=list(map(str, runs)), **given), format)


def comparison_rows(
    task: str, gold: Path, runs: Sequence[Path], names: Sequence[str], seed: int
) -> list[dict[str, object]]:
    """A row for each run under its name, in order: number of questions, mean score with standard error and interval,
    and for all but the first run the comparison with the first.

    Warns of equal runs and as `check_run` does. Raises UserError for fewer than two runs, runs with different
    questions, and a gold without questions.
    """
    from evaluation.significance import against_first

    if len(runs) < 2:
        raise UserError("one run: expected at least two to compare")
    scored_by = scoring(task)
    for number, run in enumerate(runs):
        check_run(gold, run)
        if same := next((one for one in runs[:number] if same_bytes(one, run)), None):
            warn(f"{run}: the same run as {same}")
    scored = [scores_of(scored_by.reported(gold, run)) for run in runs]
    if not scored[0]:
        raise UserError(f"{gold}: no question to compare")
    for run, scores in zip(runs, scored, strict=True):
        if set(scores) != set(scored[0]):
            raise UserError(f"{run}: other questions than in {runs[0]}; expected runs of one gold")
    rows: list[dict[str, object]] = []
    for name, line in zip(names, against_first(scored, seed), strict=True):
        own, against = line.own, line.against
        row: dict[str, object] = {"run": name, "questions": line.questions, "mean": own.mean}
        row |= {"standard error": own.standard_error, "low": own.low, "high": own.high}
        if against is not None:  # the first run is compared with none
            row |= {"win": line.win, "tie": line.tie, "loss": line.loss, "difference": against.difference}
            row |= {"difference low": against.low, "difference high": against.high, "p": against.p}
        if line.holm is not None:
            row["p (Holm)"] = line.holm
        rows.append(row)
    return rows
