"""Sentence selection in tab-separated files: WikiQA (with and without header) and TrecQA."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from answerer.formats.labels import is_number, read_label
from indexer.files.encoding import open_lines
from indexer.files.errors import bad_input
from retriever.ranking.lists import CandidateList
from retriever.ranking.listwise import FloatArray

SHAPE = (
    "expected WikiQA's columns under a header, question TAB sentence [TAB label], "
    "or question id TAB question TAB sentence TAB label"
)


class Columns(NamedTuple):
    """Which column holds what; None where the form has none."""

    width: int
    key: int
    question: int
    sentence: int
    label: int | None
    title: int | None = None


WITHOUT_LABEL = Columns(2, 0, 0, 1, None)
LABELLED = Columns(3, 0, 0, 1, 2)
WITH_ID = Columns(4, 0, 1, 2, 3)


class TsvFile(NamedTuple):
    """The rows of a file as they came, its header ("" without one), the lists, each candidate's row and its score."""

    header: str
    rows: list[str]
    lists: list[CandidateList]
    places: list[int]
    results: list[float]
    warnings: list[str]


def read_tsv(path: str | Path, scored: bool = False) -> TsvFile:
    """Read a WikiQA or TrecQA file; with `scored`, one whose last column is the score that this system added.

    Rows of one question (one question id, where there are ids) make one list. UserError with file and line for
    a wrong number of columns, an empty question or sentence, a label or score that is no number, and no rows.
    """
    lines = _lines(path)
    columns, header = _columns(lines[0], path, scored)
    lists: dict[str, list[tuple[int, list[str], bool]]] = {}
    results, warnings = [], []
    for place, line in enumerate(lines[bool(header) :]):
        number = place + 1 + bool(header)
        cells = line.split("\t")
        if len(cells) != columns.width + scored:
            raise bad_input(path, number, f"{len(cells)} columns, {columns.width + scored} in line 1", SHAPE)
        if scored:
            score = cells.pop()
            if not is_number(score):
                raise bad_input(path, number, f"the score {score[:40]!r} is no number", "expected the last column")
            results.append(float(score))
        right = False
        if columns.label is not None:
            right, warning = read_label(cells[columns.label].strip(), path, number)
            warnings += [warning] if warning else []
        if not cells[columns.question].strip() or not cells[columns.sentence]:
            raise bad_input(path, number, "an empty question or sentence", SHAPE)
        lists.setdefault(cells[columns.key], []).append((place, cells, right))
    if not lists:
        raise bad_input(path, None, "no rows", SHAPE)
    places = [place for found in lists.values() for place, _, _ in found]
    return TsvFile(
        header,
        lines[bool(header) :],
        [_candidate_list(found, columns) for found in lists.values()],
        places,
        [results[place] for place in places] if scored else [],
        warnings,
    )


def _lines(path: str | Path) -> list[str]:
    lines = []
    for line in open_lines(path):
        if line.text is None:
            raise bad_input(path, line.number, line.reason, SHAPE)
        lines.append(line.text)
    if not lines:
        raise bad_input(path, None, "empty file", SHAPE)
    return lines


def _columns(first: str, path: str | Path, scored: bool) -> tuple[Columns, str]:
    names = [name.strip().lower() for name in first.split("\t")]
    count = len(names) - scored
    if "question" in names and "sentence" in names:
        place = {name: number for number, name in enumerate(names)}
        key = place.get("questionid", place["question"])
        label, title = place.get("label"), place.get("documenttitle")
        return Columns(count, key, place["question"], place["sentence"], label, title), first
    forms = {form.width: form for form in (WITHOUT_LABEL, LABELLED, WITH_ID)}
    if count not in forms:
        raise bad_input(path, 1, f"{len(names)} columns", SHAPE)
    return forms[count], ""


def _candidate_list(found: Sequence[tuple[int, Sequence[str], bool]], columns: Columns) -> CandidateList:
    first = found[0][1]
    title = first[columns.title] if columns.title is not None else ""
    return CandidateList(
        first[columns.question],
        tuple(cells[columns.sentence] for _, cells, _ in found),
        tuple(right for _, _, right in found) if columns.label is not None else None,
        title or first[columns.question],
        title,
    )


def tsv_text(file: TsvFile, scores: FloatArray) -> str:
    """The rows as they came, each with its score as one more column (under `Score` where there is a header)."""
    placed = np.empty(len(scores))
    placed[file.places] = scores
    head = [f"{file.header}\tScore\n"] if file.header else []
    return "".join([*head, *(f"{row}\t{score:.6g}\n" for row, score in zip(file.rows, placed, strict=True))])
