"""Files held in memory that would take too much memory: refused by file and line, whatever form they have."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from answerer.formats import datasearch, nlpcc_kbqa, ranked_results, topics
from evaluation import trec_measures
from evaluation.trec_measures import read_qrels, read_run
from indexer.analysis import glossary
from indexer.analysis.glossary import read_glossary
from indexer.files import encoding
from indexer.files.encoding import MIB, held_lines, require_room
from indexer.files.errors import UserError
from indexer.files.xml import parse_xml
from indexer.formats import datasearch as question_formats
from indexer.formats.selqa import read_selqa
from indexer.formats.sentence_rows import read_sentence_rows
from indexer.formats.table_rows import read_table_rows
from indexer.languages.english import ENGLISH
from indexer.sources.textbook.build import read_left_out
from retriever.collection import read_topics
from tests.refusals import raises_at


@pytest.fixture
def little_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """A MiB for a file that is held, and for a TREC run."""
    monkeypatch.setattr(encoding, "HELD_LIMIT", MIB)
    monkeypatch.setattr(trec_measures, "HELD_LIMIT_OF_RUNS", MIB)


def _read_glossary(path: Path) -> object:
    return read_glossary([path])


FORMS: list[tuple[Callable[[Path], object], Callable[[int], str]]] = [
    (nlpcc_kbqa.read_questions, lambda n: f"<question id={n}>\twho?\n"),
    (read_sentence_rows, lambda n: f"who?\the {n}\t1\n"),
    (question_formats.read_questions, lambda n: f"{n}\twho?\td\n"),
    (question_formats.wanted_datasets, lambda n: f"{n:012d}\n"),
    (datasearch.read_answers, lambda n: f"{n}\the\n"),
    (topics.read_marks, lambda n: f"{n}\tfile\t1\n"),
    (partial(ranked_results.read_scores, lines=20_000, gold="gold"), lambda n: "0.5\n"),
    (lambda path: list(read_table_rows(path, ranked=True)), lambda n: f"who?\tcaption\ta_|_b\t1_|_{n}\n"),
    (read_topics, lambda n: f"{n}\twho?\n"),
    (read_qrels, lambda n: f"1 0 d{n} 1\n"),
    (read_run, lambda n: f"1 Q0 d{n} 1 0.5 ours\n"),
    (partial(read_left_out, language=ENGLISH), lambda n: f"Nero died {n}.\n"),
]


@pytest.mark.usefixtures("little_room")
@pytest.mark.parametrize(("read", "line"), FORMS)
def test_lines_are_refused_where_they_take_too_much(
    read: Callable[[Path], object], line: Callable[[int], str], tmp_path: Path
) -> None:
    file = tmp_path / "questions.txt.gz"
    file.write_bytes(gzip.compress("".join(map(line, range(20_000))).encode()))
    with pytest.raises(UserError, match=r"questions.txt.gz:\d+: "):
        read(file)


@pytest.mark.usefixtures("little_room")
@pytest.mark.parametrize(
    ("read", "text"),
    [
        (read_selqa, '{"question": "a", "sentences": ["b"], "x": [' + "[]," * 5_000 + "[]]}"),
        (read_selqa, '{"question": "a", "sentences": ["' + "b" * MIB + '"]}'),
        (parse_xml, "<a>" + "<b/>" * 5_000 + "</a>"),
        (parse_xml, "<a>" + "<b c=''/>" * 3_000 + "</a>"),
        (parse_xml, "<a>\U0001f600" + "x" * (MIB // 8) + "</a>"),  # four bytes for each character, twice
        (_read_glossary, "Nero\n" * 600),
        (_read_glossary, "Nero" + "\rNero" * 600),
        (_read_glossary, "Nero,person,37,68," + "@".join(["Lucius"] * 600)),
        (_read_glossary, "Nero,person\n" + "," * 5_000),
    ],
)
def test_a_whole_file_is_refused_where_it_takes_too_much(
    read: Callable[[Path], object], text: str, tmp_path: Path
) -> None:
    file = tmp_path / "questions"
    file.write_text(text, "utf-8")
    with raises_at(file):
        read(file)


def test_a_glossary_is_not_read_beyond_64_mib(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "glossary.csv"
    file.write_text("x" * (MIB + 1), "utf-8")
    monkeypatch.setattr(glossary, "QUESTION_LIMIT", MIB)
    with raises_at(file):
        read_glossary([file])


def test_lines_that_have_room_come_as_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "lines"
    file.write_text("one\ntwo\nsix\n", "utf-8")
    most = 3 * (2 * "one".__sizeof__() + 100)  # each text twice, and what is said of a line
    monkeypatch.setattr(encoding, "HELD_LIMIT", most)
    assert [line.text for line in held_lines(file, line_bytes=100)] == ["one", "two", "six"]
    with raises_at(file, 3):
        list(held_lines(file, line_bytes=101))


def test_room_is_counted_in_texts_and_values(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "[1,2]"  # a list and a second value after its comma: 2 x 250 bytes, and twice a text of 5 characters
    monkeypatch.setattr(encoding, "HELD_LIMIT", 2 * text.__sizeof__() + 2 * 250)
    assert require_room("file", text, "[,") == text
    with pytest.raises(UserError) as error:
        require_room("file", f"{text},", "[,")
    assert str(error.value) == "file: takes more than 0 MiB of memory; cut it in several files"


def test_tables_that_are_not_ranked_are_not_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "tables"
    file.write_text("who?\tcaption\ta_|_b\t1_|_2\n" * 3, "utf-8")
    monkeypatch.setattr(encoding, "HELD_LIMIT", 0)
    assert len(list(read_table_rows(file))) == 3
