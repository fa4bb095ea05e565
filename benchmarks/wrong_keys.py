"""How many wrong keys of a quiz stand first in the list of `answerer check-quiz`.

    QA_DATA=… python benchmarks/wrong_keys.py WORK

Of the review questions of each book a tenth of the keys is exchanged for another choice at random,
20 times; printed is the share of these that the first tenth and the first fifth of the list hold.
Every book is answered with weights learned on the others, and the two constants a book of
`answerer/quiz_check/judge.py` are learned on the others too; `constants` are those of all books.
`1 - p` orders by the probability of the key's choice alone.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import click
import numpy as np
from packs import pack
from pseudo_exams import run
from scipy.optimize import minimize

from answerer.ntcir.multiple_choice.methods import probabilities
from answerer.ntcir.multiple_choice.validation.training import JudgedExam, judge_exam, learned_on
from evaluation.tables import print_rows
from indexer.cli.program import run_program

BOOKS = ("us-history", "psychology", "microbiology")
DRAWS = 20
SWAPPED = 0.1  # of the keys
PARTS = (0.1, 0.2)  # of the list that are read
PENALTY = 1.0


class Item(NamedTuple):
    """A question: the probability of each choice, the right one, whether it is negated."""

    probabilities: np.ndarray
    right: int
    negated: bool


def columns(item: Item, key: int) -> list[float]:
    """What the probability that the key is wrong is computed from: ln odds of the key's choice, a
    constant, and both again where the question is negated."""
    p = float(np.clip(item.probabilities[key], 1e-6, 1 - 1e-6))
    log_odds = float(np.log(p / (1 - p)))
    return [log_odds, 1.0, log_odds * item.negated, float(item.negated)]


def learn(items: Sequence[Item]) -> np.ndarray:
    """The coefficients of `columns`: every choice is the key once, the right one with weight .9."""
    rows, wrong, weights = [], [], []
    for item in items:
        others = len(item.probabilities) - 1
        for key in range(others + 1):
            rows.append(columns(item, key))
            wrong.append(float(key != item.right))
            weights.append(SWAPPED / others if key != item.right else 1 - SWAPPED)
    x, y, w = np.array(rows), np.array(wrong), np.array(weights)

    def loss(coefficients: np.ndarray) -> tuple[float, np.ndarray]:
        z = x @ coefficients
        penalised = coefficients * (0.0, 0.0, PENALTY, PENALTY)
        slope = x.T @ (w * (1 / (1 + np.exp(-z)) - y))
        return float(w @ (np.logaddexp(0, z) - y * z) + 0.5 * penalised @ coefficients), (
            slope + penalised
        )

    found: np.ndarray = minimize(loss, np.zeros(4), jac=True, method="L-BFGS-B").x
    return found


def doubt(coefficients: np.ndarray, item: Item, key: int) -> float:
    """The ln odds that a key is wrong."""
    return float(np.dot(columns(item, key), coefficients))


def caught(items: Sequence[Item], doubt: Callable[[Item, int], float]) -> list[float]:
    """The share of swapped keys in the first parts of the list, means over the draws."""
    rng = np.random.default_rng(0)
    swapped = round(SWAPPED * len(items))
    shares = []
    for _ in range(DRAWS):
        wrong = np.zeros(len(items), bool)
        wrong[rng.choice(len(items), swapped, replace=False)] = True
        doubts = []
        for item, is_wrong in zip(items, wrong, strict=True):
            others = [n for n in range(len(item.probabilities)) if n != item.right]
            doubts.append(doubt(item, int(rng.choice(others)) if is_wrong else item.right))
        order = np.argsort(-np.array(doubts), kind="stable")
        shares.append([wrong[order[: round(p * len(items))]].sum() / swapped for p in PARTS])
    means: list[float] = np.mean(shares, axis=0).tolist()
    return means


def items_of(judged: JudgedExam, others: Sequence[JudgedExam]) -> list[Item]:
    """The questions of an exam, answered with weights learned on the others."""
    model = learned_on(others)
    return [
        Item(
            np.array(probabilities((question.utilities @ model.weights).tolist())),
            right,
            question.sign < 0,
        )
        for question, right in judged.questions
    ]


@click.command()
@click.argument("work", type=click.Path(path_type=Path))
def main(work: Path) -> None:
    """Measure how many wrong keys stand first."""
    judged = {}
    for book in BOOKS:
        files = {kind: pack("review", f"{book}.{kind}.xml") for kind in ("exam", "gold")}
        folder = work / book
        folder.mkdir(parents=True, exist_ok=True)
        for kind, file in files.items():
            shutil.copy(file, folder / f"{kind}.xml")
        if not (folder / "index").exists():
            source = str(pack("review", f"{book}.jsonl"))
            run("indexer", "textbook", source, "--index", str(folder / "index"))
        judged[book] = judge_exam(folder, str(folder / "index"))
    items = {
        book: items_of(judged[book], [judged[other] for other in BOOKS if other != book])
        for book in BOOKS
    }
    rows: list[dict[str, object]] = []
    for book in BOOKS:
        learned = learn([item for other in BOOKS if other != book for item in items[other]])
        by_probability = caught(items[book], lambda item, key: 1 - float(item.probabilities[key]))
        by_doubt = caught(items[book], partial(doubt, learned))
        for order, shares in (("1 - p", by_probability), ("check-quiz", by_doubt)):
            first, second = shares
            rows.append({"book": book, "order": order, "first tenth": first, "first fifth": second})
    print_rows(rows, "tsv")
    constants = learn([item for book in BOOKS for item in items[book]])
    names = ("per log odds", "constant", "per log odds, negated", "constant, negated")
    print_rows([dict(zip(names, constants.round(2).tolist(), strict=True))], "tsv")


if __name__ == "__main__":
    run_program(main, "python benchmarks/wrong_keys.py")
