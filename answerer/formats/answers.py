"""The answers of a file to an exam: an answer table, or answers to plain questions."""

from __future__ import annotations

from pathlib import Path

from answerer.beginning import QUIZ_ROOTS
from answerer.formats.answer_table import AnswerTable, read_answer_table
from indexer.files.encoding import QUESTION_LIMIT, read_whole
from indexer.files.xml import is_declared


def read_answers(path: str | Path) -> AnswerTable:
    """Reads an XML answer table if the file begins with an XML declaration and is not a quiz
    (`QUIZ_ROOTS` within 1,000 bytes), else a run or key of plain questions, a question file with
    answers or a table without a declaration. Raises UserError for a file that cannot be read as its
    format, or without any answer."""
    data = read_whole(path, QUESTION_LIMIT)
    if not is_declared(data, other_than=QUIZ_ROOTS):
        # The readers of seven forms.
        from answerer.formats.question_file.read import read_plain_answers

        return read_plain_answers(path, data)
    return read_answer_table(path, data)
