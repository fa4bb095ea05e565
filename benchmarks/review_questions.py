"""The figures of the default exam method: review questions of textbooks asked with weights that
never saw the book.

    QA_DATA=… python benchmarks/review_questions.py WORK           (rows of sets of questions and of
    probabilities)

Weights are learned, as `answerer train ntcir-mc` does, on the review questions of the other books
and on pseudo-exams of no book asked, a hundred questions each; `WORK/weights-all.json`, learned on
all, is the file that comes with the program. `retrieval` is the default method on an index without
names. Each set has a row of how far its probabilities can be trusted, and one of its negated
questions. The pseudo-exams' rows show that nothing is lost where a name decides. The rows of
probabilities are of the answers to review questions.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path

import click
import numpy as np
from ask_questions import trust
from packs import pack
from pseudo_exams import Set, file_of, name_of, prepared, run

from answerer.ntcir.multiple_choice.choices import STATED_WAYS
from answerer.ntcir.multiple_choice.methods import answer_all, method, probabilities
from answerer.ntcir.multiple_choice.validation.training import (
    JudgedExam,
    judge_exam,
    learned_on,
    right,
)
from answerer.page.drawn import SURE
from evaluation.significance import compare, estimate
from evaluation.tables import print_rows
from indexer.cli.program import run_program
from indexer.engines.opening import open_index
from retriever.learning.model import Model, save_model

REVIEW = {
    "us-history": "us-history",
    "psychology": "psychology",
    "microbiology": "microbiology",
    "jmmlu-world-history": "jawiki",
}
LEARNED = (
    *(
        Set(book, book, swaps, 600, 6)
        for book in ("openstax", "wells")
        for swaps in ("far", "near", "relation")
    ),
    *(Set("wells", "openstax", swaps, 100) for swaps in ("far", "near")),
    *(Set("jawiki", "jawiki", swaps, 600, 6) for swaps in ("far", "relation")),
    *(Set(book, book, "near", 600, 6, "gap") for book in ("openstax", "jawiki")),
    Set("wells", "openstax", "near", 100, 1, "gap"),
)
MEASURED = (
    *(Set("openstax", "openstax", swaps, 600, 2) for swaps in ("far", "near", "relation")),
    *(Set("wells", "openstax", swaps, 600) for swaps in ("far", "near")),
    *(Set("jawiki", "jawiki", swaps, 600, 2) for swaps in ("far", "relation")),
    *(Set(book, book, "near", 600, 2, "gap") for book in ("openstax", "jawiki")),
)
BANDS = (0.0, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 1.0)  # of the probability of an answer


def review_folders(work: Path) -> dict[str, Path]:
    """A folder for each set of review questions, with exam, gold and two indexes of its book."""
    folders = {}
    for review, book in REVIEW.items():
        folder = folders[review] = work / review
        files = {kind: pack("review", f"{review}.{kind}.xml") for kind in ("exam", "gold")}
        folder.mkdir(parents=True, exist_ok=True)
        for kind, file in files.items():
            shutil.copy(file, folder / f"{kind}.xml")
        textbook = file_of("jawiki") if book == "jawiki" else str(pack("review", f"{review}.jsonl"))
        if not (folder / "index").exists():
            run("indexer", "textbook", textbook, "--index", str(folder / "index"))
        if not (folder / "index-without-names").exists():
            run(
                "indexer",
                "textbook",
                textbook,
                "--no-names",
                "--index",
                str(folder / "index-without-names"),
            )
    return folders


def rows(name: str, by_method: Mapping[str, list[float]]) -> Iterator[dict[str, object]]:
    """A row a method, and the difference of the default method from each other with its
    interval."""
    own = {str(place): value for place, value in enumerate(by_method["validation"])}
    for label, scores in by_method.items():
        found = estimate(scores)
        paired = (
            compare({str(n): value for n, value in enumerate(scores)}, own)
            if label != "validation"
            else None
        )
        difference = (
            {"difference": paired.difference, "low": paired.low, "high": paired.high}
            if paired
            else {}
        )
        share = {"share": found.mean, "standard error": found.standard_error}
        yield {"set": name, "questions": len(scores), "method": label, **share, **difference}


def answered_right(read: JudgedExam, index: Path, label: str) -> list[float]:
    """1 or 0 for each question of a folder, answered by a method without further options."""
    questions = [one.by_names.question for one, _ in read.questions]
    found = answer_all(method(label), questions, open_index(str(index)), 5, False)
    places = [place for _, place in read.questions]
    return [
        float(one.system == q.choices[place].number)
        for one, q, place in zip(found, questions, places, strict=True)
    ]


def by_names(read: JudgedExam) -> list[float]:
    return [
        float(one.by_names.system == one.by_names.question.choices[place].number)
        for one, place in read.questions
    ]


def by_validation(read: JudgedExam, model: Model) -> list[float]:
    """1 or 0 for each question; combinations and orders of statements are answered by names."""
    scores = zip(right(read.examples, model), by_names(read), read.questions, strict=True)
    return [
        named if one.by_names.verdicts and one.by_names.way not in STATED_WAYS else float(own)
        for own, named, (one, _) in scores
    ]


def reliability(answers: list[tuple[float, float]]) -> Iterator[dict[str, object]]:
    """Of answers with their probability and 1 or 0, a row a band of probabilities; at last those
    without a doubt."""
    bands = {f"probability {low:.1f}": (low, high) for low, high in pairwise(BANDS)}
    for name, (low, high) in {**bands, "without a doubt": (SURE, BANDS[-1])}.items():
        inside = [
            score for likely, score in answers if low <= likely < high or likely == high == 1.0
        ]
        if inside:
            own = estimate(inside)
            share = {"share": own.mean, "standard error": own.standard_error}
            yield {"set": name, "questions": len(inside), "method": "validation", **share}


@click.command()
@click.argument("work", type=click.Path(path_type=Path))
def main(work: Path) -> None:
    """Learn the weights and measure on review questions and pseudo-exams."""
    folders = review_folders(work)
    review = {name: judge_exam(folder, str(folder / "index")) for name, folder in folders.items()}
    learning = [({REVIEW[name]}, read) for name, read in review.items()]
    for each in LEARNED:
        folder = work / f"learned-{name_of(each)}"
        learning.append(({each.book, each.index}, judge_exam(folder, prepared(each, 1, 1, folder))))
    models = {}
    for unseen in ("", *REVIEW.values(), "openstax", "wells"):
        models[unseen] = learned_on([read for books, read in learning if unseen not in books])
        save_model(
            models[unseen],
            work / (f"weights-without-{unseen}.json" if unseen else "weights-all.json"),
        )
    answers: list[tuple[float, float]] = []
    together: dict[str, list[float]] = {}
    for name, read in review.items():
        model, index = models[REVIEW[name]], folders[name] / "index"
        bare = judge_exam(folders[name], f"{index}-without-names")
        found = {
            "validation": by_validation(read, model),
            "retrieval": by_validation(bare, model),
            "slqal": answered_right(read, index, "slqal"),
            "names": by_names(read),
        }
        print_rows(list(rows(name, found)), "tsv")
        negated = [
            score
            for score, (one, _) in zip(found["validation"], read.questions, strict=True)
            if one.sign < 0
        ]
        print_rows(list(rows(f"{name}, negated", {"validation": negated})), "tsv")
        together = {label: [*together.get(label, ()), *scores] for label, scores in found.items()}
        likely = [
            max(probabilities((utilities @ model.weights).tolist()))
            for utilities, _ in read.examples
        ]
        answers += zip(likely, found["validation"], strict=True)
        trusted = trust(np.array(likely), np.array(found["validation"]), SURE)
        print_rows([{"set": name, "method": "probability", **trusted}], "tsv")
    print_rows(list(rows("all review questions", together)), "tsv")
    print_rows(list(reliability(answers)), "tsv")
    for each in MEASURED:
        both: dict[str, list[float]] = {"validation": [], "names": []}
        for fold in range(1, each.folds + 1):
            folder = work / f"measured-{name_of(each)}" / str(fold)
            read = judge_exam(folder, prepared(each, 0, fold, folder))
            both["validation"] += by_validation(read, models[each.book])
            both["names"] += by_names(read)
        print_rows(list(rows(name_of(each), both)), "tsv")


if __name__ == "__main__":
    run_program(main, "python benchmarks/review_questions.py")
