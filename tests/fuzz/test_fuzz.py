"""Twelve changed inputs for every reader of files, the same in every run; `make fuzz` makes
200,000 for readers and commands."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from indexer.files.errors import UserError
from tests.fuzz.corpus import inside
from tests.fuzz.mutations import LONGEST, mutated
from tests.fuzz.pieces import fuzz
from tests.fuzz.targets import Corpus, Finding, Reader, reader_check, readers

pytestmark = pytest.mark.process


def test_what_readers_get_is_read_or_clearly_refused(corpus: Path) -> None:
    assert list(fuzz(corpus, dict.fromkeys(readers(), 12), seed=0)) == []


def test_readers_of_every_room_are_found() -> None:
    rooms = {name.partition(".")[0] for name in readers()}
    assert rooms == {"indexer", "retriever", "answerer", "evaluation"}
    assert {
        "answerer.formats.exam.read.read_exam",
        "indexer.files.archive.members",
    } <= readers().keys()


def test_the_same_number_makes_the_same_input(corpus: Path) -> None:
    files = Corpus(corpus).texts
    for number in range(200):
        first, again = (
            mutated(files[number % len(files)], random.Random(number), files) for _ in range(2)
        )
        assert first == again
        assert len(first) <= 2 * LONGEST


def failing(path: str) -> object:
    """Fails for every file, as its name says."""
    raise {"a": ValueError("a bug"), "b": UserError(f"{path}:99: beyond the end")}[Path(path).name]


@pytest.mark.parametrize(
    ("name", "error", "words"), [("a", ValueError, "a bug"), ("b", Finding, "a line beyond the")]
)
def test_what_is_no_clear_error_is_found(
    tmp_path: Path, name: str, error: type[Exception], words: str
) -> None:
    (tmp_path / name).write_text("x", "utf-8")
    with inside(tmp_path):
        check = reader_check(Reader(failing), Corpus(tmp_path))
        with pytest.raises(error, match=words):
            check(random.Random(0))
