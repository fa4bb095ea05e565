"""Essays and passages come out byte for byte the same on either engine."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from answerer.__main__ import main
from indexer.sources.textbook.build import command as textbook
from tests.places import SAMPLES


def written(task: str, language: str, address: str) -> str:
    """What a task writes on stdout, asking an index."""
    result = CliRunner().invoke(
        main, [task, str(SAMPLES / f"essay-{language}.xml"), "--index", address]
    )
    assert result.exception is None, result.exception
    return result.stdout


@pytest.mark.parametrize("language", ["en", "ja"])
def test_both_engines_write_the_same(
    language: str, tmp_path: Path, elasticsearch_address: str
) -> None:
    addresses = (str(tmp_path / "book"), elasticsearch_address)
    for address in addresses:
        built = CliRunner().invoke(
            textbook,
            [str(SAMPLES / f"textbook-{language}.jsonl"), "--index", address],
        )
        assert built.exception is None, built.exception
    for task in ("ntcir-essay", "ntcir-extraction"):
        embedded, elasticsearch = (written(task, language, address) for address in addresses)
        assert embedded == elasticsearch
