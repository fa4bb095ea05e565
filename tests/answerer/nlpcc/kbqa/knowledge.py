"""A small knowledge base for tests, indexed for real."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from indexer.sources.triples.build import command
from tests.places import SAMPLES

KB = SAMPLES / "triples-zh.kb"
QUESTIONS = SAMPLES / "kbqa-zh.txt"


def build(address: str, *arguments: str, kb: Path = KB) -> None:
    """Index a knowledge base at an address."""
    result = CliRunner().invoke(command, [str(kb), "--index", address, *arguments])
    assert result.exception is None, result.exception
