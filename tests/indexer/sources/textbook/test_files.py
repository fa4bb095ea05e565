"""The files of a textbook."""

from __future__ import annotations

from pathlib import Path

from indexer.sources.textbook.files import textbook_files


def test_a_file_is_read_once_by_whatever_names_and_links_it_comes(tmp_path: Path) -> None:
    book, other, link = (tmp_path / name for name in ("book.txt", "other.txt", "link.txt"))
    book.write_text("A.")
    other.write_text("A.")
    link.symlink_to(book)
    assert textbook_files([str(link), f"{tmp_path}/*.txt"]) == [str(link), str(other)]
