"""From textbook files to an embedded index: formats, counts, what is left out, bad input."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from indexer.engines.contract import Query, QueryTerm
from indexer.sources.textbook.build import command
from tests.books import build, texts
from tests.ingest_counts import indexed, records
from tests.places import SAMPLES
from tests.programs import json_lines, refusal
from tests.refusals import names

BOOK = [
    {"id": "T-1", "title": "Rome", "text": "Augustus was the first emperor. He ruled Rome."},
    {"id": "T-2", "title": "India", "text": "Ashoka ruled the Maurya empire."},
]


def json_book(tmp_path: Path) -> str:
    file = tmp_path / "book.jsonl"
    file.write_text("".join(json.dumps(record) + "\n" for record in BOOK), "utf-8")
    return str(file)


def test_json_lines_become_sentences_and_paragraphs(tmp_path: Path) -> None:
    index, _ = build(tmp_path, json_book(tmp_path))
    assert texts(index) == [
        "Augustus was the first emperor.",
        "He ruled Rome.",
        "Ashoka ruled the Maurya empire.",
    ]
    assert texts(index, "paragraphs") == [record["text"] for record in BOOK]


def test_a_sentence_knows_its_paragraph_its_title_and_its_source(tmp_path: Path) -> None:
    index, _ = build(tmp_path, json_book(tmp_path))
    (sentence,) = index.part("sentences").lookup("doc_id", ["book-0000001-002"])[0]
    keys = {name: list(values) for name, values in sentence.keys.items()}
    assert keys == {"paragraph": ["book-0000001"], "title": ["Rome"], "source_id": ["T-1"]}


def test_the_summary_adds_up(tmp_path: Path) -> None:
    file = tmp_path / "book.jsonl"
    file.write_text('{"text": "One emperor. And so on."}\nno json\n{"text": "\\ud800"}\n', "utf-8")
    _, said = build(
        tmp_path, str(file), "--rejects", str(tmp_path / "rejects.jsonl"), "--allow-rejects"
    )
    assert records(said) == (3, 1, 2)
    # "And so on." has no terms
    assert indexed(said) == {"paragraph": 1, "sentence": 1}
    assert "not indexed: 1 without a word to search for\n" in said
    rejects = json_lines(tmp_path / "rejects.jsonl")
    assert [(reject["line"], reject["record"]) for reject in rejects] == [
        (2, "no json"),
        (3, '{"text": "\\ud800"}'),
    ]


def test_plain_text_is_read_by_blank_lines_with_headings_as_titles(tmp_path: Path) -> None:
    file = tmp_path / "book.txt"
    file.write_text("CHAPTER I\n\nAugustus was\nemperor.\n\nAshoka ruled.\n", "utf-8")
    index, _ = build(tmp_path, str(file))
    assert texts(index, "paragraphs") == ["CHAPTER I", "Augustus was emperor.", "Ashoka ruled."]
    assert len(index.part("paragraphs").lookup("title", ["CHAPTER I"])[0]) == 3


def test_japanese_plain_text_is_read_line_by_line(tmp_path: Path) -> None:
    file = tmp_path / "book.txt"
    file.write_text("皇帝が治めた。\n王が治めた。\n", "utf-8")
    index, said = build(tmp_path, str(file))
    assert texts(index, "paragraphs") == ["皇帝が治めた。", "王が治めた。"]
    assert "language: ja" in said


def test_trec_documents(tmp_path: Path) -> None:
    file = tmp_path / "book.trec"
    file.write_text(
        "<DOC>\n<DOCNO> T-WH-A-1 </DOCNO>\n<Title>ローマ</Title>\n"
        "<TEXT>\n皇帝が治めた。\n王が死んだ。\n</TEXT>\n</DOC>\n"
        "<DOC>\n<DOCNO>T-2</DOCNO>\n</DOC>\n<DOC>\n",
        "utf-8",
    )
    index, said = build(tmp_path, str(file), "--allow-rejects")
    assert texts(index) == ["皇帝が治めた。", "王が死んだ。"]
    assert len(index.part("sentences").lookup("source_id", ["T-WH-A-1"])[0]) == 2
    assert records(said) == (3, 1, 2)


def test_textbook_xml(tmp_path: Path) -> None:
    file = tmp_path / "book.xml"
    file.write_text(
        "<?xml version='1.0' encoding='UTF-8'?>\n<textbook><page><title>Rome</title><id>W-1</id>"
        "<text><p>Augustus ruled. He died.</p><p/></text></page></textbook>",
        "utf-8",
    )
    index, said = build(tmp_path, str(file))
    assert texts(index) == ["Augustus ruled.", "He died."]
    assert records(said) == (2, 1, 1)


def test_a_paragraph_inside_another_is_read_once(tmp_path: Path) -> None:
    file = tmp_path / "book.xml"
    file.write_text(
        "<textbook><page><p><p>Augustus <i>ruled</i>.</p></p>"
        "<p>He built <q>a <p>The sea is wide.</p>temple</q>.</p></page></textbook>",
        "utf-8",
    )
    index, said = build(tmp_path, str(file))
    assert texts(index) == ["Augustus ruled.", "He built a temple.", "The sea is wide."]
    assert records(said) == (3, 3, 0)


def test_gutenberg_licence_is_left_out(tmp_path: Path) -> None:
    file = tmp_path / "book.txt"
    file.write_text(
        "Licence text.\n*** START OF THE PROJECT GUTENBERG EBOOK X ***\n\nAshoka ruled.\n\n"
        "*** END OF THE PROJECT GUTENBERG EBOOK X ***\nMore licence.\n",
        "utf-8",
    )
    index, said = build(tmp_path, str(file), "--verbose")
    assert texts(index) == ["Ashoka ruled."]
    assert "left out of the text: lines of a licence 2\n" in said
    assert "left out as lines of a licence: More licence.\n" in said


def test_numbers_of_pages_of_a_gutenberg_book_are_left_out(tmp_path: Path) -> None:
    file = tmp_path / "book.txt"
    mark = "*** START OF THE PROJECT GUTENBERG EBOOK X ***"
    file.write_text(f"{mark}\n\nAshoka\n{{301}} ruled {{a}}.\n\n{{xii}}\n", "utf-8")
    index, said = build(tmp_path, str(file), "--verbose")
    assert texts(index) == ["Ashoka ruled {a}."]
    assert "left out of the text: numbers of pages 2\n" in said


def test_every_gutenberg_book_of_a_file_is_read(tmp_path: Path) -> None:
    file = tmp_path / "books.txt"
    start, end = (f"*** {mark} OF THE PROJECT GUTENBERG EBOOK X ***" for mark in ("START", "END"))
    book = f"Licence.\n{start}\n\n{{}}\n\n{end}\n"
    file.write_text(
        book.format("Ashoka ruled.") + "More licence.\n" + book.format("Akbar ruled."), "utf-8"
    )
    index, _ = build(tmp_path, str(file))
    assert texts(index) == ["Ashoka ruled.", "Akbar ruled."]


def test_textbook_xml_may_be_packed(tmp_path: Path) -> None:
    file = tmp_path / "book.xml.gz"
    page = b"<page><title>India</title><text><p>Ashoka ruled.</p></text></page>"
    file.write_bytes(gzip.compress(b"<textbook>" + page + b"</textbook>"))
    index, _ = build(tmp_path, str(file))
    assert texts(index) == ["Ashoka ruled."]


def test_sentences_are_left_out_by_their_text(tmp_path: Path) -> None:
    without = tmp_path / "without.txt"
    without.write_text("He  ruled Rome. This  sentence stands nowhere.\n", "utf-8")
    index, said = build(tmp_path, json_book(tmp_path), "--without", str(without))
    assert "He ruled Rome." not in texts(index)
    assert texts(index, "paragraphs")[0] == "Augustus was the first emperor."
    assert "left out as asked: 1\n" in said


def test_a_list_of_sentences_that_the_text_has_not_is_told(tmp_path: Path) -> None:
    without = tmp_path / "without.txt"
    without.write_text("This sentence stands nowhere.\n", "utf-8")
    _, said = build(tmp_path, json_book(tmp_path), "--without", str(without))
    assert "left out as asked: 0\n" in said


def test_paragraphs_as_documents(tmp_path: Path) -> None:
    index, _ = build(tmp_path, json_book(tmp_path), "--unit", "paragraph")
    assert [part.name for part in index.metadata.parts] == ["paragraphs", "names"]


def test_glossary_names_are_kept_in_the_index(tmp_path: Path) -> None:
    glossary = tmp_path / "terms.txt"
    glossary.write_text("Maurya empire\n", "utf-8")
    index, _ = build(tmp_path, json_book(tmp_path), "--terms", str(glossary))
    assert index.metadata.settings["terms"]["entries"][0][0] == "Maurya empire"


def test_two_processes_build_the_same_index(tmp_path: Path) -> None:
    book = tmp_path / "book.jsonl"
    rows = [
        {"id": str(n), "title": "t", "text": f"King {n} ruled Rome. He died in {n}."}
        for n in range(500)
    ]
    book.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    asked = [Query((QueryTerm("text", "rule"), QueryTerm("text", "7")))]
    scans, hits = [], []
    for jobs in ("1", "2"):
        folder = tmp_path / jobs
        folder.mkdir()
        index, _ = build(folder, str(book), "--jobs", jobs)
        scans.append(
            {part.name: list(index.part(part.name).scan()) for part in index.metadata.parts}
        )
        hits.append([(hit.doc_id, hit.score) for hit in index.part().search(asked, 600)[0]])
    assert scans[0] == scans[1]
    assert hits[0] == hits[1]
    assert len(hits[0]) == 501  # the five hundred who ruled, and the one who died in 7
    assert len(scans[0]["sentences"]) == 1000
    assert "rome" in [name for blocks in scans[0]["names"] for name in blocks.keys.get("name", ())]


def test_files_of_one_name_do_not_share_doc_ids(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "book.txt").write_text("Ashoka ruled.", "utf-8")
    index, _ = build(tmp_path, str(tmp_path / "*" / "book.txt"))
    doc_ids = [document.doc_id for document in index.part("sentences").scan()]
    assert doc_ids == ["book-0000001-001", "book~2-0000001-001"]


@pytest.mark.parametrize("content", [b"", b" \n\n"])
def test_an_empty_file_is_an_error(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "book.txt"
    file.write_bytes(content)
    assert names(refusal(command, file, "--index", tmp_path / "index", "--language", "en"), file)
    assert not (tmp_path / "index").exists()


def test_binary_noise_is_rejected_not_indexed(tmp_path: Path) -> None:
    file = tmp_path / "book.txt"
    file.write_bytes(b"Ashoka ruled.\n\n\0\1\2\xff\xfe\n\nAugustus died.\n")
    index, said = build(tmp_path, str(file))
    assert texts(index) == ["Ashoka ruled.", "Augustus died."]
    assert f"rejected {file}:3: " in said


def test_a_huge_line_is_rejected(tmp_path: Path) -> None:
    file = tmp_path / "book.jsonl"
    with file.open("w", encoding="utf-8") as out:
        out.write('{"text": "Ashoka ruled."}\n{"text": "')
        for _ in range(101):
            out.write("a " * (512 * 1024))
        out.write('"}\n')
    _, said = build(tmp_path, str(file))
    assert records(said) == (2, 1, 1)
    assert f"rejected {file}:2: " in said


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    assert names(refusal(command, tmp_path / "none*.txt"), tmp_path / "none*.txt")


def test_a_language_of_another_script_than_the_texts_is_warned_of(tmp_path: Path) -> None:
    _, told = build(tmp_path, json_book(tmp_path), "--language", "zh", "--no-names")
    assert "book.jsonl looks like en, read as zh because of --language" in told


def test_a_knowledge_base_is_no_textbook(tmp_path: Path) -> None:
    said = refusal(command, str(SAMPLES / "triples-zh.kb"), "--index", str(tmp_path / "index"))
    assert "index it with `classical-qa index triples`" in said


def test_a_quiz_that_is_indexed_as_a_book_is_told(tmp_path: Path) -> None:
    _, quiz = build(tmp_path / "quiz", str(SAMPLES / "quiz-en.txt"))
    _, book = build(tmp_path / "book", str(SAMPLES / "textbook-en.jsonl"))
    told = "most of this looks like a quiz (8 questions in 16 sentences)"
    assert told in quiz
    assert "looks like a quiz" not in book


def test_a_quiz_with_its_choices_behind_the_questions_is_told(tmp_path: Path) -> None:
    quiz = tmp_path / "quiz.txt"
    quiz.write_text("".join(f"{n}. Who painted barge {n}?\na) Ida\nb) Olaf\n" for n in range(1, 5)))
    _, told = build(tmp_path, quiz)
    assert "most of this looks like a quiz (4 questions" in told
