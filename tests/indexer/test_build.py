"""What a build may put in place: never over something else unasked, never nothing, never mostly
rejects."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from indexer.__main__ import main
from indexer.build import Batch, BuildOptions, Corpus, SourceFile, build_index
from indexer.engines.contract import Document, Metadata, Part
from indexer.engines.opening import open_index
from indexer.files.errors import UserError
from indexer.ingest_report import IngestReport
from indexer.languages.english import ENGLISH
from tests.programs import invoked


def index(*arguments: str | Path) -> str:
    """What the command says; its error is raised."""
    return invoked(main, *arguments).output


def a_book(
    folder: Path, name: str = "book", text: str = "Rome was founded on seven hills."
) -> Path:
    path = folder / f"{name}.jsonl"
    path.write_text(json.dumps({"id": name, "title": "Rome", "text": text}) + "\n", "utf-8")
    return path


def a_knowledge_base(folder: Path, lines: int = 3, damaged: int = 0) -> Path:
    path = folder / "facts.kb"
    good = [f"罗马{number} ||| 国家 ||| 意大利\n" for number in range(lines)]
    path.write_text("".join([*good, *["damaged\n"] * damaged]), "utf-8")
    return path


def test_an_index_of_other_sources_is_replaced_only_when_told(tmp_path: Path) -> None:
    place = tmp_path / "here"
    index("textbook", a_book(tmp_path), "--index", place)
    other = a_book(tmp_path, "other", "Athens lies in Attica.")
    with pytest.raises(
        UserError, match=r"index \(textbook, en, built 20.* from .*book.jsonl\): .*--replace"
    ):
        index("textbook", other, "--index", place)
    assert open_index(str(place)).metadata.sources[0][0].endswith("/book.jsonl")
    index("textbook", other, "--index", place, "--replace")
    assert open_index(str(place)).metadata.sources[0][0].endswith("other.jsonl")


def test_an_index_of_another_kind_is_replaced_only_when_told(tmp_path: Path) -> None:
    place = tmp_path / "here"
    index("textbook", a_book(tmp_path), "--index", place)
    with pytest.raises(UserError, match=f"^{place} "):
        index("triples", a_knowledge_base(tmp_path), "--index", place)
    index("triples", a_knowledge_base(tmp_path), "--index", place, "--replace")
    assert open_index(str(place)).metadata.kind == "triples"


@pytest.mark.parametrize(
    ("option", "difference"),
    [
        (["--unit", "paragraph"], "unit: sentence there, paragraph now"),
        (["--no-names"], "parts: sentences + paragraphs + names there, sentences + paragraphs now"),
        (["--source-type", "web"], "source_type: QALAB3 there, WEB now"),
        (["--language", "ja"], "language: en there, ja now"),
        (["--terms", "glossary.csv"], "terms"),
        (["--without", "left-out.txt"], "left_out"),
    ],
)
def test_an_index_of_other_options_is_replaced_only_when_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, option: list[str], difference: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "glossary.csv").write_text("name,kind\nRome,place\n", "utf-8")
    (tmp_path / "left-out.txt").write_text("Carthage was destroyed.\n", "utf-8")
    build = ("textbook", a_book(tmp_path), "--index", tmp_path / "here")
    index(*build)
    before = open_index(str(tmp_path / "here")).metadata
    with pytest.raises(UserError, match="--replace") as refused:
        index(*build, *option)
    assert f"with other options ({difference}): " in str(refused.value)
    assert open_index(str(tmp_path / "here")).metadata == before
    index(*build, *option, "--replace")
    assert open_index(str(tmp_path / "here")).metadata != before


def test_an_index_of_another_version_is_built_again_by_its_command(tmp_path: Path) -> None:
    place = tmp_path / "here"
    index("textbook", a_book(tmp_path), "--index", place)
    stored = json.loads((place / "metadata.json").read_text())
    stored["settings"]["analysis"] -= 1
    stored["parts"] = stored["parts"][:1]
    (place / "metadata.json").write_text(json.dumps(stored))
    index("textbook", a_book(tmp_path), "--index", place)
    assert len(open_index(str(place)).metadata.parts) == 3


def test_the_same_sources_replace_their_index_whatever_they_hold_now(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "here"
    index("textbook", a_book(tmp_path), "--index", place)
    a_book(tmp_path, text="Rome was not built in a day.")
    monkeypatch.chdir(tmp_path)
    index("textbook", "book.jsonl", "--index", place)
    assert [document.text for document in open_index(str(place)).part().scan()] == [
        "Rome was not built in a day."
    ]


def test_an_index_without_a_document_is_never_put_in_place(tmp_path: Path) -> None:
    place = tmp_path / "here"
    book = a_book(tmp_path)
    index("textbook", book, "--index", place)
    a_book(tmp_path, text="…")
    with pytest.raises(
        UserError, match="nothing to index: 1 records read, no sentences among them"
    ):
        index("textbook", book, "--index", place, "--allow-rejects")
    assert len(open_index(str(place)).part()) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["book.jsonl", "here"]


def test_a_build_that_rejects_more_than_half_stops_and_says_why(tmp_path: Path) -> None:
    rejects = tmp_path / "rejects.jsonl"
    command = (
        "triples",
        a_knowledge_base(tmp_path, 3, 4),
        "--index",
        tmp_path / "here",
        "--rejects",
        rejects,
    )
    with pytest.raises(
        UserError, match=r"4 of 7 records are rejected \(.*facts.kb:4: .*--allow-rejects"
    ):
        index(*command)
    assert len(rejects.read_text("utf-8").splitlines()) == 4
    assert not (tmp_path / "here").exists()
    assert not list(tmp_path.glob(".here*"))
    index(*command, "--allow-rejects")
    assert len(open_index(str(tmp_path / "here")).part()) == 3


def test_half_rejected_is_not_more_than_half(tmp_path: Path) -> None:
    index("triples", a_knowledge_base(tmp_path, 3, 3), "--index", tmp_path / "here")
    assert len(open_index(str(tmp_path / "here")).part()) == 3


def test_a_file_whose_every_record_is_rejected_stops_the_build(tmp_path: Path) -> None:
    book = a_book(tmp_path)
    facts = a_knowledge_base(tmp_path, 30)
    with pytest.raises(UserError, match=r"book.jsonl: not one of its 1 records can be used \("):
        index("triples", facts, "--mentions", book, "--index", tmp_path / "here")
    assert not list(tmp_path.glob("*here*"))


def test_unlike_languages_in_one_build_are_refused(tmp_path: Path) -> None:
    english, japanese = a_book(tmp_path), a_book(tmp_path, "ja", "ローマは七つの丘に建てられた。")
    with pytest.raises(UserError, match=r"ja.jsonl is ja, .*book.jsonl en: .*--language"):
        index("textbook", english, japanese, "--index", tmp_path / "here")
    index("textbook", english, japanese, "--index", tmp_path / "here", "--language", "en")


def _records(count: int, stop: BaseException | None, tally: IngestReport) -> Iterator[str]:
    for number in range(count):
        tally.read += 1
        yield f"{number}"
    if stop:
        raise stop


def _made(items: list[str]) -> Batch:
    return Batch({"sentences": [Document(item, item, {"text": ["word"]}) for item in items]})


@pytest.mark.parametrize("stop", [KeyboardInterrupt(), SystemExit(143)])
def test_a_stopped_build_notes_what_stands_and_leaves_nothing(
    tmp_path: Path, stop: BaseException
) -> None:
    sources = [
        SourceFile("one", partial(_records, 3, None)),
        SourceFile("two", partial(_records, 300, stop)),
    ]
    corpus = Corpus(
        Metadata("textbook", (Part("sentences", ("text",)),), ENGLISH, {}), sources, _made
    )
    address = str(tmp_path / "index")
    with pytest.raises(type(stop)) as raised:
        build_index(address, corpus, BuildOptions())
    assert raised.value.__notes__[-1] == f"what was at {address} stays as it was"
    assert list(tmp_path.iterdir()) == []
