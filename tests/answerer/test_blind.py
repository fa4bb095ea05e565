"""A task answered blind, from a folder into a folder: the same as its command gives."""

from __future__ import annotations

import gzip
import shutil
from pathlib import Path

import pytest
import yaml

from tests.places import SAMPLES
from tests.programs import done, refused


def blind(task: str, given: Path, output: Path) -> None:
    done("answerer", "run", task, "--input", given, "--output", output)


def test_a_collection_is_ranked_for_its_queries(tmp_path: Path) -> None:
    blind("ranking", SAMPLES / "ranking-en", tmp_path / "out")
    lines = [line.split() for line in (tmp_path / "out" / "run.txt").read_text().splitlines()]
    first = {query_id: doc_id for query_id, _, doc_id, rank, *_ in lines if rank == "1"}
    assert first == {"1": "taj", "2": "suez", "3": "babur"}
    metadata = yaml.safe_load((tmp_path / "out" / "run.ir-metadata.yml").read_text())
    assert metadata["tag"] == "classical-qa"


def test_a_packed_collection_gives_the_same(tmp_path: Path) -> None:
    given = tmp_path / "given"
    given.mkdir()
    for name in ("documents", "queries"):
        (given / f"{name}.jsonl.gz").write_bytes(
            gzip.compress((SAMPLES / "ranking-en" / f"{name}.jsonl").read_bytes())
        )
    blind("ranking", given, tmp_path / "packed")
    blind("ranking", SAMPLES / "ranking-en", tmp_path / "plain")
    assert (tmp_path / "packed/run.txt").read_bytes() == (tmp_path / "plain/run.txt").read_bytes()


@pytest.mark.parametrize(
    ("documents", "said"),
    [(None, "documents.jsonl*"), ('{"docno": "a"}\n', "documents.jsonl:1: ")],
)
def test_what_cannot_be_ranked_is_one_line(
    tmp_path: Path, documents: str | None, said: str
) -> None:
    shutil.copy(SAMPLES / "ranking-en" / "queries.jsonl", tmp_path)
    if documents:
        (tmp_path / "documents.jsonl").write_text(documents)
    output = tmp_path / "out"
    assert said in refused(
        "answerer", "run", "ranking", "--input", str(tmp_path), "--output", str(output)
    )
    assert not output.exists()
