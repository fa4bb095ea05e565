"""Answers to plain questions: a run as TSV, written and read, and the gold that a question file holds."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from pathlib import Path

from answerer.formats.answer_table import Answer, AnswerTable, read_answer_table
from answerer.formats.exam.parts import Question
from answerer.formats.question_file.labels import plain_label, right_choices
from answerer.formats.question_file.lines import beginning, file_bytes, text_of_file
from answerer.formats.question_file.read import exam_of, is_xml, read_question_file
from indexer.files.errors import bad_input
from indexer.files.talk import say

HEADER = ("id", "answer", "text")
"""The columns of a run: a question's id, the label of the choice as its file prints it, the text of the choice."""


def answers_text(answered: Iterable[tuple[Question, str]]) -> str:
    """A run as TSV: a header, then a row a question with the chosen choice; label and text are empty without one."""
    rows = ["\t".join(HEADER)]
    for question, number in answered:
        choice = next((one for one in question.choices if one.number == number), None)
        cells = (choice.label or choice.number, choice.text.plain) if choice else ("", "")
        rows.append("\t".join(" ".join(cell.split()) for cell in (question.answer_column, *cells)))
    return "\n".join(rows) + "\n"


def read_answers(path: str | Path) -> AnswerTable:
    """The answers in a file: an answer table as `read_answer_table` reads it, a run as TSV, or a question file's gold.

    A run has the header id, answer, and perhaps text. In a question file each answer is worth a point; the
    answer is "" where the file has none, and where it has several, or one that is none of the choices, which is said on
    stderr.
    `filename` is "" for a run: its rows say by their ids what they answer. UserError as those readers say.
    """
    data = file_bytes(path)
    if is_xml(data):
        return read_answer_table(path, data)
    return _run(data, path) if is_run(beginning(data)) else _gold(data, path)


def is_run(text: str) -> bool:
    """Whether a text begins as a run of plain questions does, with its header."""
    names = text.lstrip("\ufeff \r\n").partition("\n")[0].rstrip("\r").lower().split("\t")
    return len(names) in (2, 3) and tuple(name.strip() for name in names) == HEADER[: len(names)]


def _run(data: bytes, path: str | Path) -> AnswerTable:
    rows: list[Answer] = []
    seen: dict[str, int] = {}
    header = False
    for line, text in enumerate(text_of_file(data, path).split("\n"), 1):
        cells = [cell.strip() for cell in text.split("\t")]
        if not text.strip() or (not header and (header := True)):
            continue
        if len(cells) < 2 or not cells[0]:
            raise bad_input(path, line, "not a row of a run", "expected an id, a tab and the label of a choice")
        if cells[0] in seen:
            raise bad_input(path, line, f"question {cells[0]} came before, in line {seen[cells[0]]}", "ids differ")
        seen[cells[0]] = line
        rows.append(Answer(cells[0], plain_label(cells[1]), line=line))
    if not rows:
        raise bad_input(path, 1, "a run without answers", "expected rows below its header")
    return AnswerTable(str(path), "", tuple(rows), is_run=True)


def _gold(data: bytes, path: str | Path) -> AnswerTable:
    file = read_question_file(data, path)
    exam = exam_of(file, path)
    rows = []
    for (name, asked), question in zip(file.numbered(), exam.questions, strict=True):
        found = [right_choices(asked.choices, answer) for answer in asked.answers]
        places = {place for row in found for place in row}
        answer = question.choices[places.pop()].number if len(places) == 1 and all(found) else ""
        if asked.answers and not answer:
            several = "several right answers" if all(found) else "an answer that is none of its choices"
            given = unicodedata.normalize("NFKC", ", ".join(asked.answers))[:60]
            say(f"{path}:{asked.line}: question {name} has {several} ({given}): not scored")
        rows.append(Answer(name, answer, 1.0 if answer else None, line=asked.line))
    if not any(row.answer for row in rows):
        raise bad_input(path, None, "no question has an answer", "expected answers below the questions, or a key")
    return AnswerTable(str(path), exam.name, tuple(rows))
