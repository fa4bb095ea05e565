"""What the tests of exams by names share: a book indexed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from indexer.address import open_index
from indexer.engines.contract import Index
from indexer.sources.textbook.command import command as index_textbook


@pytest.fixture(scope="session")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Index]:
    """Gives the index of a book of these paragraphs, opened."""

    def build(text: str) -> Index:
        folder: Path = tmp_path_factory.mktemp("book")
        (folder / "book.txt").write_text(text, "utf-8")
        done = CliRunner().invoke(index_textbook, [str(folder / "book.txt"), "--index", str(folder / "index")])
        assert done.exception is None
        return open_index(str(folder / "index"))

    return build
