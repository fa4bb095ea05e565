"""JSON of any origin: what is read, and every fault of it told in one line by every reader."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerer.trace import read_trace
from indexer.files.errors import UserError
from indexer.files.json_objects import begins_as_json, json_objects, parse_json
from indexer.formats.datasearch import read_collection, read_questions
from indexer.formats.selqa import read_selqa
from indexer.ingest_report import IngestReport, ingest_report
from indexer.languages.english import ENGLISH
from indexer.sources.textbook.passages import open_records
from retriever.learning.model import read_model

DEEP = "[" * 100_000 + "]" * 100_000
QUITE_DEEP = "[" * 900 + "]" * 900
HALF = r'"a \ud800 b"'
LONG = "9" * 5_000
TWICE = '{"a": 1, "b": {"a": 2}, "a": 3}'
FAULTS = [DEEP, QUITE_DEEP, HALF, LONG, TWICE, "[", '{"a"', "nul", '"\x01"']

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)


@given(VALUES, st.booleans())
def test_what_was_written_is_read(value: object, ascii_only: bool) -> None:
    assert parse_json(json.dumps(value, ensure_ascii=ascii_only)) == value


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (DEEP, "nested too deeply"),
        (HALF, "half of a surrogate pair"),
        (TWICE, "the key 'a' occurs twice"),
    ],
)
def test_what_cannot_be_held_is_a_value_error(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        parse_json(text)


def a_collection(path: Path) -> None:
    list(read_collection(str(path), IngestReport()))


def a_book(path: Path) -> None:
    with ingest_report() as tally:
        found = list(open_records(str(path), "book", ENGLISH, tally))
    if not found:
        raise UserError("; ".join(tally.examples))


READERS: dict[str, tuple[Callable[[Path], object], str]] = {
    "collection": (a_collection, '{{"id": "1", "title": {}}}'),
    "book": (a_book, '{{"id": 1, "text": "x", "title": {}}}'),
    "model": (lambda path: read_model(path, "selqa"), "{}"),
    "trace": (read_trace, '{{"run": {}}}'),
    "questions": (read_questions, '{{"question_id": {}}}'),
    "selqa": (read_selqa, '{{"question": {}}}'),
}


@pytest.mark.parametrize("reader", sorted(READERS.keys() - {"collection"}))
def test_of_two_values_of_a_key_none_is_lost_without_a_word(tmp_path: Path, reader: str) -> None:
    read, shape = READERS[reader]
    file = tmp_path / "file.jsonl"
    file.write_text(f"\n{shape.format(TWICE)}\n", "utf-8")
    where = "file.jsonl:" if reader == "model" else "file.jsonl:2: "  # a model is one object
    with pytest.raises(UserError, match=rf"{where}.*'a'"):
        read(file)


def test_a_dataset_with_a_key_twice_is_rejected(tmp_path: Path) -> None:
    file, tally = tmp_path / "file.jsonl", IngestReport()
    file.write_text('{"id": "1"}\n{"id": "2", "title": "a", "title": "b"}\n', "utf-8")
    assert [dataset.dataset_id for dataset in read_collection(str(file), tally)] == ["1"]
    assert "file.jsonl:2: no JSON (the key 'title' occurs twice in one object)" in tally.examples[0]


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault[:9])
def test_a_reader_tells_a_fault_in_words(tmp_path: Path, reader: str, fault: str) -> None:
    """A UserError, or the text read: a book passes over what it does not need. Nothing else may
    happen."""
    read, shape = READERS[reader]
    path = tmp_path / "file.jsonl"
    path.write_text(shape.format(fault) + "\n", "utf-8")
    told = ""
    try:
        read(path)
    except UserError as error:
        told = str(error)
    assert "file.jsonl" in told or not told


@pytest.mark.parametrize(
    ("text", "is_json"),
    [
        ('\ufeff\n{"a": 1}', True),
        ("{a}", True),
        ("[ {", True),
        ("[]", True),
        ("[1] Rye", False),
        ('["Rye"]', False),
        ("{{Rye}}", False),
        ("", False),
    ],
)
def test_json_is_told_from_words_in_brackets(text: str, is_json: bool) -> None:
    assert begins_as_json(text) == is_json


def test_objects_come_with_their_lines() -> None:
    assert list(json_objects('{"a": 1}\n\n{"b":\n2} {"c": 3}', "f", "")) == [
        (1, {"a": 1}),
        (3, {"b": 2}),
        (4, {"c": 3}),
    ]
