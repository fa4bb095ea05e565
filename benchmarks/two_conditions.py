"""Exact match on questions of two and three conditions, on tables of invented figures in usual
layouts.

Reads `benchmarks/two_conditions`: lists of statistics and tables with headings of several levels,
in csv and xlsx, in three sets. The errors on the first (46 questions) were mended first, then those
on the second (34); of the third (22) only the sum was read until the last of them. Prints,
tab-separated, the share of each set that hand weights and the program's own model answer; nothing
is trained.

Run: python benchmarks/two_conditions.py
"""

from __future__ import annotations

import math
import tempfile
from collections import defaultdict
from pathlib import Path

import click

from answerer.datasearch.tables.library import datasets_of
from answerer.datasearch.task import derive, load_weights, rank, score_all
from answerer.formats.datasearch import read_answers
from answerer.models import UNTRAINED
from evaluation.tables import print_rows
from indexer.__main__ import main as index
from indexer.address import open_index
from indexer.cli.program import run_program
from indexer.formats.datasearch import read_questions

FOLDER = Path(__file__).with_suffix("")


def right(address: str) -> dict[tuple[str, str], list[bool]]:
    """For each set and kind of weights whether each of its questions is answered by its gold."""
    gold = read_answers(FOLDER / "gold.tsv").answers
    weights = {"hand": load_weights(UNTRAINED)[0], "own": load_weights(None)[0]}
    found = defaultdict(list)
    for dataset, questions in datasets_of(
        open_index(address), read_questions(FOLDER / "questions.tsv")
    ):
        for question in questions:
            derivations = derive(question.text, dataset.views)
            for name, by_name in weights.items():
                answers = rank(derivations, score_all(derivations, by_name))
                chosen = dataset.dataset_id.partition("-")[0], name
                found[chosen].append(
                    bool(answers) and answers[0].answer == gold[question.question_id]
                )
    return found


@click.command(help=__doc__)
def main() -> None:
    rows: list[dict[str, object]] = []
    with tempfile.TemporaryDirectory() as folder:
        files = [str(FOLDER / name) for name in ("collection.jsonl", "data.tar.bz2")]
        index.main(["datasets", *files, "--index", f"{folder}/index"], standalone_mode=False)
        for (part, name), values in right(f"{folder}/index").items():
            share = sum(values) / len(values)
            error = math.sqrt(share * (1 - share) / len(values))
            found = {"right": share, "right: standard error": error}
            rows.append({"of": part, "weights": name, "questions": len(values), **found})
    print_rows(rows, "tsv")


if __name__ == "__main__":
    run_program(main, "python benchmarks/two_conditions.py")
