"""The figures of the default exam method: review questions of textbooks asked with weights that never saw the book.

    QA_DATA=… python benchmarks/review_questions.py WORK           (a row a set of questions, tab-separated)

Everything is done by the commands that a user has. Weights are learned on the review questions of the other books and
on pseudo-exams of no book asked, a hundred questions each; `WORK/weights-all.json`, learned on all, is the file that
comes with the program. `retrieval` is the default method on an index without names. The pseudo-exams' rows show that
nothing is lost where a name decides.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

import click
from packs import pack
from pseudo_exams import Set, file_of, name_of, prepared, run

from evaluation.significance import compare, estimate
from evaluation.tables import print_rows
from evaluation.tasks.multiple_choice import reported
from evaluation.tasks.results import scores_of
from indexer.cli.program import run_program

REVIEW = {"us-history": "us-history", "psychology": "psychology", "jmmlu-world-history": "jawiki"}
LEARNED = (
    *(Set(book, book, swaps, 600, 6) for book in ("openstax", "wells") for swaps in ("far", "near", "relation")),
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


def book_of(review: str) -> Path:
    """The textbook that review questions are about."""
    return Path(file_of("jawiki")) if REVIEW[review] == "jawiki" else pack("review", f"{review}.jsonl")


def learned(work: Path) -> dict[str, Path]:
    """Weights by the book that they never saw; those of "" are learned on all."""
    textbooks = {review: str(book_of(review)) for review in REVIEW}
    folders: dict[Path, tuple[set[str], str]] = {}
    for review, book in REVIEW.items():
        folder, address = work / review, work / review / "index"
        folder.mkdir(parents=True, exist_ok=True)
        for kind in ("exam", "gold"):
            shutil.copy(pack("review", f"{review}.{kind}.xml"), folder / f"{kind}.xml")
        if not address.exists():
            run("indexer", "textbook", textbooks[review], "--index", str(address))
            run("indexer", "textbook", textbooks[review], "--no-names", "--index", f"{address}-without-names")
        folders[folder] = {book}, str(address)
    for each in LEARNED:
        folder = work / f"learned-{name_of(each)}"
        folders[folder] = {each.book, each.index}, prepared(each, 1, 1, folder)
    found = {}
    for unseen in ("", "us-history", "psychology", "jawiki", "openstax", "wells"):
        used = {folder: address for folder, (books, address) in folders.items() if unseen not in books}
        found[unseen] = work / (f"weights-without-{unseen}.json" if unseen else "weights-all.json")
        addresses = [word for address in used.values() for word in ("--index", address)]
        run("answerer", "train", "ntcir-mc", *map(str, used), *addresses, "-o", str(found[unseen]))
    return found


def scored(exam: Path, gold: Path, address: str, output: Path, *options: str) -> dict[str, float]:
    """1 or 0 for each question, answered as the options say."""
    run("answerer", "ntcir-mc", str(exam), "--index", address, *options, "-o", str(output))
    return scores_of(reported(gold, output))


def rows(name: str, by_method: Mapping[str, dict[str, float]]) -> Iterator[dict[str, object]]:
    """A row a method, and the difference of the default method from each other with its interval."""
    for method, scores in by_method.items():
        own = estimate(list(scores.values()))
        paired = compare(scores, by_method["validation"]) if method != "validation" else None
        difference = {"difference": paired.difference, "low": paired.low, "high": paired.high} if paired else {}
        share = {"share": own.mean, "standard error": own.standard_error}
        yield {"set": name, "questions": len(scores), "method": method, **share, **difference}


@click.command()
@click.argument("work", type=click.Path(path_type=Path))
def main(work: Path) -> None:
    """Learn the weights and measure on review questions and pseudo-exams."""
    weights = learned(work)
    for review, book in REVIEW.items():
        folder = work / review
        files = folder / "exam.xml", folder / "gold.xml"
        index, model = str(folder / "index"), ("--model", str(weights[book]))
        found = {
            "validation": scored(*files, index, folder / "validation.xml", *model),
            "retrieval": scored(*files, f"{index}-without-names", folder / "retrieval.xml", *model),
            "slqal": scored(*files, index, folder / "slqal.xml", "--method", "slqal"),
            "names": scored(*files, index, folder / "names.xml", "--method", "names"),
        }
        print_rows(list(rows(review, found)), "tsv")
    for each in MEASURED:
        by_method: dict[str, dict[str, float]] = {"validation": {}, "names": {}}
        for fold in range(1, each.folds + 1):
            folder = work / f"measured-{name_of(each)}" / str(fold)
            address = prepared(each, 0, fold, folder)
            files = folder / "exam.xml", folder / "gold.xml"
            for method, option in (
                ("validation", ("--model", str(weights[each.book]))),
                ("names", ("--method", "names")),
            ):
                own = scored(*files, address, folder / f"{method}.xml", *option)
                by_method[method].update({f"{fold}/{question}": value for question, value in own.items()})
        print_rows(list(rows(name_of(each), by_method)), "tsv")


if __name__ == "__main__":
    run_program(main, "python benchmarks/review_questions.py")
