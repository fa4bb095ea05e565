"""What a textbook has beside its text is left out and counted, and its glossary is read as
definitions."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from indexer import build_textbook
from indexer.ingest_report import IngestReport
from indexer.languages.english import ENGLISH
from indexer.sources.textbook.passages import open_records
from indexer.sources.textbook.schema import SourcePassage

BODY = {"title": "Rivers: Deltas", "text": "A mud fan grows where silt settles."}
REFERENCES = {"title": "Rivers: References", "text": "Oduya, K. (2004). Silt. Delta Press."}


def book(folder: Path, *passages: Mapping[str, str]) -> str:
    path = folder / "rivers.jsonl"
    path.write_text("".join(f"{json.dumps(one)}\n" for one in passages), "utf-8")
    return str(path)


def texts(path: str, tally: IngestReport | None = None, *, whole_text: bool = False) -> list[str]:
    records = open_records(path, "b", ENGLISH, tally or IngestReport(), whole_text=whole_text)
    return [one.text for one in records if isinstance(one, SourcePassage)]


@pytest.mark.parametrize(
    "heading",
    [
        "References",
        "2.4 References",
        "FURTHER READING",
        "Further Reading: The Silt Wars",
        "Learning Objectives",
        "Review Questions",
    ],
)
def test_a_section_that_is_no_text_is_passed_over_and_counted(heading: str, tmp_path: Path) -> None:
    path = book(tmp_path, BODY, {"title": f"Rivers: {heading}", "text": "Name three deltas."})
    tally = IngestReport()
    assert texts(path, tally) == [BODY["text"]]
    assert (tally.read, tally.rejected, tally.faults) == (2, 1, 0)


@pytest.mark.parametrize("heading", ["Frames of Reference: Silt", "The Objectives of the League"])
def test_a_section_on_such_a_matter_is_text(heading: str, tmp_path: Path) -> None:
    assert len(texts(book(tmp_path, BODY, {"title": heading, "text": "A frame is chosen."}))) == 2


def test_a_heading_of_plain_text_ends_the_section_before_it(tmp_path: Path) -> None:
    path = tmp_path / "book.txt"
    path.write_text("References\n\nOduya, K. Silt.\n\nDeltas\n\nSilt settles.\n", "utf-8")
    assert texts(str(path)) == ["Deltas", "Silt settles."]


def test_doc_ids_do_not_depend_on_what_is_left_out(tmp_path: Path) -> None:
    path = book(tmp_path, REFERENCES, BODY)
    (record,) = filter(None, open_records(path, "b", ENGLISH, IngestReport()))
    assert record.doc_id == "b-0000002"


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("Silt settles (Oduya, 2004).", "Silt settles."),
        ("Silt settles (see Oduya & Lind, 2004, 2009; Brand, 1999a) early.", "Silt settles early."),
        ("Silt settles (van Holt et al., 2011).", "Silt settles."),
        ("Silt settles.[12] It stays.[3, 4]", "Silt settles. It stays."),
        ("Silt settles.[1][2] It stays.", "Silt settles. It stays."),
        # years and asides are text
        ("Oduya (2004) saw silt.", "Oduya (2004) saw silt."),
        ("The dam (finished in May, 1904) broke.", "The dam (finished in May, 1904) broke."),
        ("The dam (May, 1904) broke.", "The dam (May, 1904) broke."),
        ("Let x be in [1, 2].", "Let x be in [1, 2]."),
    ],
)
def test_citations_in_brackets_are_removed(written: str, read: str, tmp_path: Path) -> None:
    path = book(tmp_path, {"title": "Rivers", "text": written}, REFERENCES)
    assert texts(path) == [read]


def test_a_place_and_a_year_are_no_citation_in_a_book_without_references(tmp_path: Path) -> None:
    text = "The fair (Chicago, 1893) was lit (Oduya & Lind, 2004)."
    tally = IngestReport()
    assert texts(book(tmp_path, {"title": "Fairs", "text": text}), tally) == [
        "The fair (Chicago, 1893) was lit."
    ]
    assert tally.pieces == {"citations": 1}


def glossary(*lines: str) -> Sequence[Mapping[str, str]]:
    return [BODY, *({"title": "Glossary: M", "text": line} for line in lines)]


@pytest.mark.parametrize(
    ("line", "read"),
    [
        # the longest beginning that the text uses: not "mud"
        ("mud fan (MF) a body of mud at a mouth", "mud fan (MF): a body of mud at a mouth"),
        ("silt fine grains of rock", "silt: fine grains of rock"),
        ("silts fine grains: of rock", "silts fine grains: of rock"),  # parted by the book itself
        ("marsh land under water", "marsh land under water"),  # not in the text
    ],
)
def test_a_glossary_line_is_parted_after_a_term_of_the_text(
    line: str, read: str, tmp_path: Path
) -> None:
    assert texts(book(tmp_path, *glossary(line)))[-1] == read


def test_the_whole_text_is_indexed_where_that_is_wanted(tmp_path: Path) -> None:
    passages = [REFERENCES, *glossary("silt fine grains of rock (Oduya, 2004)")]
    written = [one["text"] for one in passages]
    assert texts(book(tmp_path, *passages), whole_text=True) == written


def test_the_ingest_report_says_what_is_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cited = {"title": "Rivers", "text": "Silt settles (Oduya, 2004)."}
    path = book(tmp_path, REFERENCES, cited, *glossary("silt fine grains of rock"))
    build_textbook(path, str(tmp_path / "index"), names=False)
    lines = capsys.readouterr().err
    assert "passed over: passages of references 1" in lines
    assert "left out of the text: citations 1" in lines
    assert "glossary: 1 line read as “term: definition”" in lines


INDEX = "Ammon, 12 Barges, 4, 31 Canals, 7 Dykes, 8-9 Eels, 40 Fords, 5 Gates, 6, 19 Herons, 22"


@pytest.mark.parametrize(
    ("text", "is_left_out"),
    [
        (INDEX, True),
        ("Ammon, 12 Barges, 4, 31 Canals, 7 Dykes, 8-9", False),  # few pages
        (f"{INDEX}. Eels swim. They are long.", False),
        ("Eels, 12, 14, 18, 20, 31, 33, 40, 41, 52, 60", False),  # a row of a table
    ],
)
def test_an_index_with_pages_is_passed_over(text: str, is_left_out: bool, tmp_path: Path) -> None:
    path = book(tmp_path, BODY, {"title": "E", "text": text})
    assert (len(texts(path)) == 1) is is_left_out
