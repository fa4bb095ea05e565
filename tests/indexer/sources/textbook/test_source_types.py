"""What an extraction run may call its sources."""

from __future__ import annotations

from pathlib import Path

from tests.places import SAMPLES
from tests.programs import refused


def test_a_type_of_source_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    book, index = str(SAMPLES / "textbook-en.jsonl"), tmp_path / "index"
    line = refused("indexer", "textbook", book, "--index", str(index), "--source-type", "FOO")
    assert line == "--source-type FOO: expected WEB, QALAB3, PARTICIPANT"
    assert not index.exists()
