"""WikiExtractor's output into an index: folders, files of documents, JSON lines, and what only
looks like them."""

from __future__ import annotations

import bz2
import json
from pathlib import Path

import pytest

from indexer.engines.contract import Index
from indexer.sources.textbook.build import command
from indexer.sources.textbook.passages import file_labels, textbook_files
from tests.books import build
from tests.ingest_counts import records
from tests.places import SAMPLES
from tests.programs import refusal
from tests.refusals import raises_at

AKBAR = '<doc id="5" url="https://a.example/?curid=5" title="Akbar">\nAkbar\n\nAkbar ruled Agra. He was kind.\n\n{}</doc>\n'


def places(index: Index) -> list[tuple[str, str, str]]:
    """doc_id, title and text of each paragraph."""
    return [
        (each.doc_id, each.keys["title"][0], each.text) for each in index.part("paragraphs").scan()
    ]


def write(folder: Path, text: str, name: str = "wiki_00") -> str:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_bytes(bz2.compress(text.encode()) if name.endswith(".bz2") else text.encode())
    return str(path)


@pytest.mark.parametrize("name", ["wiki_00", "wiki_00.bz2", "akbar.txt"])
def test_a_document_gives_its_lines_without_its_title(tmp_path: Path, name: str) -> None:
    index, said = build(tmp_path, write(tmp_path / "x", AKBAR.format("Fort.\nIt is red.\n"), name))
    label = name.split(".")[0]
    assert places(index) == [
        (f"{label}-0000001", "Akbar", "Akbar ruled Agra. He was kind."),
        (f"{label}-0000002", "Akbar: Fort", "Fort."),
        (f"{label}-0000003", "Akbar: Fort", "It is red."),
    ]
    assert records(said) == (1, 1, 0)


def test_json_lines_give_the_same_as_documents(tmp_path: Path) -> None:
    record = {"id": "5", "revid": "6", "url": "https://a.example", "title": "Akbar"}
    text = "Akbar\n\nAkbar ruled Agra. He was kind.\n\nFort.\nIt is red.\n"
    index, _ = build(tmp_path, write(tmp_path / "x", json.dumps({**record, "text": text}) + "\n"))
    assert [place[1:] for place in places(index)] == [
        ("Akbar", "Akbar ruled Agra. He was kind."),
        ("Akbar: Fort", "Fort."),
        ("Akbar: Fort", "It is red."),
    ]


def test_entities_and_quotes_in_titles_are_read(tmp_path: Path) -> None:
    text = '<doc id="5" url="https://a.example" title=""Heroes" &amp; kings">\nIt is 1 &lt; 2 there.\n</doc>\n'
    index, _ = build(tmp_path, write(tmp_path / "x", text))
    assert places(index) == [("wiki_00-0000001", '"Heroes" & kings', "It is 1 < 2 there.")]


def test_a_folder_is_all_of_its_files(tmp_path: Path) -> None:
    for place in ("AA", "AB"):
        write(tmp_path / "out" / place, AKBAR.format(""))
    index, said = build(tmp_path, str(tmp_path / "out"))
    assert [place[0] for place in places(index)] == ["AA-wiki_00-0000001", "AB-wiki_00-0000001"]
    assert records(said) == (2, 2, 0)


def test_labels_of_files_of_one_name_are_those_of_their_folders() -> None:
    assert file_labels(["o/AA/wiki_00", "o/AB/wiki_00.bz2", "wiki_00"]) == [
        "AA-wiki_00",
        "AB-wiki_00",
        "wiki_00",
    ]


def test_another_folder_is_refused(tmp_path: Path) -> None:
    write(tmp_path, "Akbar ruled.", "book.txt")
    with raises_at(tmp_path):
        textbook_files([str(tmp_path)])


def test_the_index_is_not_written_into_what_is_read(tmp_path: Path) -> None:
    write(tmp_path / "out" / "AA", AKBAR.format(""))
    assert "--rejects " in refusal(
        command, tmp_path / "out", "--rejects", tmp_path / "out" / "AA" / "wiki_00"
    )


def test_pages_without_text_and_disambiguations_are_passed_over(tmp_path: Path) -> None:
    empty = '<doc id="6" url="u" title="Jalal">\nJalal\n\n</doc>\n'
    many = '<doc id="7" url="u" title="Agra">\nAgra\n\nAgra may refer to:\n\nA fort\n</doc>\n'
    _, said = build(tmp_path, write(tmp_path / "x", AKBAR.format("") + empty * 3 + many))
    assert records(said) == (5, 1, 4)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        (
            "wiki_00",
            AKBAR.format("").replace("</doc>", ""),
            "1: no </doc> before the end of the file",
        ),
        (
            "wiki_00",
            "\n" + AKBAR.format("").replace("</doc>\n", "") * 2,
            "7: a <doc> without a title, or inside another, or text outside of one",
        ),
        ("wiki_00", AKBAR.format("") + "Akbar ruled.\n", "7: a <doc> without a title, or inside"),
        ("wiki_00", AKBAR.format("").replace('"Akbar"', '""'), "1: a <doc> without a title"),
        ("a.txt", "<page>Akbar ruled.</page>\n", "1: the root element is <page>"),
    ],
)
def test_what_only_looks_like_it_is_refused_by_its_line(
    tmp_path: Path, name: str, content: str, message: str
) -> None:
    path = write(tmp_path / "x", content, name)
    assert refusal(command, path, "--index", tmp_path / "index").startswith(f"{path}:{message}")


def test_the_sample_folder(tmp_path: Path) -> None:
    index, said = build(tmp_path, str(SAMPLES / "wiki-ja"))
    assert len(places(index)) == 6
    assert records(said) == (4, 2, 2)
