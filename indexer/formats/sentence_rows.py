"""DBQA, WikiQA and TrecQA files: a question and one candidate sentence a line, tab-separated,
without quoting."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice, pairwise
from pathlib import Path
from typing import NamedTuple

from indexer.files.charset import open_lines_of_any
from indexer.files.encoding import numbered_lines, read_beginning
from indexer.files.errors import bad_input
from indexer.files.json_objects import begins_as_json
from indexer.files.validation import is_number
from indexer.formats.labels import CandidateList, Candidates, candidate_lists, read_label
from indexer.formats.selqa import SelqaFile, read_selqa

DBQA = "expected question TAB sentence, with or without a label as the first or last column"
SHAPE = (
    "expected question TAB sentence with or without a label before or behind them, "
    "question id TAB question TAB sentence TAB label, or WikiQA's columns under a header"
)


class SentenceColumns(NamedTuple):
    """Indices (from 0) of the columns in a form of sentence rows, None for a column that the form
    lacks.

    `width` is the number of columns, `key` identifies a row's question, `header`: line 1 names the
    columns.
    """

    width: int
    key: int
    question: int
    sentence: int
    label: int | None = None
    title: int | None = None
    header: bool = False


WITHOUT_LABEL = SentenceColumns(2, 0, 0, 1)
LABEL_FIRST = SentenceColumns(3, 1, 1, 2, 0)
LABEL_LAST = SentenceColumns(3, 0, 0, 1, 2)
WITH_ID = SentenceColumns(4, 0, 1, 2, 3)


class RowFile(NamedTuple):
    """The rows of a file, unchanged, and its header line ("" without one).

    `lists` holds one candidate list a question; `positions` the row index (from 0) of each
    candidate, in the order of the lists; `results` the scores of each list if the file was read as
    `scored`, else []; `warnings` those of the labels.
    """

    header: str
    rows: list[str]
    lists: list[CandidateList]
    positions: list[int]
    results: list[list[float]]
    warnings: list[str]


def read_sentence_rows(path: str | Path, *, scored: bool = False, dbqa: bool = False) -> RowFile:
    """Reads a file of DBQA [NLPCC2017] (label last; the public files have it first), WikiQA or
    TrecQA.

    With `scored`, the last column is the score that this system added; with `dbqa`, the file must
    have DBQA's form. Rows of one question (the same question id, or the same stripped question)
    make one list, even if they are not adjacent, in the order of their first rows. Raises UserError
    with file and line: columns of no known form, another number of columns than in most rows, an
    empty question or sentence, a label or score that is not a number, a line that cannot be read;
    for a file without rows, and with `scored` for one whose last column is that of the labels.
    """
    expected = DBQA if dbqa else SHAPE
    lines = [text for _, text in numbered_lines(open_lines_of_any(path), path, expected)]
    if not lines:
        raise bad_input(path, None, "empty file", expected)
    cells = [line.split("\t") for line in lines]
    scores: list[str] = []
    if scored:
        scores = [row.pop() if len(row) > 1 else "" for row in cells]
    columns = columns_of(cells)
    if columns is None or (dbqa and (columns.header or columns.key < columns.question)):
        what = f"{len(cells[0])} columns"
        if len(cells[0]) == 3:
            what += ", and neither the first nor the last holds labels"
        raise bad_input(path, 1, what, expected)
    first = int(columns.header)
    rows = cells[first:]
    if not rows:
        raise bad_input(path, None, "no rows", SHAPE)
    if all(len(row) <= columns.question or is_0_or_1(row[columns.question]) for row in rows):
        # A column is missing, so that the labels are where the questions should be.
        raise bad_input(path, 1 + first, "labels (0, 1) instead of questions", expected)
    if scored:
        check_scores(scores, columns, path)
    members: dict[str, list[int]] = {}  # the rows of each question, by their positions
    right, warnings = [], []
    for number, row in enumerate(rows):
        line = number + 1 + first
        check_row(row, columns, path, line)
        if columns.label is not None:
            label, warning = read_label(row[columns.label].strip(), path, line)
            right.append(label)
            warnings += [warning] if warning else []
        members.setdefault(row[columns.key].strip(), []).append(number)
    lists = []
    for positions in members.values():
        question = rows[positions[0]][columns.question]
        title = rows[positions[0]][columns.title] if columns.title is not None else ""
        sentences = tuple(rows[number][columns.sentence] for number in positions)
        gold = tuple(right[number] for number in positions) if columns.label is not None else None
        lists.append(CandidateList(question, sentences, gold, title or question.strip(), title))
    order = [number for positions in members.values() for number in positions]
    results = (
        [[float(scores[first + number]) for number in positions] for positions in members.values()]
        if scored
        else []
    )
    return RowFile(
        lines[0] if columns.header else "", lines[first:], lists, order, results, warnings
    )


def check_scores(scores: Sequence[str], columns: SentenceColumns, path: str | Path) -> None:
    """Raises UserError for a score that is not a number, and for a last column that the header
    calls label. `scores` is the last column of all lines, the header's among them."""
    if columns.header and scores[0].strip().lower() == "label":
        expected = "expected the output of `classical-qa answer selqa`, scores last"
        raise bad_input(path, 1, "its last column holds labels", expected)
    first = int(columns.header)
    for line, score in enumerate(scores[first:], 1 + first):
        if not is_number(score):
            what = f"the score {score[:40]!r} is not a number"
            raise bad_input(path, line, what, "expected the last column")


def check_row(row: Sequence[str], columns: SentenceColumns, path: str | Path, line: int) -> None:
    """Raises UserError for a row with another number of columns, a blank question, or an empty
    sentence (a blank one passes)."""
    if len(row) != columns.width:
        shape = f"{len(row)} columns" if any(row) else "an empty line"
        expected = f"expected {columns.width} columns as in the other lines"
        raise bad_input(path, line, shape, expected)
    if not row[columns.question].strip() or not row[columns.sentence]:
        missing = "sentence" if row[columns.question].strip() else "question"
        expected = "expected a question and a sentence in every line"
        raise bad_input(path, line, f"an empty {missing}", expected)


def row_file(questions: Iterable[CandidateList | Candidates]) -> RowFile:
    """Questions with their candidates as a file of rows, question TAB sentence, white space as
    single blanks, without labels. Raises UserError for another shape, an empty question, one
    without candidates, and no questions."""
    lists = candidate_lists(questions)
    rows = [
        f"{' '.join(item.question.split())}\t{' '.join(text.split())}"
        for item in lists
        for text in item.candidates
    ]
    return RowFile("", rows, lists, list(range(len(rows))), [], [])


def columns_of(rows: Sequence[Sequence[str]]) -> SentenceColumns | None:
    """Columns of these rows; None if they do not have a known form.

    WikiQA's header names them, else the most frequent number of columns decides: two are without a
    label, four have an id. The label of three is the outer column with more 0 and 1, at a tie the
    first.
    """
    if not rows:
        return None
    names = [name.strip().lower() for name in rows[0]]
    if "question" in names and "sentence" in names:
        columns = {name: number for number, name in enumerate(names)}
        key = columns.get("questionid", columns["question"])
        fields = (
            columns["question"],
            columns["sentence"],
            columns.get("label"),
            columns.get("documenttitle"),
        )
        return SentenceColumns(len(names), key, *fields, header=True)
    # Not that of the first row: a bad first line is to be reported as one.
    width = Counter(map(len, rows)).most_common(1)[0][0]
    if width == 3:
        first, last = (
            sum(is_0_or_1(row[column]) for row in rows if len(row) == 3) for column in (0, 2)
        )
        if not first and not last:
            return None
        return LABEL_LAST if last > first else LABEL_FIRST
    return {2: WITHOUT_LABEL, 4: WITH_ID}.get(width)


def is_0_or_1(text: str) -> bool:
    """Whether a text is the number 0 or 1 in any notation (`1.0`), blanks around it aside: a label,
    which is never a question."""
    label = text.strip()
    return is_number(label) and float(label) in (0, 1)


# Questions with candidate sentences in whichever official form: NLPCC DBQA, SelQA, WikiQA or
# TrecQA.

_SAMPLE = 50


def is_sentence_file(path: str | Path) -> bool:
    """Returns whether a file clearly has candidate sentences: SelQA's JSON, or rows of DBQA, WikiQA
    or TrecQA, even if some lines are bad.

    JSON (its first MiB): the objects have `question` and `sentences` or `candidates`. Tab-separated
    rows (the first 50 non-blank lines): WikiQA's header, or labels in at least half of the rows,
    or, without labels, adjacent rows with the same question.
    """
    beginning = read_beginning(path)
    if begins_as_json(beginning):
        return '"question"' in beginning and any(
            f'"{name}"' in beginning for name in ("sentences", "candidates")
        )
    lines = (line.text for line in open_lines_of_any(path) if line.text and line.text.strip())
    rows = [line.split("\t") for line in islice(lines, _SAMPLE)]
    columns = columns_of(rows)
    if columns is None or columns.header:
        return columns is not None
    fitting = [row for row in rows if len(row) == columns.width]
    if columns.label is not None:
        return 2 * sum(is_0_or_1(row[columns.label]) for row in fitting) >= len(rows)
    # An id is ASCII without blanks: a question in one word is not ASCII but Chinese.
    repeated = {row[0] for row, following in pairwise(fitting) if row[0] == following[0]}
    return 2 * len(fitting) >= len(rows) and any(
        not text.isascii() or len(text.split()) != 1 for text in repeated
    )


def read_sentence_file(path: str | Path, *, scored: bool = False) -> SelqaFile | RowFile:
    """Reads a file of candidate sentences: JSON objects (`read_selqa`) where it begins with `{` or
    `[{`, else tab-separated rows (`read_sentence_rows`).

    With `scored`, rows have one more column, this system's score. Raises UserError, with file
    and line, for what the reader does not take.
    """
    return (
        read_selqa(path)
        if begins_as_json(read_beginning(path))
        else read_sentence_rows(path, scored=scored)
    )
