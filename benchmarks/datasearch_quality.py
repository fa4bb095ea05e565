"""Exact match on the Data Search stand-in and on our own questions about its workbooks,
cross-validated by table.

Reads the pack from $QA_DATA/datasearch and our own questions on its workbooks: `benchmarks/statcan`
(153), `benchmarks/statcan_asked` (156 in the words of real askers, in two halves by workbook, of
which the errors of one were looked at) and `benchmarks/japanese` (82 on the Japanese data); these
are never trained on. Prints, tab-separated, hand weights and trained weights by source and by kind
of question.

Run: QA_DATA=... python benchmarks/datasearch_quality.py
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Sequence
from pathlib import Path

import click
import numpy as np
from packs import pack

from answerer.datasearch.question.analysis import read_question
from answerer.datasearch.task import DEFAULT_WEIGHTS
from answerer.datasearch.training import Data, best_answer, collect, train_weights
from answerer.formats.datasearch import read_answers
from evaluation.tables import print_rows
from indexer.__main__ import main as index
from indexer.cli.program import run_program
from indexer.engines.opening import open_index
from indexer.formats.datasearch import read_questions
from retriever.learning.conditional_logit import folds

FOLDS = 5
OWN = {
    "statcan": "statcan",
    "statcan asked, looked at": "statcan_asked/looked_at",
    "statcan asked, unseen": "statcan_asked/unseen",
    "japanese": "japanese",
}
"""The folders of our own questions beside this file, by name."""
KINDS = (
    ("next or previous", {"next", "previous", "after", "before"}),
    ("comparison (or, than)", {"or", "than"}),
    (
        "superlative",
        {
            "most",
            "least",
            "highest",
            "lowest",
            "largest",
            "smallest",
            "longest",
            "shortest",
            "oldest",
            "newest",
        },
    ),
    ("first or last", {"first", "last"}),
    ("same or other", {"same", "other"}),
    ("only", {"only"}),
)


def kind_of(text: str) -> str:
    """The kind of a question: the first family of operators that it names, else a look-up."""
    triggers = set(read_question(text).triggers)
    return next((name for name, family in KINDS if family & triggers), "look-up")


def load(folder: Path, address: str) -> tuple[Data, list[str]]:
    """All questions with their derivations, and the source of each."""
    collection = Path(f"{address}.jsonl.bz2")
    collection.write_bytes(
        b"".join(
            (folder / f"data_search_{name}_collection.jsonl.bz2").read_bytes() for name in "ej"
        )
    )
    archives = [str(folder / f"data_search_{name}_data.tar.bz2") for name in "ej"]
    index.main(["datasets", str(collection), *archives, "--index", address], standalone_mode=False)
    rows = [line.split("\t") for line in (folder / "sources.tsv").read_text("utf-8").splitlines()]
    sources = {row[0]: row[1] for row in rows}
    questions = read_questions(folder / "questions.tsv")
    gold = dict(read_answers(folder / "gold.tsv").answers)
    for name, own_name in OWN.items():
        own_folder = Path(__file__).parent / own_name
        own = read_questions(own_folder / "questions.tsv")
        sources |= {question.question_id: f"{name}, ours" for question in own}
        questions += own
        gold |= read_answers(own_folder / "gold.tsv").answers
    data = collect(open_index(address), questions, gold)
    return data, [sources[example.question.question_id] for example in data.examples]


def right(data: Data, weights: np.ndarray, numbers: Sequence[int]) -> list[float]:
    return [
        float(best_answer(data, place, weights) == data.examples[place].gold) for place in numbers
    ]


def cross_validated(data: Data, fold: np.ndarray, trainable: np.ndarray) -> np.ndarray:
    """1 or 0 for every question, answered by weights of the trainable questions on other
    datasets."""
    result = np.zeros(len(data.examples))
    for number in range(FOLDS):
        weights = train_weights(data, (fold != number) & trainable)
        inside = [int(place) for place in np.flatnonzero(fold == number)]
        result[inside] = right(data, weights, inside)
    return result


def row(protocol: str, name: str, **columns: np.ndarray) -> dict[str, object]:
    """A row of exact match with its standard error, a column for each way of answering."""
    cells: dict[str, object] = {
        "protocol": protocol,
        "of": name,
        "questions": len(next(iter(columns.values()))),
    }
    for column, values in columns.items():
        cells |= {
            column: values.mean(),
            f"{column}: standard error": values.std() / math.sqrt(len(values)),
        }
    return cells


@click.command(help=__doc__)
def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        data, source_list = load(pack("datasearch"), f"{folder}/index")
    sources = np.array(source_list)
    ours = np.char.endswith(sources, ", ours")
    fold = folds([example.question.dataset_id for example in data.examples], FOLDS, 0)
    prior = np.array([DEFAULT_WEIGHTS.get(name, 0.0) for name in data.names])
    hand = np.array(right(data, prior, range(len(data.examples))))
    trained = cross_validated(data, fold, ~ours)
    kinds = np.array([kind_of(example.question.text) for example in data.examples])
    groups = {"all but ours": ~ours}
    groups |= {name: sources == name for name in sorted(set(source_list))}
    groups |= {name: (kinds == name) & ~ours for name in sorted(set(kinds.tolist()))}
    rows = [
        row("five folds", name, hand=hand[chosen], trained=trained[chosen])
        for name, chosen in groups.items()
    ]
    print_rows(rows, "tsv")


if __name__ == "__main__":
    run_program(main, "python benchmarks/datasearch_quality.py")
