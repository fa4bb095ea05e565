"""An index of each kind, of the samples, for tests that go through many tasks."""

from __future__ import annotations

from pathlib import Path

from indexer.__main__ import main as indexer
from tests.places import SAMPLES
from tests.programs import invoked

_FILES = {
    "textbook": ["textbook-en.jsonl"],
    "triples": ["triples-zh.kb"],
    "datasets": ["datasearch-collection.jsonl.bz2", "datasearch-data.tar.bz2"],
}


def build_samples(folder: Path) -> None:
    """The indexes `textbook`, `triples` and `datasets` in a folder."""
    for kind, names in _FILES.items():
        paths = [str(SAMPLES / name) for name in names]
        invoked(indexer, kind, *paths, "--index", str(folder / kind))
