"""Terms, essays and extraction from several indexes: each passage with its source, cited as its
source is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from answerer.__main__ import main
from answerer.formats.topics import read_extraction
from indexer.sources.textbook.build import command as index_textbook
from tests.places import SAMPLES
from tests.programs import invoked


@pytest.fixture(scope="module")
def halves(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The sample textbook in two indexes: its first half, and its second, cited as the team's
    own."""
    folder = tmp_path_factory.mktemp("halves")
    lines = (SAMPLES / "textbook-en.jsonl").read_text("utf-8").splitlines(keepends=True)
    middle = len(lines) // 2
    addresses = []
    for name, half, cited in (
        ("early", lines[:middle], "QALAB3"),
        ("late", lines[middle:], "PARTICIPANT"),
    ):
        (folder / f"{name}.jsonl").write_text("".join(half), "utf-8")
        addresses.append(str(folder / name))
        arguments = [
            str(folder / f"{name}.jsonl"),
            "--index",
            addresses[-1],
            "--source-type",
            cited,
        ]
        invoked(index_textbook, *arguments)
    return addresses


def run(task: str, sheet: str, addresses: list[str], *options: str) -> Result:
    asked = [word for address in addresses for word in ("--index", address)]
    return invoked(main, task, SAMPLES / sheet, *asked, *options)


def candidates(
    task: str, sheet: str, addresses: list[str], folder: Path
) -> Iterator[dict[str, Any]]:
    run(
        task,
        sheet,
        addresses,
        "-o",
        str(folder / "run.xml"),
        "--trace",
        str(folder / "trace.jsonl"),
    )
    for line in (folder / "trace.jsonl").read_text("utf-8").splitlines()[1:]:
        yield from json.loads(line)["candidates"]


@pytest.mark.parametrize(
    ("task", "sheet"), [("ntcir-term", "term-en.xml"), ("ntcir-essay", "essay-en.xml")]
)
def test_every_passage_names_its_source(
    halves: list[str], tmp_path: Path, task: str, sheet: str
) -> None:
    found = set()
    for candidate in candidates(task, sheet, halves, tmp_path):
        for evidence in candidate["evidence"]:
            assert evidence["doc_id"].startswith(Path(evidence["source"]).name)
            found.add(evidence["source"])
    assert found == set(halves)


def test_one_index_names_no_source(halves: list[str], tmp_path: Path) -> None:
    for candidate in candidates("ntcir-term", "term-en.xml", halves[:1], tmp_path):
        assert "source" not in candidate["evidence"][0]


def test_a_passage_is_cited_as_its_source_is(halves: list[str], tmp_path: Path) -> None:
    out = tmp_path / "run.xml"
    run(
        "ntcir-extraction",
        "essay-en.xml",
        halves,
        "-o",
        str(out),
        "--trace",
        str(tmp_path / "trace.jsonl"),
    )
    lines = [
        json.loads(line) for line in (tmp_path / "trace.jsonl").read_text("utf-8").splitlines()
    ]
    assert lines[0]["run"]["parameters"]["source_type"] == "QALAB3, PARTICIPANT"
    types = dict(zip(halves, ("QALAB3", "PARTICIPANT"), strict=True))
    cited = [
        passage.source_type for passages in read_extraction(out).values() for passage in passages
    ]
    assert cited == [
        types[candidate["evidence"][0]["source"]]
        for line in lines[1:]
        for candidate in line["candidates"]
    ]
    assert set(cited) == set(types.values())


@pytest.mark.parametrize(
    ("task", "sheet"), [("ntcir-term", "term-en.xml"), ("ntcir-essay", "essay-en.xml")]
)
def test_sources_with_and_without_a_glossary_are_asked_together(
    halves: list[str], tmp_path: Path, task: str, sheet: str
) -> None:
    other = str(tmp_path / "other")
    glossary = ["--terms", str(SAMPLES / "glossary-en.csv")]
    (tmp_path / "late.jsonl").write_text(
        (Path(halves[1]).parent / "late.jsonl").read_text("utf-8"), "utf-8"
    )
    invoked(index_textbook, str(tmp_path / "late.jsonl"), *glossary, "--index", other)
    found = {passage["source"] for one in candidates(task, sheet, [halves[0], other], tmp_path)
             for passage in one["evidence"]}  # fmt: skip
    assert found == {halves[0], other}
