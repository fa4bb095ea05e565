"""Data Search QA files: questions, gold and runs (seed 001, FORMATS.md section 4)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from indexer.analysis import Language
from indexer.analysis.language import detect_language
from indexer.files.encoding import open_lines
from indexer.files.errors import bad_input
from indexer.sources.datasets_collection import DATASET_KEYS

QUESTION_SHAPE = "expected QUESTION_ID TAB question TAB dataset id, or a JSON object with these"
RUN_SHAPE = "expected QUESTION_ID TAB ANSWER"
_LANGUAGE = re.compile(r"-([JE])-")
_DESCRIPTION = re.compile(r"\s*<SYSDESC>(.*?)</?SYSDESC>\s*$", re.IGNORECASE)
_KEYS = {
    "question_id": ("question_id", "id", "qid"),
    "question": ("question", "text", "query"),
    "dataset": DATASET_KEYS,
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
        if found:
            return "ja" if found[1] == "J" else "en"
        return detect_language(self.text)


class Run(NamedTuple):
    """A run: how the system describes itself ("" where the line is missing), and answers by question id."""

    description: str
    answers: dict[str, str]


def read_questions(path: str | Path) -> list[Question]:
    """The questions of a file in order, tab-separated or JSON lines. UserError, with file and line: another
    shape, an empty field, an id that came before, no question at all."""
    questions: list[Question] = []
    seen: dict[str, int] = {}
    for line in open_lines(path):
        if line.text is None:
            raise bad_input(path, line.number, line.reason, QUESTION_SHAPE)
        if not line.text.strip():
            continue
        question = _question(path, line.number, line.text)
        if question.question_id in seen:
            first = seen[question.question_id]
            raise bad_input(path, line.number, f"question id {question.question_id} stands in line {first} already")
        seen[question.question_id] = line.number
        questions.append(question)
    if not questions:
        raise bad_input(path, None, "no question in it", QUESTION_SHAPE)
    return questions


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
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise bad_input(path, number, "no JSON", QUESTION_SHAPE) from error
    return [_json_field(path, number, value, keys) for keys in _KEYS.values()]


def _json_field(path: str | Path, number: int, value: Mapping[str, Any], keys: Sequence[str]) -> str:
    """The value of the first of the keys that has one. UserError where it is no text, or an id of several lines."""
    key = next((key for key in keys if value.get(key)), keys[0])
    found = value.get(key, "")
    if isinstance(found, bool) or not isinstance(found, str | int):
        raise bad_input(path, number, f"{key} is no text", QUESTION_SHAPE)
    text = str(found).strip()
    if key not in _KEYS["question"] and one_line(text) != text:
        raise bad_input(path, number, f"a tab or a line break in {key}", QUESTION_SHAPE)
    return text


def read_answers(path: str | Path) -> Run:
    """A run, or gold (which has no description). Ids are compared as they are; the answer is the rest of the line.

    The description's end tag may lack its slash, as in the page's example. UserError, with file and line: a
    line without a tab, an id that came before, no answer at all.
    """
    description = ""
    answers: dict[str, str] = {}
    for line in open_lines(path):
        if line.text is None:
            raise bad_input(path, line.number, line.reason, RUN_SHAPE)
        found = _DESCRIPTION.match(line.text) if not answers and not description else None
        if found:
            description = found[1].strip()
            continue
        if not line.text.strip():
            continue
        question_id, tab, answer = line.text.partition("\t")
        if not tab or not question_id.strip():
            raise bad_input(path, line.number, "no tab after a question id", RUN_SHAPE)
        if question_id.strip() in answers:
            raise bad_input(path, line.number, f"question id {question_id.strip()} came before", RUN_SHAPE)
        answers[question_id.strip()] = answer.strip()
    if not answers:
        raise bad_input(path, None, "no answer in it", RUN_SHAPE)
    return Run(description, answers)


def write_run(file: TextIO, description: str, answers: Iterable[Sequence[str]]) -> None:
    """Write a run: the description's line, then id, tab and answer; blanks inside an answer become one each."""
    file.write(f"<SYSDESC>{one_line(description)}</SYSDESC>\n")
    for question_id, answer in answers:
        file.write(f"{question_id}\t{one_line(answer)}\n")


def one_line(text: str) -> str:
    """A text without tabs and line breaks, which a run cannot hold."""
    return re.sub(r"[\t\r\n\x0b\x0c\x85\u2028\u2029]+", " ", text).strip()
