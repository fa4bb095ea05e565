"""How sources are cut into pieces, without machines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from indexer import cluster
from indexer.build import SourceFile
from indexer.ingest_report import IngestReport


class Here:
    """This process in the place of two machines."""

    size = 2

    def each(self, work: Callable[..., Any], given: Sequence[tuple[Any, ...]], named: str) -> list[Any]:
        return [work(*one) for one in given]

    def value(self, done: Any) -> Any:
        return done


def rejected(path: str, tally: IngestReport) -> Iterator[str]:
    tally.read += 1
    tally.reject(path, 1, "no fact", "damaged")
    yield from ()


def test_a_source_without_a_good_record_is_told_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "LEAST_BYTES", 1)
    path = tmp_path / "facts.kb"
    path.write_text("damaged\n")
    source = SourceFile(str(path), lambda tally: rejected(str(path), tally))
    found, told = cluster.cut_pieces(Here(), [source], keep_rejects=True)  # type: ignore[arg-type]
    assert told[str(path)].rejected == 1
    assert {piece.stop for piece in found} == {0}  # what loads them tells nothing again
