"""What the tests of multiple choice share: a book indexed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from indexer.engines.contract import Index
from indexer.engines.opening import open_index
from tests.books import index_of


@pytest.fixture(scope="session")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Index]:
    """Gives the index of a book of these paragraphs, opened."""

    def build(text: str, *options: str) -> Index:
        return open_index(index_of(tmp_path_factory.mktemp("book"), text, *options))

    return build
