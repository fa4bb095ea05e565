"""Texts that are one mark again and again take time as their length where expressions took its
square."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from answerer.datasearch.question.analysis import read_question
from answerer.formats.answer_table import folded_exam
from answerer.nlpcc.kbqa.relation_phrase import strip_chatter
from indexer.analysis.text import LONGEST, LONGEST_QUESTION, truncate_question, without_long_runs
from indexer.files.validation import is_number
from indexer.formats.table_rows import TableRow
from indexer.ingest_report import IngestReport
from indexer.languages.english import ENGLISH
from indexer.sources.textbook.passages import open_records
from retriever.ranking.tables import table_ranking

LONG = 30_000
SECONDS = 1.0  # of the processor; each takes hundredths, and took 5 and more


def sentences(text: str) -> int:
    return len(ENGLISH.analyser().sentences(text))


def table(cells: str) -> object:
    return next(table_ranking([TableRow(1, None, "who?", "", "a", cells)])[0].blocks()).features[
        "whole cells"
    ]()


def trec(folder: Path, text: str) -> int:
    path = folder / "trec.txt"
    path.write_text(f"<DOC>\n<TEXT>{text}</TEXT>\n</DOC>\n", "utf-8")
    return len(list(open_records(str(path), "t", ENGLISH, IngestReport())))


def asked_again(piece: str) -> Callable[[Path], object]:
    """A question of Data Search as long as is read, of one piece."""
    return lambda _: read_question((piece * LONGEST_QUESTION)[:LONGEST_QUESTION])


READ: dict[str, Callable[[Path], object]] = {
    "a number of digits and a letter": lambda _: is_number("1" * LONG + "x"),
    "marks that could end a sentence": lambda _: sentences("?" * LONG + "x"),
    "endings of a gold file's name": lambda _: folded_exam("_" * LONG + "x"),
    "chatter at a question's end": lambda _: strip_chatter("吗？" * LONG + "x"),
    "tags that do not end": lambda folder: trec(folder, "<TITLE>a" * LONG),
    **{
        f"a question of {piece}again and again": asked_again(piece)
        for piece in ("人ア", "A市と", "どの年の", "first ")
    },
    "blanks in a table": lambda _: table(" " * 4 * LONG + "x _|_ y"),
}


@pytest.mark.parametrize("read", READ.values(), ids=list(READ))
def test_time_grows_with_the_length(read: Callable[[Path], object], tmp_path: Path) -> None:
    sentences("Rome fell.")  # loads what is needed
    began = time.process_time()
    read(tmp_path)
    assert time.process_time() - began < SECONDS


def test_digits_with_signs_between_them_are_one_run() -> None:
    """Expressions for numbers go through `1,1,1,…` from each of its digits."""
    assert without_long_runs("how many 1" + ",1" * LONG + "?", "q") == "how many " + "1," * 250
    assert LONGEST == 500


def test_of_a_question_longer_than_any_the_beginning_is_read(
    caplog: pytest.LogCaptureFixture,
) -> None:
    assert truncate_question("国の" * 6_000, "question 3") == "国の" * 5_000
    assert "question 3: 12,000 characters; the first 10,000 are read" in caplog.text


def test_chatter_is_blanked_out_from_the_end() -> None:
    assert strip_chatter("谁写的？知道吗？！") == "谁写的||||||"
    assert strip_chatter("吗？") == "吗？"
