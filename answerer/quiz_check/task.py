"""`answerer check-quiz`: which questions of a quiz deserve a second look, by the book it is
about."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from answerer.formats.answer_table import NoKeyError
from indexer.cli.types import Address, Command, InputFile, OutputPath
from indexer.files.errors import UserError
from indexer.files.messages import info, warn
from indexer.files.validation import validate_path

if TYPE_CHECKING:
    from answerer.formats.exam.parts import Exam
    from answerer.quiz_check.judge import CheckedQuiz
    from answerer.run import Run
    from indexer.address import Location
    from retriever.opened import AnyIndex

FORMATS = ("text", "csv", "html")


@click.command(
    cls=Command,
    example="check-quiz samples/questions-en.txt -o check.html",
)
@click.argument("quiz", metavar="QUIZ", type=InputFile())
@click.option("--key", type=InputFile(), help="Answer table or file with the key [QUIZ itself].")
@click.option(
    "--index", type=Address(), metavar="ADDRESS", help="The book [textbook-LANGUAGE of the quiz]."
)
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    help="Form of the output [by the ending of -o: .html, .csv; else text].",
)
@click.option("-o", "--output", type=OutputPath(), default="-", help="Where it goes [stdout].")
def command(
    quiz: Path, key: Path | None, index: Location | None, form: str | None, output: str
) -> None:
    """Check a quiz against its book: the keys that may be wrong first, with the sentences.

    Each question is one of: key doubtful (the book supports another choice better), two choices
    possible, not found, not judged (negated, sums, pictures), key agrees. Also flaws of writing,
    and the sections of the book without a question.
    """
    from answerer.quiz_check.written import as_csv, as_page, as_text
    from indexer.files.atomic import write_text

    checked = check_quiz(quiz, key=key, index=index)
    form = form or {".html": "html", ".csv": "csv"}.get(Path(output).suffix.lower(), "text")
    if form == "html":
        write_text(output, as_page(checked))
    else:
        write_text(output, as_csv(checked) if form == "csv" else as_text(checked))


def check_quiz(
    quiz: str | Path,
    *,
    key: str | Path | None = None,
    index: AnyIndex | None = None,
) -> CheckedQuiz:
    """Checks the questions of a file against the index of its book; warns if nearly all are not in
    it.

    `key` is a file with the right answers (an answer table, or any file of questions with a key);
    None: `quiz` itself. `index` is an open index, its address, or None for `textbook-LANGUAGE`.
    Raises UserError for a file without questions or without any key, for exam XML without `key`,
    and for an index that does not exist or is not of a textbook in the quiz's language.
    """
    from answerer.ntcir.multiple_choice.methods import DEFAULT, answer_all, method
    from answerer.quiz_check.judge import check_answers
    from retriever.opened import using_index

    exam = _read(validate_path(quiz, "quiz"))
    if key is None and not exam.is_plain:
        raise UserError(f"{quiz}: an exam has no key in it; name the answer table with --key")
    keys = _keys(exam, quiz if key is None else validate_path(key, "key"))
    address = f"textbook-{exam.language}" if index is None else index
    with using_index(address, "textbook", exam.language) as book:
        answered = answer_all(method(DEFAULT), exam.questions, book, 1, True)
        checked = check_answers(exam.name, answered, keys, book)
    _warn_of_another_book(checked)
    return checked


def answer_quiz(quiz: str | Path, index: AnyIndex) -> tuple[Run, CheckedQuiz | None]:
    """Answers a file as `ntcir-mc` does by its default method, with evidence, and checks the key
    that the file holds by the same answers: the run, and the check, None for exam XML and, with a
    message, for a file without a key or with one that cannot be read."""
    from answerer.ntcir.multiple_choice.task import answer_exams
    from answerer.quiz_check.judge import check_answers
    from answerer.run import log_messages
    from retriever.opened import using_index

    exam = _read(quiz)
    keys = None
    if exam.is_plain:
        try:
            keys = _keys(exam, quiz)
        except NoKeyError:
            info("no key found")
        except UserError as error:
            info(f"the key is not checked: {error}")
    with using_index(index, "textbook", exam.language) as book:
        run, answered = answer_exams([exam], index=book, evidence=True, sources=[str(quiz)])
        log_messages(run)
        checked = check_answers(exam.name, answered, keys, book) if keys else None
    if checked:
        _warn_of_another_book(checked)
    return run, checked


# of the judged questions that a book has nothing of; of the right book it has most
_ANOTHER_BOOK = 0.9


def _warn_of_another_book(checked: CheckedQuiz) -> None:
    """Warns if a book has nothing of at least 90 % of the questions that could be judged."""
    statuses = [question.status for question in checked.questions]
    judged = len(statuses) - statuses.count("not judged")
    missing = statuses.count("not found")
    if missing and missing >= _ANOTHER_BOOK * judged:
        warn(
            f"{missing} of {judged} questions are not in the book: is {checked.book} the right "
            f"book?"
        )


def _read(quiz: str | Path) -> Exam:
    """The exam of a file, whose notes are logged."""
    from answerer.formats.exam.read import read_exam

    exam = read_exam(str(quiz))
    for note in exam.notes:
        info(note)
    return exam


def _keys(exam: Exam, path: str | Path) -> list[int | None]:
    """For each question the position of the choice that a file has as its right one, in any case of
    letters; None where it has no single one. Raises NoKeyError if that is so of every question."""
    from answerer.formats.answers import read_answers

    right = {row.column: row.answer for row in read_answers(path).answers}
    keys: list[int | None] = []
    for question in exam.questions:
        numbers = [choice.number for choice in question.choices]
        folded = [number.casefold() for number in numbers]  # a key may print `b` for B
        answer = right.get(question.answer_column, "")
        if answer in numbers:
            keys.append(numbers.index(answer))
        else:
            keys.append(folded.index(answer.casefold()) if answer.casefold() in folded else None)
    if not any(position is not None for position in keys):
        raise NoKeyError(f"{path}: no question of {exam.name} has its key there")
    return keys
