"""What people have books in that is no running text is refused by what it is, before anything is
built."""

from __future__ import annotations

import bz2
import gzip
import io
import os
import tarfile
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from indexer.files.errors import UserError
from indexer.ingest_report import IngestReport
from indexer.languages.chinese import CHINESE
from indexer.languages.english import ENGLISH
from indexer.sources.textbook.build import command
from indexer.sources.textbook.passages import file_language, form_of, open_records
from tests.programs import refused
from tests.refusals import names


def zipped() -> bytes:
    with zipfile.ZipFile(file := io.BytesIO(), "w") as archive:
        archive.writestr("book.txt", "Akbar ruled.")
    return file.getvalue()


def tarred() -> bytes:
    with tarfile.open(fileobj=(file := io.BytesIO()), mode="w") as archive:
        archive.addfile(tarfile.TarInfo("book.txt"))
    return file.getvalue()


@pytest.mark.parametrize(
    ("name", "content", "what"),
    [
        ("a.rtf", b"{\\rtf1 Akbar ruled.}", "an RTF document"),
        ("a.docx", zipped(), "a zip archive"),
        ("a.tar.gz", gzip.compress(tarred()), "a tar archive"),
        ("a.txt", bz2.compress(b"Akbar ruled."), "packed with bzip2; end its name in .bz2"),
        ("a.txt", b"\x89PNG\r\n\x1a\n\0\0", "a PNG image"),
        ("a.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Word or Office file"),
        (
            "a.docx",
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0" + "EncryptedPackage".encode("utf-16-le"),
            "a document that is locked with a password; save a copy without a password",
        ),
    ],
)
def test_what_is_no_text_is_refused_by_what_it_is(
    tmp_path: Path, name: str, content: bytes, what: str
) -> None:
    (tmp_path / name).write_bytes(content)
    said = refused("indexer", "textbook", str(tmp_path / name), "--index", str(tmp_path / "index"))
    assert said.startswith(f"{tmp_path / name}: {what}")
    assert "expected plain text, PDF, EPUB, DOCX, HTML" in said
    assert not (tmp_path / "index").exists()


def test_a_workbook_is_sent_to_the_command_that_reads_a_quiz(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "quiz.xlsx", "w") as workbook:
        workbook.writestr("xl/workbook.xml", "<workbook/>")
    said = refused("indexer", "textbook", str(tmp_path / "quiz.xlsx"), "--index", "quiz")
    assert said.endswith(
        "an Excel workbook is no book; a quiz is read by `classical-qa check-quiz`"
    )


@pytest.mark.parametrize(
    "text",
    ["HTML, PDF and ustar are three words.", "[Illustration]\n\nRome", "{{Rome}} is a town."],
)
def test_a_text_that_speaks_of_html_or_begins_in_brackets_is_text(
    tmp_path: Path, text: str
) -> None:
    (tmp_path / "a.txt").write_text(f"{text}\n", "utf-8")
    assert form_of(str(tmp_path / "a.txt")) == "plain"


def test_a_pipe_is_refused_since_a_book_is_read_more_than_once(tmp_path: Path) -> None:
    os.mkfifo(pipe := tmp_path / "pipe")
    result = CliRunner().invoke(command, [str(pipe), "--index", str(tmp_path / "index")])
    assert names(str(result.exception), pipe)


def test_the_letters_of_a_file_are_read_in_the_encodings_of_the_language_that_is_said(
    tmp_path: Path,
) -> None:
    """Korean in its own encoding is Chinese to who knows that of none but Japanese: no language
    here claims Hangul."""
    book = tmp_path / "book.txt"
    book.write_bytes("세종대왕은 훈민정음을 창제하였다.\n".encode("cp949"))
    assert file_language(str(book)) == CHINESE
    assert file_language(str(book), ("cp949",)) == ENGLISH  # which is of blanks too


@pytest.mark.parametrize(
    ("name", "content", "what"),
    [
        ("a.txt", "% a book\n\n\\documentclass{book}\n", "a LaTeX document; make a PDF of it"),
        ("a.tex", "Akbar \\emph{ruled}.\n", "a LaTeX document; make a PDF of it"),
        ("a.srt", "1\n00:00:01,000 --> 00:00:04,000\nAkbar ruled.\n", "subtitles; save their text"),
        (
            "a.vtt",
            "WEBVTT\n\n00:01.000 --> 00:04.000\nAkbar ruled.\n",
            "subtitles; save their text",
        ),
        (
            "a.eml",
            "Received: by x\nFrom: a@b.example\n\nAkbar ruled.\n",
            "an e-mail; save its text",
        ),
    ],
)
def test_text_of_marks_is_refused_with_a_way_out(
    tmp_path: Path, name: str, content: str, what: str
) -> None:
    (path := tmp_path / name).write_text(content)
    with pytest.raises(UserError, match=what):
        form_of(str(path))


@pytest.mark.parametrize(
    ("name", "content", "form"),
    [("a.pdf", "Akbar ruled.", "plain text"), ("a.epub", "<html><p>Akbar ruled.", "HTML")],
)
def test_a_file_that_is_not_what_its_name_says_is_told(
    tmp_path: Path, name: str, content: str, form: str, caplog: pytest.LogCaptureFixture
) -> None:
    (path := tmp_path / name).write_text(content)
    with caplog.at_level("INFO", "classical_qa"):
        assert len(list(open_records(str(path), "a", ENGLISH, IngestReport()))) == 1
    assert caplog.messages == [f"{path}: read as {form}: it is not what its name says"]
