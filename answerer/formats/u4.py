"""Files of NTCIR-18 U4 [U4]: questions, and answer sheets of cells with values or of tables."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from indexer.files.errors import UserError, bad_input
from indexer.files.json_objects import read_json

_QUESTIONS = (
    'expected {"ID": {"question": …, "doc_id": …, "table_id": …}} as the organisers\' files'
)
_ANSWERS = (
    'expected {"ID": {"cell_id": …, "value": …}} or {"ID": "TABLE_ID"} '
    "as the organisers' answer sheets"
)


class ReportQuestion(NamedTuple):
    """A question on a report; `table_id` is "" if it asks which table answers, `doc_id` if the
    report is not given."""

    question_id: str
    text: str
    doc_id: str = ""
    table_id: str = ""


class ReportAnswer(NamedTuple):
    """The cell that answers and its value, or a table without a value; both "" if a question is
    left unanswered."""

    answer_id: str
    value: str = ""

    @property
    def text(self) -> str:
        """The value, or what has none by its id."""
        return self.value or self.answer_id


def read_questions(
    source: str | Path | Mapping[str, Any], table_given: bool, report_given: bool = True
) -> list[ReportQuestion]:
    """Reads questions, in order, from a JSON file or its object by ids: the question, the report's
    id if `report_given`, the table's if `table_given`; all else, as their answers, is dropped.
    Raises UserError for a lacking or empty field, for no questions, or anything else."""
    path: str | Path = "the questions given"
    if isinstance(source, str | Path):
        path, source = source, read_json(source, "no questions", _QUESTIONS)
    elif not isinstance(source, Mapping):
        raise bad_input(path, None, f"no object by ids: {source!r:.60}", _QUESTIONS)
    needed = (
        "question",
        *(["doc_id"] if report_given else []),
        *(["table_id"] if table_given else []),
    )
    questions = []
    for name, record in source.items():
        if not isinstance(record, Mapping) or not all(
            isinstance(record.get(key), str) and record[key] for key in needed
        ):
            raise bad_input(path, None, f"{name} lacks {', '.join(needed)}", _QUESTIONS)
        # Files of train and valid hold the answers too: cell and value, and a table or report that
        # is not given. They are dropped here, so that nothing behind the reader can see them.
        questions.append(
            ReportQuestion(name, record["question"], **{key: record[key] for key in needed[1:]})
        )
    if not questions:
        raise bad_input(path, None, "no questions", _QUESTIONS)
    return questions


def read_answers(path: str | Path, cells: bool | None = None) -> dict[str, ReportAnswer]:
    """Reads a gold or run file: question id → answer; a missing `cell_id` or `value` becomes "".
    `cells` true requires cells, false requires table ids, None allows either. {} for an empty
    object; raises UserError for any other contents."""
    answers = {}
    for name, record in read_json(path, "no answer sheet", _ANSWERS).items():
        texts = (
            [record.get(key, "") for key in ("cell_id", "value")]
            if isinstance(record, dict)
            else [record]
        )
        if cells not in (None, len(texts) == 2) or not all(isinstance(text, str) for text in texts):
            what = "table id" if cells is False else "cell_id and value"
            raise bad_input(path, None, f"{name} has no {what}", _ANSWERS)
        answers[name] = ReportAnswer(*texts)
    return answers


def sheet_text(answers: Mapping[str, ReportAnswer], cells: bool) -> str:
    """The filled answer sheet as JSON: question id → cell and value of Table QA (`cells`), or the
    table of Table Retrieval."""
    filled = {
        name: {"cell_id": answer[0], "value": answer[1]} if cells else answer[0]
        for name, answer in answers.items()
    }
    return json.dumps(filled, ensure_ascii=False, indent=4) + "\n"


def group_by_report(questions: Iterable[ReportQuestion]) -> dict[str, list[ReportQuestion]]:
    """Groups questions by the id of their report, sorted by id; UserError if one is not of letters
    and digits."""
    groups: dict[str, list[ReportQuestion]] = {}
    for question in questions:
        # The id becomes a part of file names, and comes from a file of strangers.
        if not question.doc_id.isalnum():
            raise UserError(
                f"{question.question_id}: {question.doc_id!r} is not the id of a report; expected "
                f"letters and digits"
            )
        groups.setdefault(question.doc_id, []).append(question)
    return dict(sorted(groups.items()))
