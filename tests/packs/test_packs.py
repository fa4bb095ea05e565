"""Every reader on the real collections of $QA_DATA: how many records, and the first, the tenth and
the last of them.

`expected.tsv` was written without these readers. A file is known by the beginning of its SHA-256; a
record by the beginning of the SHA-256 of its fields, joined by tabs.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from itertools import chain
from pathlib import Path

import pytest

from answerer.beginning import beginning_of
from answerer.check.submissions import problems_of
from answerer.formats.answer_sheet import read_sheet
from answerer.formats.answer_table import read_answer_table
from answerer.formats.datasearch import read_answers
from answerer.formats.exam.read import read_exam
from answerer.formats.nlpcc_kbqa import read_questions as read_kbqa
from answerer.recognition import task_of
from indexer.analysis.glossary_file import read_glossary
from indexer.files.encoding import read_beginning
from indexer.formats.datasearch import read_collection, read_questions
from indexer.formats.labels import CandidateList
from indexer.formats.selqa import read_selqa
from indexer.formats.sentence_rows import read_sentence_rows
from indexer.formats.table_rows import read_table_rows
from indexer.ingest_report import IngestReport
from indexer.languages.english import ENGLISH
from indexer.languages.japanese import JAPANESE
from indexer.sources.textbook.passages import open_records
from indexer.sources.triples.build import knowledge_base_items, mention_items
from indexer.sources.triples.schema import SUBJECTS, decode_entities, decode_facts

DIGITS = 12
TAB = "\t"
# The task of the files that a reader reads as questions.
TASKS = {
    "dbqa_rows": "nlpcc-dbqa",
    "tables": "nlpcc-tbqa",
    "selqa_questions": "selqa",
    "kbqa_questions": "nlpcc-kbqa",
    "datasearch_questions": "datasearch-qa",
    "exam_questions": "ntcir-mc",
    "sheet_sections": "ntcir-sheet",
}
ROWS = list(
    csv.DictReader((Path(__file__).parent / "expected.tsv").open(encoding="utf-8"), delimiter="\t")
)

Fields = Iterable[str]


def labelled(lists: Iterable[CandidateList]) -> Iterator[Fields]:
    for one in lists:
        for text, right in zip(one.candidates, one.gold or (), strict=True):
            yield one.question, text, str(int(right))


def selqa_questions(path: Path) -> Iterator[Fields]:
    for one in read_selqa(path).lists:
        gold = [str(place) for place, right in enumerate(one.gold or ()) if right]
        yield one.question, str(len(one.candidates)), " ".join(gold)


def triples(path: Path) -> Iterator[Fields]:
    for part, item in knowledge_base_items(str(path), "kb", IngestReport()):
        if part == SUBJECTS.name:
            yield from (
                (item.text, fact.predicate, fact.value) for fact in decode_facts(item.payload)
            )


def passages(path: Path) -> Iterator[Fields]:
    language = JAPANESE if path.name.startswith("ja") else ENGLISH
    for one in open_records(str(path), "book", language, IngestReport()):
        yield one.source_id, one.title, one.text


def sheet_sections(path: Path) -> Iterator[Fields]:
    for one in read_sheet(path).sections:
        expressions = chain.from_iterable(answer.expressions for answer in one.answers)
        yield one.section_id, one.label, str(len(list(expressions)))


READERS: dict[str, Callable[[Path], Iterable[Fields]]] = {
    "dbqa_rows": lambda path: labelled(read_sentence_rows(path, dbqa=True).lists),
    "sentence_rows": lambda path: labelled(read_sentence_rows(path).lists),
    "selqa_questions": selqa_questions,
    "tables": lambda path: ((str(one.label), *one[2:]) for one in read_table_rows(path)),
    "kbqa_questions": lambda path: (
        (one.question_id, one.text, one.answer_text or "") for one in read_kbqa(path)
    ),
    "triples": triples,
    "mentions": lambda path: (
        (one.text, *decode_entities(one.payload))
        for _, one in mention_items(str(path), "mention", IngestReport())
    ),
    "datasets": lambda path: (
        (one.dataset_id, one.title, str(len(one.files)))
        for one in read_collection(path, IngestReport())
    ),
    "datasearch_questions": read_questions,
    "datasearch_answers": lambda path: read_answers(path).answers.items(),
    "passages": passages,
    "exam_questions": lambda path: (
        (one.answer_column, str(len(one.choices))) for one in read_exam(path).questions
    ),
    "exam_answers": lambda path: (
        (one.column, one.answer) for one in read_answer_table(path).answers
    ),
    "sheet_sections": sheet_sections,
    "glossary_entries": lambda path: ((one.term,) for one in read_glossary([path]).entries),
}


def digest(data: bytes) -> str:
    return sha256(data).hexdigest()[:DIGITS]


def pack(row: dict[str, str]) -> Path:
    """The file or folder of a row, skipped where it is not at hand or another one than was
    counted."""
    folder = os.environ.get("QA_DATA")
    if not folder:
        pytest.skip(
            "QA_DATA is not set: it names the folder of the collections, see docs/figures/README.md"
        )
    path = Path(folder) / row["file"]
    if not path.exists():
        pytest.skip(f"{path} is not at hand")
    files = sorted(path.glob("*.csv")) if path.is_dir() else [path]
    if digest(b"".join(file.read_bytes() for file in files)) != row["fingerprint"]:
        pytest.skip(f"{path} is another file than the one that was counted")
    return path


@pytest.mark.parametrize("row", ROWS, ids=[row["file"] for row in ROWS])
def test_count_first_tenth_and_last(row: dict[str, str]) -> None:
    records = [digest("\t".join(fields).encode()) for fields in READERS[row["reader"]](pack(row))]
    tenth = records[9] if len(records) > 9 else ""
    assert (len(records), records[0], tenth, records[-1]) == (
        int(row["records"]),
        row["first"],
        row["tenth"],
        row["last"],
    )


@pytest.mark.parametrize(
    "row", [row for row in ROWS if row["reader"] in TASKS], ids=lambda row: row["file"]
)
def test_questions_are_recognised_by_their_form(row: dict[str, str]) -> None:
    begun = beginning_of(read_beginning(pack(row)))
    task = task_of([begun])
    assert task is not None
    assert task.name == TASKS[row["reader"]]


@pytest.mark.parametrize("row", [row for row in ROWS if row["reader"] == "dbqa_rows"])
def test_scores_of_the_rows_of_a_test_are_checked(row: dict[str, str], tmp_path: Path) -> None:
    # The rows of a test have no labels.
    lines = pack(row).read_text("utf-8").splitlines()
    (tmp_path / "asked").write_text(
        "".join(f"{line.partition(TAB)[2]}\n" for line in lines), "utf-8"
    )
    (tmp_path / "run").write_text("0.5\n" * len(lines), "utf-8")
    assert problems_of(str(tmp_path / "asked"), str(tmp_path / "run")) == []


def test_every_reader_has_a_file() -> None:
    assert {row["reader"] for row in ROWS} == set(READERS)
