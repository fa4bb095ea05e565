"""Data Search QA files: gold and runs ([DataSearch2])."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from indexer.files.encoding import numbered_lines, open_lines
from indexer.files.errors import bad_input
from indexer.formats.datasearch import one_line

RUN_SHAPE = "expected QUESTION_ID TAB ANSWER"
_DESCRIPTION = re.compile(r"\s*<SYSDESC>(.*?)</?SYSDESC>\s*$", re.IGNORECASE)


class DataSearchRun(NamedTuple):
    """A run: how the system describes itself ("" if the line is missing), and answers by question
    id."""

    description: str
    answers: dict[str, str]


def read_answers(path: str | Path) -> DataSearchRun:
    """Reads a Data Search QA run or gold file (which has no description): lines `question id TAB
    answer`.

    The answer is all text after the first tab, maybe ""; it and the id lose outer blanks. Blank
    lines are skipped. The description's end tag may lack its slash, as in the task page's example.
    Raises UserError with file and line for a line without id or tab, a repeated id, a file without
    answers.
    """
    description = ""
    answers: dict[str, str] = {}
    for number, text in numbered_lines(open_lines(path), path, RUN_SHAPE):
        # The description is the first line of a run, and gold has none.
        match = _DESCRIPTION.match(text) if not answers and not description else None
        if match:
            description = match[1].strip()
        if match or not text.strip():
            continue
        # An answer may hold further tabs; ids do not.
        question_id, tab, answer = text.partition("\t")
        if not tab or not question_id.strip():
            raise bad_input(path, number, "no tab after a question id", RUN_SHAPE)
        if question_id.strip() in answers:
            raise bad_input(
                path, number, f"question id {question_id.strip()} came before", RUN_SHAPE
            )
        answers[question_id.strip()] = answer.strip()
    if not answers:
        raise bad_input(path, None, "no answer in it", RUN_SHAPE)
    return DataSearchRun(description, answers)


def run_text(description: str, answers: Iterable[Sequence[str]]) -> str:
    """A run: the description's line, then id, tab and answer; blanks inside an answer become one
    each."""
    rows = (f"{question_id}\t{one_line(answer)}\n" for question_id, answer in answers)
    return "".join([f"<SYSDESC>{one_line(description)}</SYSDESC>\n", *rows])
