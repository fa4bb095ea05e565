"""Exact match on the Data Search stand-in and on our own questions about its workbooks, cross-validated by table.

Reads the pack from $QA_DATA/datasearch, `benchmarks/statcan` (153 questions and answers of our own on the StatCan
workbooks) and `benchmarks/japanese` (82 on the Japanese data); these are never trained on. Prints hand weights and
trained weights by source and by kind of question, then training on each source alone.

Run: QA_DATA=... python benchmarks/datasearch_quality.py
"""

from __future__ import annotations

import math
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from answerer.datasearch.question import read_question
from answerer.datasearch.training import Data, answers, collect, train_weights
from answerer.datasearch.weights import HAND
from answerer.formats.datasearch import read_answers, read_questions
from indexer.__main__ import main as index
from indexer.address import open_index
from retriever.ranking.folds import folds

FOLDS = 5
OWN = {name: Path(__file__).parent / name for name in ("statcan", "japanese")}
KINDS = (
    ("next or previous", {"next", "previous", "after", "before"}),
    ("comparison (or, than)", {"or", "than"}),
    (
        "superlative",
        {"most", "least", "highest", "lowest", "largest", "smallest", "longest", "shortest", "oldest", "newest"},
    ),
    ("first or last", {"first", "last"}),
    ("same or other", {"same", "other"}),
    ("only", {"only"}),
)


def kind_of(text: str) -> str:
    """The kind of a question: the first family of operators that it names, else a look-up."""
    triggers = set(read_question(text).triggers)
    return next((name for name, family in KINDS if family & triggers), "look-up")


def load(pack: Path, address: str) -> tuple[Data, list[str]]:
    """All questions with their derivations, and the source of each."""
    collection = Path(f"{address}.jsonl.bz2")
    collection.write_bytes(b"".join((pack / f"data_search_{name}_collection.jsonl.bz2").read_bytes() for name in "ej"))
    archives = [str(pack / f"data_search_{name}_data.tar.bz2") for name in "ej"]
    index.main(["datasets", str(collection), *archives, "--index", address], standalone_mode=False)
    rows = [line.split("\t") for line in (pack / "sources.tsv").read_text("utf-8").splitlines()]
    sources = {row[0]: row[1] for row in rows}
    questions = read_questions(pack / "questions.tsv")
    gold = dict(read_answers(pack / "gold.tsv").answers)
    for name, folder in OWN.items():
        own = read_questions(folder / "questions.tsv")
        sources |= {question.question_id: f"{name}, ours" for question in own}
        questions += own
        gold |= read_answers(folder / "gold.tsv").answers
    data = collect(open_index(address), questions, gold)
    return data, [sources[example.question.question_id] for example in data.examples]


def right(data: Data, weights: np.ndarray, numbers: Sequence[int]) -> list[float]:
    found = answers(data, weights, numbers)
    return [float(answer == data.examples[place].gold) for answer, place in zip(found, numbers, strict=True)]


def cross_validated(data: Data, fold: np.ndarray, trainable: np.ndarray) -> np.ndarray:
    """1 or 0 for every question, answered by weights of the trainable questions on other datasets."""
    result = np.zeros(len(data.examples))
    for number in range(FOLDS):
        weights = train_weights(data, (fold != number) & trainable)
        inside = [int(place) for place in np.flatnonzero(fold == number)]
        result[inside] = right(data, weights, inside)
    return result


def line(name: str, *columns: np.ndarray) -> str:
    cells = []
    for values in columns:
        error = values.std() / math.sqrt(len(values))
        cells.append(f"{values.mean():6.3f} ± {error:.3f}")
    return f"{name:24} {len(columns[0]):5}  " + "  ".join(cells)


def main() -> None:
    pack = Path(os.environ.get("QA_DATA", ".")) / "datasearch"
    with tempfile.TemporaryDirectory() as folder:
        data, source_list = load(pack, f"{folder}/index")
    sources = np.array(source_list)
    ours = np.char.endswith(sources, ", ours")
    fold = folds([example.question.dataset_id for example in data.examples], FOLDS, 0)
    prior = np.array([HAND.get(name, 0.0) for name in data.names])
    hand = np.array(right(data, prior, range(len(data.examples))))
    trained = cross_validated(data, fold, ~ours)
    print(f"{'':24} {'n':>5}  hand weights    trained (exact match ± standard error)")
    print(line("the pack", hand[~ours], trained[~ours]))
    for name in sorted(set(source_list)):
        print(line(name, hand[sources == name], trained[sources == name]))
    kinds = np.array([kind_of(example.question.text) for example in data.examples])
    for name in sorted(set(kinds.tolist())):
        chosen = (kinds == name) & ~ours
        print(line(name, hand[chosen], trained[chosen]))
    print("\ntrained on one source alone, on other tables:")
    for name in sorted(set(sources[~ours].tolist())):
        alone = cross_validated(data, fold, sources == name)
        for other in sorted(set(source_list)):
            print(line(f"{name} -> {other}", alone[sources == other]))


if __name__ == "__main__":
    main()
