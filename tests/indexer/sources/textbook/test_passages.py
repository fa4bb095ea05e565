"""Passages of plain text whose file is out of the common."""

from __future__ import annotations

from pathlib import Path

import pytest

from indexer.ingest_report import IngestReport
from indexer.languages.english import ENGLISH
from indexer.languages.japanese import JAPANESE
from indexer.languages.language import Language
from indexer.sources.textbook.passages import open_records
from indexer.sources.textbook.schema import SourcePassage


def test_a_text_without_a_blank_line_is_cut_and_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "book.txt"
    path.write_text("It goes on.\n" * 25_000, "utf-8")
    passages = list(open_records(str(path), "book", ENGLISH, IngestReport()))
    assert [passage.text.count("It goes on.") for passage in passages] == [10_000, 10_000, 5_000]


def test_a_line_behind_number_signs_is_a_heading(tmp_path: Path) -> None:
    path = tmp_path / "book.md"
    path.write_text("## Who rowed?\nOlaf rowed.\nHe sang.\n#5 is a boat.\n", "utf-8")
    records = open_records(str(path), "book", ENGLISH, IngestReport())
    assert [(one.text, one.title) for one in records if isinstance(one, SourcePassage)] == [
        ("Who rowed?", "Who rowed?"),
        ("Olaf rowed. He sang. #5 is a boat.", "Who rowed?"),
    ]


@pytest.mark.parametrize("line", ["====", "1604", "[Illustration: The Mill]"])
def test_a_line_without_letters_or_in_brackets_is_no_heading(line: str, tmp_path: Path) -> None:
    path = tmp_path / "book.txt"
    path.write_text(f"The Mill\n\n{line}\n\nOlaf built it.\n", "utf-8")
    *_, last = open_records(str(path), "book", ENGLISH, IngestReport())
    assert isinstance(last, SourcePassage)
    assert last.title == "The Mill"


@pytest.mark.parametrize(
    "text",
    [
        '{"text": "It goes on."}\n{"title": "A"}\n{"text": "It ends."}\n',
        '[{"text": "It goes on."}, {"title": "A"}, {"text": "It ends."}]',
        '\ufeff[\r\n  {"text": "It goes on."},\r\n  {"title": "A"},\r\n  {"text": "It ends."}\r\n]\r\n',
        '{\n "text": "It goes on."\n}\n{\n "title": "A"\n}\n{\n "text": "It ends."\n}\n',
    ],
)
def test_objects_of_json_are_one_a_line_or_over_several_or_in_a_list(
    tmp_path: Path, text: str
) -> None:
    path, tally = tmp_path / "book.json", IngestReport()
    path.write_bytes(text.encode())
    records = open_records(str(path), "book", ENGLISH, tally)
    assert [one.text for one in records if isinstance(one, SourcePassage)] == [
        "It goes on.",
        "It ends.",
    ]
    assert (tally.read, tally.rejected) == (3, 1)


@pytest.mark.parametrize(
    ("language", "texts"),
    [(ENGLISH, ["Élysée Palace, in Paris"]), (JAPANESE, ["Élysée Palace,", "in Paris"])],
)
def test_lines_of_a_trec_document_are_joined_where_blanks_separate_words(
    language: Language, texts: list[str], tmp_path: Path
) -> None:
    (tmp_path / "a.trec").write_text(
        "<DOC><DOCNO>1</DOCNO><TEXT>\nÉlysée Palace,\nin Paris\n</TEXT></DOC>\n", "utf-8"
    )
    records = open_records(str(tmp_path / "a.trec"), "a", language, IngestReport())
    assert [record.text for record in records if isinstance(record, SourcePassage)] == texts


def test_trec_documents_may_share_a_line_and_text_outside_of_them_is_counted(
    tmp_path: Path,
) -> None:
    (tmp_path / "a.trec").write_text(
        "<DOC><DOCNO>1</DOCNO><TEXT>Silt.</TEXT></DOC> <doc><DOCNO>2</DOCNO><TEXT>Sand.</TEXT>"
        "</doc>\n<ALL>\nClay.\n",
        "utf-8",
    )
    tally = IngestReport()
    records = open_records(str(tmp_path / "a.trec"), "a", ENGLISH, tally)
    documents = [
        (record.source_id, record.text) for record in records if isinstance(record, SourcePassage)
    ]
    assert documents == [("1", "Silt."), ("2", "Sand.")]
    assert tally.pieces == {"lines outside of documents": 1}


def test_what_nobody_sees_is_left_out_of_a_text(tmp_path: Path) -> None:
    path = tmp_path / "book.txt"
    path.write_text(
        "Samar\u200bkand lies on\n\u2060\nThe cara\u00advans rested at Sama\u00ad\nrkand.\n",
        "utf-8",
    )
    records = open_records(str(path), "book", ENGLISH, IngestReport())
    assert [
        (record.title, record.text) for record in records if isinstance(record, SourcePassage)
    ] == [
        ("Samarkand lies on", "Samarkand lies on"),
        ("Samarkand lies on", "The caravans rested at Samarkand."),
    ]
