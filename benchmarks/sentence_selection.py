"""Answer sentence selection as others report it: learn on one file, rank another, MRR and MAP of
the usual questions.

    QA_DATA=… python benchmarks/sentence_selection.py --learn $QA_DATA/wikiqa/WikiQASent-train.txt
    \\
        --on $QA_DATA/wikiqa/WikiQA-dev.tsv --questions answered

Papers leave questions out: of WikiQA those without an answer (`answered`), of TrecQA's clean
version also those without a wrong sentence (`two-sided`). Everything is done by the commands that a
user has; equal scores take the mean of their ranks for MRR and the mean of all their orders for
MAP. For SelQA, WikiQA and TrecQA the ranker is that of `selqa`, for DBQA `--task nlpcc-dbqa`.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import click

from evaluation.measures.ranking import average_precision, reciprocal_rank
from evaluation.registry import scoring
from evaluation.significance import estimate
from evaluation.tables import print_rows
from evaluation.tasks.results import ReportedQuestion
from indexer.cli.program import run_program
from indexer.files.errors import UserError

KEPT: dict[str, Callable[[Sequence[bool]], bool]] = {
    "all": lambda gold: True,
    "answered": any,
    "two-sided": lambda gold: any(gold) and not all(gold),
}
METHODS = ("bm25", "sum")


def run(*words: str) -> None:
    """One of the project's commands; its last line is the error where it fails."""
    done = subprocess.run(
        [sys.executable, "-m", *words], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise UserError(
            (done.stderr.strip() or "no output").splitlines()[-1].removeprefix("error: ")
        )


def read_ranked(task: str, gold: Path, result: Path) -> Sequence[ReportedQuestion]:
    return scoring(task).report_questions(result if task == "selqa" else gold, result).questions


def row(name: str, lists: Sequence[ReportedQuestion], questions: str) -> dict[str, object]:
    """MRR with its standard error, and MAP, over the questions that are kept."""
    kept = [one for one in lists if KEPT[questions](one.labels)]
    if not kept:
        raise UserError(f"no question is {questions}")
    mrr = estimate([reciprocal_rank(one.scores, one.labels, "average") for one in kept])
    mean = estimate([average_precision(one.scores, one.labels, "expected") for one in kept]).mean
    error = "" if mrr.standard_error is None else f"{mrr.standard_error:.4f}"
    cells = {"MRR": f"{mrr.mean:.4f}", "standard error": error, "MAP": f"{mean:.4f}"}
    return {"ranker": name, "questions": len(kept), **cells}


@click.command(help=(__doc__ or "").replace("\n\n", "\n\n\b\n", 1))
@click.option(
    "--task",
    type=click.Choice(["selqa", "nlpcc-dbqa"]),
    default="selqa",
    help="Whose ranker [selqa].",
)
@click.option(
    "--learn",
    multiple=True,
    type=click.Path(exists=True),
    help="A file to learn from; again for more.",
)
@click.option(
    "--on",
    "gold",
    required=True,
    type=click.Path(exists=True, path_type=Path),
    help="The file to rank.",
)
@click.option(
    "--questions",
    type=click.Choice(sorted(KEPT)),
    default="answered",
    help="Which count [answered].",
)
def main(task: str, learn: Sequence[str], gold: Path, questions: str) -> None:
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        model, result = Path(folder) / "model.json", Path(folder) / "result"
        options = {f"{method}, untrained": ["--method", method] for method in METHODS}
        if learn:
            run("answerer", "train", task, *learn, "-o", str(model))
            options["listwise, trained"] = ["--model", str(model)]
        for name, words in options.items():
            run("answerer", task, str(gold), *words, "-o", str(result))
            rows.append(row(name, read_ranked(task, gold, result), questions))
    print_rows(rows, "tsv")


if __name__ == "__main__":
    run_program(main, "python benchmarks/sentence_selection.py")
