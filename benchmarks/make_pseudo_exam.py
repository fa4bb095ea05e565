"""`python benchmarks/make_pseudo_exam.py TEXTBOOK... -o FOLDER`: makes an exam with known answers
from a textbook."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar, get_args

import click
from pseudo_exam.book import BookParagraph, ExamBook, read_book
from pseudo_exam.questions import Shape, make_questions, make_terms, write_exam, write_terms
from pseudo_exam.swaps import Swaps

from indexer.cli.program import run_program
from indexer.cli.types import COUNT, SEED, Command, InputFile, LanguageCode, OutputPath
from indexer.files.errors import UserError
from indexer.files.messages import info
from indexer.ingest_report import IngestReport
from indexer.languages.language import Language
from indexer.registry import WIKI_FILES
from indexer.sources.textbook.passages import (
    file_labels,
    language_of,
    open_records,
    textbook_files,
)
from indexer.sources.textbook.schema import Redirect

_Item = TypeVar("_Item")
_FOLD = re.compile(r"([1-9]\d{0,8})/([1-9]\d{0,8})")


def read_fold(text: str) -> tuple[int, int]:
    """Parses `K/N` into the fold K, from 1, of N. Raises UserError for anything else."""
    match = _FOLD.fullmatch(text)
    if not match or int(match[1]) > int(match[2]):
        raise UserError(f"--fold {text}: expected K/N with K from 1 to N, such as 1/6")
    return int(match[1]), int(match[2])


def in_fold(
    made: Sequence[_Item], number: int, fold: tuple[int, int] | None, source: str, material: str
) -> Sequence[_Item]:
    """The questions of fold (K, N): every N-th, from the K-th; all without a fold. A message if
    fewer than `number` were `made` from the file `source` for lack of `material`; UserError for
    none, and if none is left for the fold."""
    if not made:
        raise UserError(f"{source}: no question could be made; expected {material}")
    if len(made) < number:
        info(f"{len(made)} of {number} questions: there are no more {material}")
    part, parts = fold or (1, 1)
    if part > len(made):
        raise UserError(
            f"--fold {part}/{parts}: no question is left for it; there are only {len(made)}"
        )
    return made[part - 1 :: parts]


def book_of_files(files: Sequence[str], language: Language) -> ExamBook:
    """Reads textbook files as one book, with the indexer's own readers and wiki redirects."""
    paragraphs, redirects = list[BookParagraph](), list[tuple[str, str]]()
    # Read as the indexer reads it, or sources of the exam would not be left out of an index.
    for file, label in zip(files, file_labels(files), strict=True):
        for record in open_records(file, label, language, IngestReport()):
            if isinstance(record, Redirect):
                redirects.append((record.alias, record.target))
            else:
                paragraphs.append(BookParagraph(record.title, record.text, label))
    return read_book(paragraphs, language, redirects)


@click.command(cls=Command)
@click.argument(
    "textbooks",
    nargs=-1,
    required=True,
    metavar="TEXTBOOK...",
    type=InputFile(inside=WIKI_FILES, pattern=True),
)
@click.option("--questions", "number", type=COUNT, default=2000, help="How many [2000].")
@click.option("--seed", type=SEED, default=0, help="The same seed gives the same exam [0].")
@click.option(
    "--language", type=LanguageCode(), help="The books' language [told from their letters]."
)
@click.option(
    "--swaps",
    type=click.Choice(get_args(Swaps)),
    default="far",
    help="How statements are made false [far].",
)
@click.option(
    "--shape",
    type=click.Choice(get_args(Shape)),
    default="statements",
    help="What is asked [statements].",
)
@click.option(
    "--fold",
    metavar="K/N",
    type=read_fold,
    help="Only the K-th of N parts of the questions, with its own list of sources.",
)
@click.option(
    "--terms",
    is_flag=True,
    help="Term questions instead: a name hidden in each sentence, as an answer sheet.",
)
@click.option(
    "-o",
    "folder",
    metavar="FOLDER",
    type=OutputPath(
        inside=(
            "exam.xml",
            "sheet.xml",
            "gold.xml",
            "without.txt",
        ),
        files=False,
    ),
    required=True,
    help="Where the exam, its gold and without.txt go.",
)
def main(
    textbooks: tuple[str, ...],
    number: int,
    seed: int,
    language: Language | None,
    swaps: Swaps,
    shape: Shape,
    fold: tuple[int, int] | None,
    terms: bool,
    folder: str,
) -> None:
    """Make an exam out of textbooks: statements made false by exchanging a name, a date or roles.

    far: a name of the same kind and similar frequency that is nowhere true; near: one of the same
    chapter, or within 100 paragraphs in a book without chapters; relation: the names stay, the
    period, direction or roles change. With --terms a name is hidden instead, and sheet.xml takes the place of exam.xml.
    Build the index that answers it with `python -m indexer textbook TEXTBOOK... --without
    FOLDER/without.txt`.
    """
    files = textbook_files(textbooks)
    if language is None:
        language = language_of(files[:3])
    book = book_of_files(files, language)
    if terms:
        items = in_fold(
            make_terms(book, number, seed), number, fold, files[0], "sentences with three names"
        )
        write_terms(Path(folder), language, items)
        info(f"{folder}: {len(items)} questions")
        return
    material = "sentences of middling length with names to exchange"
    made = make_questions(book, number, seed, swaps, shape)
    questions = in_fold(made, number, fold, files[0], material)
    name = f"pseudo-{language}-{shape}-{swaps}-{seed}" + ("-{}of{}".format(*fold) if fold else "")
    write_exam(Path(folder), name, language, questions)
    info(f"{folder}: {len(questions)} questions")


if __name__ == "__main__":
    run_program(main, "python benchmarks/make_pseudo_exam.py")
