"""NLPCC DBQA files: a question, a sentence and (in training) a label a line, tab-separated, without quoting."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from answerer.formats.labels import is_number, read_label
from indexer.files.encoding import CHINESE, open_lines
from indexer.files.errors import bad_input
from retriever.ranking.lists import CandidateList

SHAPE = "expected question TAB sentence, with or without a label as the first or last column"


class SentenceFile(NamedTuple):
    """The lists of a file, the line (from 0) of each candidate in the order of the lists, and its warnings."""

    lists: list[CandidateList]
    lines: list[int]
    warnings: list[str]


def read_sentences(path: str | Path) -> SentenceFile:
    """Read a DBQA file (seed 000, FORMATS: the guideline has the label last, the public files have it first).

    The label is the outer column that holds more numbers, the first where both do. Lines of one question make
    one list, even where they do not stand together. UserError with file and line for a line that is not of
    the file's form, an empty question or sentence, a label that is no number, and for an empty file.
    """
    rows = _read_columns(path)
    column = _label_column(rows)
    lists: dict[str, list[tuple[int, str, bool]]] = {}
    warnings = []
    for line, cells in enumerate(rows, 1):
        right = False
        if column is not None:
            right, warning = read_label(cells.pop(column).strip(), path, line)
            warnings += [warning] if warning else []
        question, sentence = cells
        if not question.strip() or not sentence:
            raise bad_input(path, line, f"an empty {'sentence' if question.strip() else 'question'}", SHAPE)
        lists.setdefault(question, []).append((line - 1, sentence, right))
    return SentenceFile(
        [_candidate_list(question, found, column is not None) for question, found in lists.items()],
        [line for found in lists.values() for line, _, _ in found],
        warnings,
    )


def _candidate_list(question: str, found: Sequence[tuple[int, str, bool]], labelled: bool) -> CandidateList:
    gold = tuple(right for _, _, right in found) if labelled else None
    return CandidateList(question, tuple(sentence for _, sentence, _ in found), gold, question.strip())


def _read_columns(path: str | Path) -> list[list[str]]:
    rows: list[list[str]] = []
    for line in open_lines(path, CHINESE):
        if line.text is None:
            raise bad_input(path, line.number, line.reason, SHAPE)
        cells = line.text.split("\t")
        wanted = len(rows[0]) if rows else len(cells)
        if len(cells) != wanted or wanted not in (2, 3):
            raise bad_input(path, line.number, f"{len(cells)} columns", SHAPE if wanted not in (2, 3) else
                            f"expected {wanted} as in line 1")  # fmt: skip
        rows.append(cells)
    if not rows:
        raise bad_input(path, None, "empty file", SHAPE)
    return rows


def _label_column(rows: Sequence[Sequence[str]]) -> int | None:
    """0, 2 or None (no labels): the outer column that holds more numbers."""
    if len(rows[0]) == 2:
        return None
    first, last = (sum(is_number(row[column].strip()) for row in rows) for column in (0, 2))
    return 2 if last > first else 0
