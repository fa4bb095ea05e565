"""Data Search QA questions, in tabs or JSON lines, and the datasets that they are about (seed 001)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from indexer.cli.given_values import each_given, refuse_halves
from indexer.files.encoding import held_lines, numbered
from indexer.files.errors import UserError, bad_input
from indexer.files.json_objects import parse_json
from indexer.formats.candidate_lists import texts_of
from indexer.languages.english import ENGLISH
from indexer.languages.japanese import JAPANESE
from indexer.languages.language import Language
from indexer.languages.registry import detect_language

QUESTION_SHAPE = "expected QUESTION_ID TAB question TAB dataset id, or a JSON object with these"
_LANGUAGE = re.compile(r"-([JE])-")
_LANGUAGES = {"J": JAPANESE, "E": ENGLISH}
_DATASET_ID = re.compile(r"\d{12}|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_KEYS = {
    "question_id": ("question_id", "id", "qid"),
    "question": ("question", "text", "query"),
    "dataset": ("dataset", "dataset_id", "data_id", "docid"),
}


class Question(NamedTuple):
    """A question about one dataset."""

    question_id: str
    text: str
    dataset_id: str

    @property
    def language(self) -> Language:
        """By the J or E in the id (DS2-QA-J-1001), else by the text's letters."""
        found = _LANGUAGE.search(self.question_id)
        return _LANGUAGES[found[1]] if found else detect_language(self.text)


def read_questions(path: str | Path) -> list[Question]:
    """The questions of a file in order, tab-separated or JSON lines. UserError, with file and line: another
    shape, an empty field, an id that came before, no question at all."""
    questions: list[Question] = []
    seen: dict[str, int] = {}
    for number, text in numbered(held_lines(path), path, QUESTION_SHAPE):
        if not text.strip():
            continue
        question = _question(path, number, text)
        if question.question_id in seen:
            first = seen[question.question_id]
            raise bad_input(path, number, f"question id {question.question_id} stands in line {first} already")
        seen[question.question_id] = number
        questions.append(question)
    if not questions:
        raise bad_input(path, None, "no question in it", QUESTION_SHAPE)
    return questions


def given_questions(given: Iterable[Question | tuple[str, str, str]]) -> list[Question]:
    """Questions as a program gives them. UserError for what is no three texts, an id that repeats, and none."""
    questions = [_given(one, number) for number, one in enumerate(each_given(given, "questions"), 1)]
    if not questions:
        raise UserError("no questions: give them with their ids and the ids of their datasets")
    if len({one.question_id for one in questions}) < len(questions):
        raise UserError("two questions have one id: number them")
    return questions


def _given(one: object, number: int) -> Question:
    fields = texts_of(one) or ()
    if len(fields) != 3 or not all(field.strip() for field in fields):
        raise UserError(f"question {number}: expected its id, its text and the id of its dataset, three texts")
    refuse_halves(fields, f"question {number}")
    return Question(*fields)


def _question(path: str | Path, number: int, text: str) -> Question:
    if text.lstrip().startswith("{"):
        fields = _json_fields(path, number, text)
    else:
        fields = [field.strip() for field in text.split("\t")]
    if len(fields) != 3:
        raise bad_input(path, number, f"{len(fields)} fields", QUESTION_SHAPE)
    if not all(fields):
        raise bad_input(path, number, "an empty field", QUESTION_SHAPE)
    return Question(*fields)


def _json_fields(path: str | Path, number: int, text: str) -> list[str]:
    try:
        value = parse_json(text)
    except ValueError as error:
        raise bad_input(path, number, f"no JSON ({error})", QUESTION_SHAPE) from error
    return [_json_field(path, number, value, keys) for keys in _KEYS.values()]


def _json_field(path: str | Path, number: int, value: Mapping[str, Any], keys: Sequence[str]) -> str:
    """The value of the first of the keys that has one. UserError where it is no text, or an id of several lines."""
    key = next((key for key in keys if value.get(key) not in (None, "")), keys[0])
    found = value.get(key, "")
    if isinstance(found, bool) or not isinstance(found, str | int):
        raise bad_input(path, number, f"{key} is no text", QUESTION_SHAPE)
    text = str(found).strip()
    if key not in _KEYS["question"] and one_line(text) != text:
        raise bad_input(path, number, f"a tab or a line break in {key}", QUESTION_SHAPE)
    return text


def wanted_datasets(path: str | Path) -> frozenset[str]:
    """The ids of datasets that a question file asks for, or that a bare list names, one a line.

    UserError as of `read_questions`; for a line of a list that is not an id (12 digits, or a UUID).
    """
    lines = [line for line in held_lines(path) if line.text is None or line.text.strip()]
    first = (lines[0].text or "").strip() if lines else ""
    if not first or "\t" in first or first.startswith("{"):
        return frozenset(question.dataset_id for question in read_questions(path))
    for line in lines:
        if line.text is None or not _DATASET_ID.fullmatch(line.text.strip()):
            raise bad_input(path, line.number, line.reason or "no dataset id", f"{QUESTION_SHAPE}, or a dataset id")
    return frozenset((line.text or "").strip() for line in lines)


def one_line(text: str) -> str:
    """A text without tabs and line breaks, which a run cannot hold."""
    return re.sub(r"[\t\r\n\x0b\x0c\x85\u2028\u2029]+", " ", text).strip()
