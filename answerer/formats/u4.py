"""Files of NTCIR-18 U4: questions, and answer sheets of cells with values or of tables."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from indexer.files.archive import Limits
from indexer.files.encoding import read_text, require_room
from indexer.files.errors import UserError, bad_input
from indexer.files.json_objects import parse_json

_QUESTIONS = 'expected {"ID": {"question": …, "doc_id": …, "table_id": …}} as the organisers\' files'
_ANSWERS = 'expected {"ID": {"cell_id": …, "value": …}} or {"ID": "TABLE_ID"} as the organisers\' answer sheets'


class ReportQuestion(NamedTuple):
    """A question on a report; `table_id` is "" if the table is what is asked."""

    question_id: str
    text: str
    doc_id: str
    table_id: str


class CellAnswer(NamedTuple):
    """The cell that answers and its value; both "" if the question is left unanswered."""

    cell_id: str
    value: str


def read_questions(source: str | Path | Mapping[str, Any], table_given: bool) -> list[ReportQuestion]:
    """The questions of a file, or of its objects, in their order.

    Files of train and valid hold the answers too: `cell_id` and `value`, and `table_id` where the table is not given,
    are dropped here, so that nothing behind the reader can see them. Raises UserError for another file.
    """
    path = source if isinstance(source, str | Path) else "the questions given"
    found = _objects(source, _QUESTIONS) if isinstance(source, str | Path) else source
    needed = ("question", "doc_id", *(["table_id"] if table_given else []))
    questions = []
    for name, one in found.items():
        if not isinstance(one, Mapping) or not all(isinstance(one.get(key), str) and one[key] for key in needed):
            raise bad_input(path, None, f"{name} lacks {', '.join(needed)}", _QUESTIONS)
        questions.append(ReportQuestion(name, one["question"], one["doc_id"], one["table_id"] if table_given else ""))
    if not questions:
        raise bad_input(path, None, "no questions", _QUESTIONS)
    return questions


def read_cells(path: str | Path) -> dict[str, CellAnswer]:
    """A gold or a run of Table QA; a run's cell that is not there is "". Raises UserError for another file."""
    found = {}
    for name, one in _objects(path, _ANSWERS).items():
        if not isinstance(one, dict) or not all(isinstance(one.get(key, ""), str) for key in CellAnswer._fields):
            raise bad_input(path, None, f"{name} has no cell_id and value", _ANSWERS)
        found[name] = CellAnswer(one.get("cell_id", ""), one.get("value", ""))
    return found


def read_tables(path: str | Path) -> dict[str, str]:
    """A gold or a run of Table Retrieval. Raises UserError for another file."""
    found = _objects(path, _ANSWERS)
    for name, one in found.items():
        if not isinstance(one, str):
            raise bad_input(path, None, f"{name} has no table id", _ANSWERS)
    return found


def holds_cells(path: str | Path) -> bool:
    """True if a gold file or a run is of Table QA, false for Table Retrieval."""
    return isinstance(next(iter(_objects(path, _ANSWERS).values()), None), dict)


def cells_text(answers: Iterable[tuple[str, CellAnswer]]) -> str:
    """The filled answer sheet of Table QA."""
    return _text({name: one._asdict() for name, one in answers})


def tables_text(answers: Iterable[tuple[str, str]]) -> str:
    """The filled answer sheet of Table Retrieval."""
    return _text(dict(answers))


def _text(value: Mapping[str, object]) -> str:
    return json.dumps(value, ensure_ascii=False, indent=4) + "\n"


def _objects(path: str | Path, expected: str) -> dict[str, Any]:
    text = require_room(path, read_text(path, limit=Limits().question_size), "[{,:")
    try:
        found = parse_json(text)
    except ValueError as error:
        raise bad_input(path, None, f"no JSON ({error})", expected) from None
    if not isinstance(found, dict):
        raise bad_input(path, None, "no JSON object", expected)
    return found


def group_by_report(questions: Iterable[ReportQuestion]) -> dict[str, list[ReportQuestion]]:
    """The questions of each report, by id in order. Raises UserError for an id that cannot name a file."""
    found: dict[str, list[ReportQuestion]] = {}
    for one in questions:
        if not one.doc_id.isalnum():
            raise UserError(f"{one.question_id}: {one.doc_id!r} is no id of a report; expected letters and digits")
        found.setdefault(one.doc_id, []).append(one)
    return dict(sorted(found.items()))
