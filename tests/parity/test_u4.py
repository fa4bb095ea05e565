"""U4 over all reports on both engines: the same reports read back, the same tables found, byte for
byte."""

from __future__ import annotations

from pathlib import Path

from answerer.answering import answer
from indexer.build import BuildOptions
from indexer.engines.opening import open_index
from indexer.sources.reports.build import build
from tests.places import SAMPLES


def test_both_engines_give_the_same_tables(elasticsearch_address: str, tmp_path: Path) -> None:
    addresses = (f"{tmp_path}/ix/", elasticsearch_address)
    for address in addresses:
        build([str(SAMPLES / "u4-reports.tar.xz")], address, BuildOptions())
    for part in ("tables", "reports"):
        ours, theirs = (list(open_index(address).part(part).scan()) for address in addresses)
        assert ours == theirs
        assert ours
    ours, theirs = (
        answer("u4-tr", SAMPLES / "u4-tr.questions.json", index=address) for address in addresses
    )
    assert ours.files == theirs.files
    assert ours.questions == theirs.questions
