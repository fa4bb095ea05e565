"""Books of a folder are indexed before the page is served, each once."""

from __future__ import annotations

from pathlib import Path

import pytest

from answerer.serve.books import index_books
from indexer.address import index_name_of, is_index_name
from indexer.engines.opening import builder_for

RIVERS = "The Avon rises near Naseby and flows into the Severn at Tewkesbury."


@pytest.fixture(autouse=True)
def indexes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLASSICAL_QA_INDEXES", str(tmp_path / "indexes"))


def documents(name: str) -> int:
    found = builder_for(name).standing(name)
    assert found is not None
    return int(found["documents"]["paragraphs"])


def test_every_book_of_a_folder_under_its_own_name(tmp_path: Path) -> None:
    (tmp_path / "books").mkdir()
    (tmp_path / "books/Rivers of England.txt").write_text(RIVERS, "utf-8")
    (tmp_path / "books/.hidden").write_text("x", "utf-8")
    assert index_books([tmp_path / "books", tmp_path / "missing"]) == ["rivers-of-england"]
    assert documents("rivers-of-england") == 1


def test_a_book_is_indexed_again_only_when_its_file_changes(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    book = tmp_path / "rivers.txt"
    book.write_text(RIVERS, "utf-8")
    index_books([book])
    caplog.clear()
    assert index_books([book]) == ["rivers"]
    assert caplog.messages == []
    book.write_text(f"{RIVERS}\n\nThe Severn is longer than the Avon.", "utf-8")
    index_books([book])
    assert documents("rivers") == 2


def test_a_file_that_is_no_book_is_left_out_and_named(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "a.pdf").write_bytes(b"%PDF-1.4 damaged")
    (tmp_path / "b.txt").write_text(RIVERS, "utf-8")
    (tmp_path / "b.LICENSE").write_text("Reuse it as you like.", "utf-8")
    (tmp_path / "c.txt").touch()
    assert index_books([tmp_path]) == ["b"]
    left_out = [line for line in caplog.messages if "is left out: " in line]
    assert [line.count(str(tmp_path)) for line in left_out] == [1, 1, 1]
    assert left_out[1] == (
        f"{tmp_path}/b.LICENSE is left out: it is a README or licence (name it with --books to "
        f"index it)"
    )


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("Book.pdf", "book"),
        ("1984.epub", "book-1984"),
        ("川.txt", "川"),
        ("Vulkane fu\u0308r Schüler.pdf", "vulkane-für-schüler"),
        ("_.txt", "book"),
        ("𠮷" * 60 + ".txt", "𠮷" * 50),
    ],
)
def test_names_are_what_an_address_allows(file: str, name: str) -> None:
    assert index_name_of(file) == name
    assert is_index_name(name)


def test_quizzes_of_a_folder_are_left_out_unless_named(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    quiz = tmp_path / "quiz.txt"
    quiz.write_text("1. Where does the Avon rise?\nA. Naseby\nB. Rome\nAnswer: A\n", "utf-8")
    (tmp_path / "rivers.txt").write_text(RIVERS, "utf-8")
    assert index_books([tmp_path]) == ["rivers"]
    assert [line for line in caplog.messages if "left out" in line] == [
        f"{quiz} is left out: it looks like a quiz (name it with --books to index it)"
    ]
    assert index_books([quiz]) == ["quiz"]


def test_an_index_of_other_files_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    (tmp_path / "a/Rivers.txt").write_text(RIVERS, "utf-8")
    (tmp_path / "b/rivers.md").write_text(f"{RIVERS}\n\nThe Severn is long.", "utf-8")
    for _ in range(2):  # a second start finds each its own
        assert index_books([tmp_path / "a", tmp_path / "b"]) == ["rivers", "rivers-2"]
        assert [documents("rivers"), documents("rivers-2")] == [1, 2]


def test_a_book_of_the_same_size_and_other_words_is_indexed_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    book = tmp_path / "rivers.txt"
    book.write_text(RIVERS, "utf-8")
    index_books([book])
    book.write_text(RIVERS.replace("Naseby", "Rugby."), "utf-8")
    caplog.clear()
    index_books([book])
    assert f"indexing {book} as rivers" in caplog.messages
