"""Term questions out of a book: a name hidden, its spellings right, its sentence left out."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from make_pseudo_exam import main
from pseudo_exam.book import BookParagraph, ExamBook, read_book
from pseudo_exam.questions import make_terms, write_terms

from answerer.formats.answer_sheet import GAP, read_sheet
from indexer.files.errors import UserError
from indexer.languages.english import ENGLISH
from tests.programs import invoked

_TEXTS = [
    "In that year Hannibal led the army of Carthage over the Alps against Rome with thirty "
    "elephants.",
    "The Romans of Scipio met Hannibal at Zama, where Carthage lost the war against Rome for ever.",
    "Carthage sent Hannibal to Spain, and from Spain Hannibal marched on Rome through southern "
    "Gaul.",
    "At last Hannibal fled from Carthage to Syria, for Rome asked the king of Syria to give him "
    "up.",
]


@pytest.fixture(scope="module")
def book() -> ExamBook:
    return read_book([BookParagraph("War", text) for text in _TEXTS], ENGLISH)


def test_a_hidden_name_stands_four_times_in_the_book_and_leaves_two_others(book: ExamBook) -> None:
    items = make_terms(book, 10, 0)
    assert len(items) == len(_TEXTS)
    for item in items:
        assert item.answers[0] in ("Hannibal", "Carthage", "Rome")
        assert GAP in item.text
        assert item.answers[0] not in item.text
        assert item.source in _TEXTS


def test_the_same_seed_gives_the_same_questions(book: ExamBook) -> None:
    assert make_terms(book, 3, 7) == make_terms(book, 3, 7)
    assert len(make_terms(book, 3, 7)) == 3


def test_the_files_are_a_sheet_its_gold_and_the_sentences_to_leave_out(
    book: ExamBook, tmp_path: Path
) -> None:
    items = make_terms(book, 10, 0)
    write_terms(tmp_path, ENGLISH, items)
    empty, gold = read_sheet(tmp_path / "sheet.xml"), read_sheet(tmp_path / "gold.xml")
    assert [one.section_id for one in empty.sections] == [
        f"T{number}" for number in range(1, len(items) + 1)
    ]
    assert all(
        one.text == "" for section in empty.sections for one in section.answers[0].expressions
    )
    for section, item in zip(gold.sections, items, strict=True):
        assert tuple(one.text for one in section.answers[0].expressions) == item.answers
        assert section.answer_type == item.answer_type
        assert item.text in section.instruction_text
    assert sorted((tmp_path / "without.txt").read_text("utf-8").splitlines()) == sorted(_TEXTS)


def test_the_command_writes_a_part_of_the_questions(tmp_path: Path) -> None:
    textbook = tmp_path / "book.txt"
    textbook.write_text("\n\n".join(_TEXTS), "utf-8")
    arguments = [
        str(textbook),
        "--terms",
        "--language",
        "en",
        "--questions",
        "4",
        "--fold",
        "1/2",
        "-o",
        str(tmp_path),
    ]
    invoked(main, *arguments)
    assert len(read_sheet(tmp_path / "sheet.xml").sections) == 4 / 2


def test_a_book_without_names_that_come_back_is_refused(tmp_path: Path) -> None:
    textbook = tmp_path / "book.txt"
    textbook.write_text(
        "Nothing is said of anyone here, in a sentence that is long enough to be asked.", "utf-8"
    )
    done = CliRunner().invoke(
        main,
        [str(textbook), "--terms", "--language", "en", "-o", str(tmp_path / "out")],
    )
    assert isinstance(done.exception, UserError)
    assert not (tmp_path / "out").exists()
