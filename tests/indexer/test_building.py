"""Indexes built from Python: the same as the commands build, of files and of a program's own
documents."""

from __future__ import annotations

import gc
import json
import resource
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import indexer
from answerer import answer
from indexer import (
    BuiltIndex,
    UserError,
    build_datasets,
    build_reports,
    build_tables,
    build_textbook,
    build_triples,
)
from indexer.__main__ import main
from retriever import open_index
from tests.places import SAMPLES
from tests.programs import invoked

BUILDS: dict[str, tuple[Callable[[Path], BuiltIndex], list[str]]] = {
    "textbook": (
        lambda place: build_textbook(SAMPLES / "textbook-en.jsonl", place),
        ["textbook-en.jsonl"],
    ),
    "triples": (lambda place: build_triples(SAMPLES / "triples-zh.kb", place), ["triples-zh.kb"]),
    "tables": (lambda place: build_tables([SAMPLES / "tbqa.dev.txt"], place), ["tbqa.dev.txt"]),
    "datasets": (
        lambda place: build_datasets(
            [SAMPLES / "datasearch-collection.jsonl.bz2", SAMPLES / "datasearch-data.tar.bz2"],
            place,
        ),
        ["datasearch-collection.jsonl.bz2", "datasearch-data.tar.bz2"],
    ),
    "reports": (
        lambda place: build_reports(SAMPLES / "u4-reports.tar.xz", place),
        ["u4-reports.tar.xz"],
    ),
}
BOOKS = [
    {"id": "r", "title": "Rome", "text": "Augustus ruled Rome."},
    {"docno": "i", "title": "India", "text": "Ashoka ruled India. The Ganges flows."},
    {"text": "Nothing has a title here."},
]


@pytest.mark.process
@pytest.mark.parametrize("kind", BUILDS)
def test_an_index_is_the_one_that_the_command_builds(kind: str, tmp_path: Path) -> None:
    build, names = BUILDS[kind]
    files = [str(SAMPLES / name) for name in names]
    invoked(main, kind, *files, "--index", str(tmp_path / "command"))
    built = build(tmp_path / "python")
    with open_index(tmp_path / "command") as index:
        assert built.metadata == index.metadata
    assert built.kind == kind
    assert built.read > built.rejected


def test_a_record_says_what_was_built(tmp_path: Path) -> None:
    built = build_textbook([SAMPLES / "textbook-en.jsonl"], tmp_path / "book", names=False)
    assert built.documents == {"sentences": 205, "paragraphs": 41}
    assert repr(built) == f"<Index {tmp_path}/book: textbook, en, 246 documents>"
    assert built.language == "en"


def test_documents_of_a_program_become_an_index(tmp_path: Path) -> None:
    def documents() -> Iterator[dict[str, str]]:
        yield from BOOKS

    built = build_textbook(documents(), tmp_path / "book")
    with open_index(built) as index:
        found = index.search("Who ruled India?", k=1)[0]
        kept = index.part("paragraphs").lookup("source_id", ["i"])[0]
    assert (found.title, found.text, found.doc_id) == (
        "India",
        "Ashoka ruled India.",
        "documents-0000002-001",
    )
    assert [one.text for one in kept] == ["Ashoka ruled India. The Ganges flows."]


def test_triples_of_a_program_become_an_index(tmp_path: Path) -> None:
    facts = [("青河", "长度", "120\n公里"), ("青河", "源头", "白山"), ("白山", "高度", "2000米")]
    built = build_triples(iter(facts), tmp_path / "kb")
    assert repr(built) == f"<Index {tmp_path}/kb: triples, zh, 2 documents>"
    assert built.metadata.sources[0][0].startswith("triples ")
    run = answer("nlpcc-kbqa", ["青河的长度是多少？"], index=built, evidence=False)
    assert "120 公里" in run.text
    assert build_triples(facts, tmp_path / "kb").metadata == built.metadata


def test_tables_of_a_program_become_an_index(tmp_path: Path) -> None:
    tables = [
        ("Rivers", ["River", "Length"], [["Arle", "210 km"]]),
        ("Mayors", ["Name"], [["Ada"]]),
    ]
    built = build_tables(iter(tables), tmp_path / "tables")
    with open_index(built) as index:
        found = index.search("How long is the Arle?", k=5)
    assert [(hit.doc_id, hit.text) for hit in found] == [
        ("tables-0000001", "Rivers: River, Length")
    ]


def test_what_pandas_lacks_is_empty_and_no_text(tmp_path: Path) -> None:
    nan = float("nan")
    books = [
        {"id": nan, "title": nan, "text": "Ada was born."},
        {"id": nan, "title": None, "text": "Bo sang."},
    ]
    with open_index(build_textbook(books, tmp_path / "book", language="en", names=False)) as index:
        assert [(hit.title, hit.text) for hit in index.search("Bo", k=1)] == [("", "Bo sang.")]
        assert [index.part("paragraphs").lookup("source_id", ["nan"])] == [[[]]]
    with open_index(
        build_tables([("Rivers", ["River", None], [["Arle", nan]])], tmp_path / "tables")
    ) as index:
        assert [hit.text for hit in index.search("nan None Arle river")] == ["Rivers: River, "]


def test_a_program_without_stderr_builds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    assert (
        build_textbook(
            [{"text": "Ada was born."}], tmp_path / "book", language="en", names=False
        ).read
        == 1
    )


@pytest.mark.process
def test_datasets_of_a_program_become_an_index(tmp_path: Path) -> None:
    rain = "year,rain\n2001,310\n2002,290\n"
    datasets = [
        {"id": "d1", "title": "Rainfall by year", "files": {"rain.csv": rain}},
        {
            "id": "d2",
            "title": "The same, as bytes",
            "files": {"copy.csv": rain.encode(), "none.bin": b"\0\1"},
        },
    ]
    built = build_datasets(iter(datasets), tmp_path / "data")
    assert dict(built.documents)["datasets"] == 2
    assert (built.read, built.rejected) == (4, 1)
    assert built.examples[0].startswith(built.metadata.sources[0][0])
    run = answer(
        "datasearch-qa", [("q1", "How much rain fell in 2002?", "d2")], index=built, evidence=False
    )
    assert "290" in run.text


def test_the_same_documents_may_be_built_again_and_others_only_on_demand(tmp_path: Path) -> None:
    first, second = (build_textbook(BOOKS, tmp_path / "book") for _ in range(2))
    assert first == second
    with pytest.raises(UserError, match="--replace"):
        build_textbook(BOOKS[:1], tmp_path / "book")
    assert build_textbook(BOOKS[:1], tmp_path / "book", replace=True).read == 1


def test_a_rejected_record_is_told(tmp_path: Path) -> None:
    file = tmp_path / "book.jsonl"
    file.write_text("".join(json.dumps(one) + "\n" for one in BOOKS) + "{}\n", "utf-8")
    built = build_textbook(file, tmp_path / "book")
    assert (built.read, built.rejected) == (4, 1)
    assert built.examples[0].startswith(f"{file}:4: ")


def test_a_full_disk_is_a_users_error_and_leaves_nothing(tmp_path: Path) -> None:
    """A process that may write files of 100 bytes at most."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
    try:
        with pytest.raises(UserError, match="cannot be written"):
            build_textbook(({"text": "Rome was built."} for _ in range(10)), tmp_path / "book")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert list(tmp_path.iterdir()) == []


def test_python_looks_for_garbage_as_before(tmp_path: Path) -> None:
    before = gc.get_threshold()
    build_textbook(BOOKS, tmp_path / "book", names=False)
    assert gc.get_threshold() == before


REFUSED: dict[str, Callable[[], object]] = {
    "missing.txt: ": lambda: build_textbook("missing.txt"),
    "missing.kb: ": lambda: build_triples("missing.kb"),
    "no tables: expected one or more": lambda: build_tables([]),
    "no triples: expected one or more": lambda: build_triples([]),
    "no datasets: expected one or more": lambda: build_datasets([]),
    "5: expected files, or datasets one by one": lambda: build_datasets(5),  # type: ignore[arg-type]
    "triple 1: expected three texts": lambda: build_triples([("a", "b")]),  # type: ignore[list-item]
    "triple 2: expected three texts": lambda: build_triples([("a", "b", "c"), ("a", " ", "c")]),
    "triple 1: `|||` in its subject": lambda: build_triples([("a ||| b", "c", "d")]),
    "table 1: expected a caption": lambda: build_tables([("a", ["b"])]),  # type: ignore[list-item]
    "table 1: expected a caption,": lambda: build_tables([("a", None, [["b"]])]),  # type: ignore[list-item]
    "table 2: expected a caption": lambda: build_tables([("a", ["b"], [["c"]]), ("a", ["b"], 5)]),  # type: ignore[list-item]
    "table 1: _|_ or _||_ in a cell": lambda: build_tables([("a", ["b"], [["c_|_d"]])]),
    "dataset 1: expected a mapping with an id and files": lambda: build_datasets([{"id": "1"}]),
    "dataset 1: x.csv: expected its content": lambda: build_datasets(
        [{"id": "1", "files": {"x.csv": 5}}]
    ),
    "no documents: expected one or more": lambda: build_textbook([]),
    "document 1: expected a mapping with a text": lambda: build_textbook([{"title": "Rome"}]),
    "document 2: expected a mapping with a text": lambda: build_textbook([BOOKS[0], "Rome"]),  # type: ignore[arg-type]
    "jobs is 0: expected 1 or more": lambda: build_textbook(BOOKS, "./x", jobs=0),
    "xx: no such language": lambda: build_textbook(BOOKS, "./x", language="xx"),
    "'Two Words'": lambda: build_textbook(BOOKS, "Two Words"),
}


@pytest.mark.parametrize("line", REFUSED)
def test_what_the_command_would_refuse_is_a_users_error(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(indexer.UserError) as refused:
        REFUSED[line]()
    assert line in str(refused.value)
    assert list(tmp_path.iterdir()) == []
