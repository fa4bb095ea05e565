"""What the tests of the server answer from: an index of the sample textbook."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.answerer.serve.server import built


@pytest.fixture(scope="package")
def book(sample_book: str) -> str:
    """The address of an index of the English sample textbook."""
    return sample_book


@pytest.fixture
def own_book(tmp_path: Path) -> str:
    """One that a test may take away."""
    return built(tmp_path / "book", "textbook-en.jsonl")
