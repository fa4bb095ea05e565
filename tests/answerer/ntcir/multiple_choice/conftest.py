"""What the tests of multiple choice share: a book indexed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from indexer.address import open_index
from indexer.cli.parameters import click_command
from indexer.engines.contract import Index
from indexer.sources.textbook.build import command as index_textbook


@pytest.fixture(scope="session")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Index]:
    """Gives the index of a book of these paragraphs, opened."""

    def build(text: str, *options: str) -> Index:
        folder: Path = tmp_path_factory.mktemp("book")
        (folder / "book.txt").write_text(text, "utf-8")
        asking = [str(folder / "book.txt"), "--index", str(folder / "index"), *options]
        done = CliRunner().invoke(click_command(index_textbook), asking)
        assert done.exception is None
        return open_index(str(folder / "index"))

    return build
