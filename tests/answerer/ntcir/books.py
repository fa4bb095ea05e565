"""The sample textbooks as indexes, built once for the tests that ask them."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from indexer.sources.textbook.build import command
from tests.places import SAMPLES


def build_sample(folder: Path, language: str) -> str:
    """The address of an index of the sample textbook of a language."""
    address = str(folder / f"textbook-{language}")
    result = CliRunner().invoke(
        command, [str(SAMPLES / f"textbook-{language}.jsonl"), "--index", address]
    )
    assert result.exception is None, result.exception
    return address
