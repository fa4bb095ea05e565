"""Files of NTCIR-18 U4: questions, and answer sheets of cells with values or of tables."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from indexer.files.encoding import Limits, read_text, require_room
from indexer.files.errors import UserError, bad_input
from indexer.files.json_objects import parse_json

_QUESTIONS = 'expected {"ID": {"question": …, "doc_id": …, "table_id": …}} as the organisers\' files'
_ANSWERS = 'expected {"ID": {"cell_id": …, "value": …}} or {"ID": "TABLE_ID"} as the organisers\' answer sheets'


class ReportQuestion(NamedTuple):
    """A question on a report.

    `table_id` is "" if the question is which table answers, `doc_id` is "" if the report is not given.
    """

    question_id: str
    text: str
    doc_id: str
    table_id: str


class ReportAnswer(NamedTuple):
    """The cell that answers and its value, or a table without a value; both "" if a question is left unanswered."""

    answer_id: str
    value: str = ""

    @property
    def text(self) -> str:
        """The value, or what has none by its id."""
        return self.value or self.answer_id


def read_questions(
    source: str | Path | Mapping[str, Any], table_given: bool, report_given: bool = True
) -> list[ReportQuestion]:
    """Reads questions from a JSON file or from its parsed object (question id → fields), in order.

    Answers in files of train and valid are dropped: `cell_id` and `value`, `table_id` unless `table_given`, `doc_id`
    unless `report_given`. Raises UserError for a question that lacks a needed field, and for no questions.
    """
    path = source if isinstance(source, str | Path) else "the questions given"
    objects = _objects(source, _QUESTIONS) if isinstance(source, str | Path) else source
    needed = ("question", *(["doc_id"] if report_given else []), *(["table_id"] if table_given else []))
    questions = []
    for name, one in objects.items():
        if not isinstance(one, Mapping) or not all(isinstance(one.get(key), str) and one[key] for key in needed):
            raise bad_input(path, None, f"{name} lacks {', '.join(needed)}", _QUESTIONS)
        doc_id, table_id = (one[key] if key in needed else "" for key in ("doc_id", "table_id"))
        questions.append(ReportQuestion(name, one["question"], doc_id, table_id))
    if not questions:
        raise bad_input(path, None, "no questions", _QUESTIONS)
    return questions


def read_answers(path: str | Path, cells: bool | None = None) -> dict[str, ReportAnswer]:
    """Reads a gold or run file: question id → answer; a missing `cell_id` or `value` becomes "".

    `cells` true requires cells, false requires table ids, None allows either. Raises UserError for any other contents.
    """
    answers = {}
    for name, one in _objects(path, _ANSWERS).items():
        texts = [one.get(key, "") for key in ("cell_id", "value")] if isinstance(one, dict) else [one]
        fits = cells is None or cells == (len(texts) == 2)
        if not fits or not all(isinstance(text, str) for text in texts):
            what = "table id" if cells is False else "cell_id and value"
            raise bad_input(path, None, f"{name} has no {what}", _ANSWERS)
        answers[name] = ReportAnswer(*texts)
    return answers


def sheet_text(answers: Mapping[str, ReportAnswer], cells: bool) -> str:
    """The filled answer sheet, of Table QA or of Table Retrieval."""
    filled = {name: {"cell_id": one[0], "value": one[1]} if cells else one[0] for name, one in answers.items()}
    return json.dumps(filled, ensure_ascii=False, indent=4) + "\n"


def _objects(path: str | Path, expected: str) -> dict[str, Any]:
    """Parses a file as a JSON object. Raises UserError, which cites `expected`, for anything else."""
    text = require_room(path, read_text(path, limit=Limits().question_size), "[{,:")
    try:
        value = parse_json(text)
    except ValueError as error:
        raise bad_input(path, None, f"no JSON ({error})", expected) from None
    if not isinstance(value, dict):
        raise bad_input(path, None, "no JSON object", expected)
    return value


def group_by_report(questions: Iterable[ReportQuestion]) -> dict[str, list[ReportQuestion]]:
    """Groups questions by the id of their report, reports sorted by id.

    Raises UserError for a report id with characters other than letters and digits, as the id names a file.
    """
    groups: dict[str, list[ReportQuestion]] = {}
    for one in questions:
        if not one.doc_id.isalnum():
            raise UserError(f"{one.question_id}: {one.doc_id!r} is not the id of a report; expected letters and digits")
        groups.setdefault(one.doc_id, []).append(one)
    return dict(sorted(groups.items()))
