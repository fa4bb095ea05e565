"""The files of a textbook."""

from __future__ import annotations

from pathlib import Path

import pytest

from indexer.files.errors import UserError
from indexer.sources.textbook.passages import file_labels, textbook_files


def test_a_file_is_read_once_by_whatever_names_and_links_it_comes(tmp_path: Path) -> None:
    book, other, link = (tmp_path / name for name in ("book.txt", "other.txt", "link.txt"))
    book.write_text("A.")
    other.write_text("A.")
    link.symlink_to(book)
    assert textbook_files([str(link), f"{tmp_path}/*.txt"]) == [str(link), str(other)]


def test_names_in_doc_ids_have_no_blanks_and_nothing_that_nobody_sees() -> None:
    files = ["World History.txt", "World_History.txt", "a\nb\x1b[2J\u3000c.txt", " .txt", ".txt"]
    assert file_labels(files) == ["World_History", "World_History~2", "a_b_[2J_c", "_", "file"]


def test_a_name_longer_than_any_file_s_is_no_file() -> None:
    with pytest.raises(UserError, match="cannot be read"):
        textbook_files(["x" * 5_000])
