"""A collection of candidates ranked for its own questions: both engines give the same run, with a
model and without."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from answerer.__main__ import main as answerer
from indexer.__main__ import main as indexer
from retriever.__main__ import main as retriever
from tests.places import SAMPLES
from tests.programs import invoked


def run(program: click.Command, *arguments: object) -> str:
    return invoked(program, *arguments).stdout


@pytest.mark.parametrize(
    ("kind", "file"),
    [("textbook", "dbqa.dev.txt"), ("textbook", "selqa.dev.json"), ("tables", "tbqa.dev.txt")],
)
def test_both_engines_give_a_run_of_the_same_bytes(
    kind: str, file: str, elasticsearch_address: str, tmp_path: Path
) -> None:
    questions, runs = SAMPLES / file, []
    for address in (f"{tmp_path}/index/", elasticsearch_address):
        run(indexer, kind, questions, "--index", address)
        runs.append(
            run(retriever, address, "--format", "trec", "-k", 100, "--questions", questions)
        )
    assert len(runs[0].splitlines()) > 6
    assert runs[0] == runs[1]


def ranked(address: str, *options: object) -> list[tuple[str, ...]]:
    """query_id, doc_id and rank of each line of the run."""
    lines = run(retriever, address, "--format", "trec", "-k", 5, *options).splitlines()
    return [tuple(cells[place] for place in (0, 2, 3)) for cells in map(str.split, lines)]


@pytest.mark.parametrize(
    ("kind", "task", "file"),
    [("textbook", "nlpcc-dbqa", "dbqa.dev.txt"), ("tables", "nlpcc-tbqa", "tbqa.dev.txt")],
)
def test_both_engines_rank_a_collection_alike(
    kind: str, task: str, file: str, elasticsearch_address: str, tmp_path: Path
) -> None:
    embedded, questions, model = f"{tmp_path}/index/", SAMPLES / file, tmp_path / "model"
    run(answerer, "train", task, questions, "-o", model, "--folds", 3)
    for address in (embedded, elasticsearch_address):
        run(indexer, kind, questions, "--index", address)
    for options in (["--questions", questions], ["--questions", questions, "--model", model]):
        ours = ranked(embedded, *options)
        assert len(ours) >= 6
        assert ranked(elasticsearch_address, *options) == ours
