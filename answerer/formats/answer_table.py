"""NTCIR answer tables, read by name whatever their order."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from indexer.files.errors import RefusedInput, bad_input
from indexer.files.xml import line_of, parse_xml, without_ending

_RUN_ENDING = re.compile(r"_[^_]+_(?:JA|EN|ZH)_\d+$", re.IGNORECASE)
_GOLD_ENDING = re.compile(
    r"(?:[-_. ]*(?:(?<![a-z])(?:answers?|gold|goldstandard|key)|正解|解答))+$", re.IGNORECASE
)
_LONGEST_NAME = 255  # characters: the longest file name of common file systems


def without_gold_ending(name: str) -> str:
    """A file's name without endings such as `-answers` (`turkey` has none), "" if there is nothing
    else; longer than any file's name (255 characters), it is returned unchanged."""
    return _GOLD_ENDING.sub("", name) if len(name) <= _LONGEST_NAME else name


class TableAnswer(NamedTuple):
    """One `data` element of an answer table: the answer to one answer column.

    A submission has `column` and `answer` only. `column` is the answer column's id (A1). `answer`
    is "" if the question is unanswered. `score` are the points that the question is worth, None if
    missing. `number` is the printed number of the answer column, "" if missing. `line` is the line
    number in the file. `choices` are the numbers of the question's choices, empty if the file does
    not say them.
    """

    column: str
    answer: str
    score: float | None = None
    number: str = ""
    answer_type: str = ""
    knowledge_type: str = ""
    line: int | None = None
    choices: frozenset[str] = frozenset()


class NoKeyError(RefusedInput):
    """A file of questions none of which has an answer."""


@dataclass(frozen=True, slots=True)
class AnswerTable:
    """The answers of a file, in order; `filename` is the exam's name, "" if the table does not give
    it. `is_run` is true for a run of plain questions (TSV), a form that cannot name its exam."""

    file: str
    filename: str
    answers: tuple[TableAnswer, ...]
    is_run: bool = False


def read_answer_table(path: str | Path, data: bytes | None = None) -> AnswerTable:
    """Reads the answer table of a run or a gold file; full-width digits become half-width, ③
    becomes 3. The case of element names inside a row is ignored; a row without answer has "".

    `data` are the bytes of the file if already read, else None. Raises UserError with file and line
    for damaged XML, a root other than `answerTable`, a table without `data` elements, and one of
    these without `anscolumn_ID`, with two answers or columns, or with a `score` that is not a
    number from 0, without exponent.
    """
    root = parse_xml(path if data is None else data, ("answerTable",), str(path))
    answers = []
    for row in root.iter("data"):
        line = line_of(row)
        fields: dict[str, str] = {}
        for cell in row:
            # Tables of the organisers and of teams differ in the case and order of their elements.
            name = str(cell.tag).lower()
            if name in fields and name in ("answer", "anscolumn_id"):
                raise bad_input(
                    path, line, f"a row with two {cell.tag} elements", "expected one row an answer"
                )
            # Tables print digits in full width, and choices as ③.
            text = unicodedata.normalize("NFKC", "".join(map(str, cell.itertext())))
            fields[name] = " ".join(text.split())
        column = fields.get("anscolumn_id", "")
        if not column:
            raise bad_input(
                path, line, "a row without anscolumn_ID", "expected <anscolumn_ID>A1</anscolumn_ID>"
            )
        score = fields.get("score", "")
        if score and not re.fullmatch(r"\d+(\.\d+)?", score):
            raise bad_input(
                path, line, f"score {score!r} is not a number", "expected points such as 3"
            )
        number = re.search(r"\d+", fields.get("answer_column", ""))  # `１`, `解答番号 1`
        answers.append(
            TableAnswer(
                column=column,
                answer=fields.get("answer", ""),
                score=float(score) if score else None,
                number=number[0].lstrip("0") or "0" if number else "",
                answer_type=fields.get("answer_type", ""),
                knowledge_type=fields.get("knowledge_type", ""),
                line=line,
            )
        )
    if not answers:
        raise bad_input(
            path, line_of(root), "an answer table without rows", "expected <data> with answers"
        )
    return AnswerTable(str(path), root.get("filename", "").strip(), tuple(answers))


def exam_name(table: AnswerTable) -> str:
    """The name of a table's exam, without file ending: its @filename, else the table's file name
    without run and gold endings."""
    if table.filename:
        return without_ending(table.filename)
    stem = without_ending(Path(table.file).name).removesuffix(".tsv")
    return without_gold_ending(_RUN_ENDING.sub("", stem)) or stem


def folded_exam(name: str) -> str:
    """The name of an exam as names are compared: letters and digits in lower case and NFKC, without
    the endings of gold files."""
    folded = unicodedata.normalize("NFKC", name).lower()
    return "".join(character for character in without_gold_ending(folded) if character.isalnum())
