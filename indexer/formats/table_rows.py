"""NLPCC TBQA lines: a question and one candidate table each, tab-separated; read one by one, for a
line can be long."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

from indexer.analysis.text import without_ignorable
from indexer.files.charset import open_lines_of_any
from indexer.files.encoding import numbered_lines
from indexer.files.errors import UserError, bad_input
from indexer.files.validation import refuse_halves
from indexer.formats.labels import CandidateList, read_label, texts_of
from indexer.formats.sentence_rows import RowFile, is_0_or_1

SHAPE = "expected [label TAB] question TAB caption TAB attributes TAB cells"
ROW_MARK, CELL_MARK = "_||_", "_|_"
_SAMPLE = 50  # lines that are not blank by which a file's form is recognised


class TableRow(NamedTuple):
    """One line of a TBQA file, numbered from 1: `label` is its text, None in a test file;
    `attributes` (column names) and `cells` are still joined by their separators."""

    line: int
    label: str | None
    question: str
    caption: str
    attributes: str
    cells: str

    def header(self) -> list[str]:
        """The attributes, without blanks around them; one empty text if there are none."""
        return [cell.strip() for cell in self.attributes.split(CELL_MARK)]

    def rows(self) -> Iterator[list[str]]:
        """The table's rows of cells, without blanks around them; rows can be ragged."""
        # Rows first: split at cell marks, the last cell of a row and the first of the next would be
        # one.
        for row in self.cells.split(ROW_MARK):
            yield [cell.strip() for cell in row.split(CELL_MARK)]


TableCandidates = tuple[str, Iterable[tuple[str, Sequence[str], Sequence[Sequence[str]]]]]
"""A question and its candidate tables, each a caption, names of columns and rows of cells, as a
program gives them."""


def table_rows(questions: Iterable[TableCandidates]) -> list[TableRow]:
    """The lines that a TBQA file would have for (question, tables) pairs, a table being (caption,
    column names, rows); none for a question without tables.

    Raises UserError for an item of another shape, an empty question, a cell with a separator, and
    without any table.
    """
    rows: list[TableRow] = []
    for number, item in enumerate(questions, 1):
        label = f"question {number}"
        question, tables = _tables_of(item, label)
        for (caption,), *lines in tables:
            refuse_halves((question, caption, *chain(*lines)), label)
            if any(mark in cell for cell in chain(*lines) for mark in (CELL_MARK, ROW_MARK)):
                what = f"{CELL_MARK} or {ROW_MARK} in a cell, the separator in files"
                raise UserError(f"{label}: {what}")
            attributes, *cells = map(CELL_MARK.join, lines)
            body, line = ROW_MARK.join(cells), len(rows) + 1
            rows.append(TableRow(line, None, question, caption, attributes, body))
    if not rows:
        raise UserError("no tables: give pairs of a question and its tables")
    return rows


def _tables_of(item: TableCandidates, label: str) -> tuple[str, list[list[tuple[str, ...]]]]:
    """A question, and each of its tables as lines of texts: the caption alone, the names of the
    columns, the rows. Raises UserError, beginning with `label`, for anything else."""
    with suppress(TypeError, ValueError):  # of something that is not a pair, or not a table
        question, tables = item
        read = [
            [texts_of(line) for line in ((caption,), header, *body)]
            for caption, header, body in tables
        ]
        texts = [[line for line in lines if line is not None] for lines in read]
        if texts == read and isinstance(question, str) and question.strip():
            return question, texts
    what = "its tables, each a caption, names of columns and rows of cells, all texts"
    raise UserError(f"{label}: expected a pair of a question and {what}")


def is_table_file(path: str | Path) -> bool:
    """Returns whether a file clearly is one of TBQA, even if some lines are bad: at least half of
    the first 50 non-blank lines have four or five columns, with cell or row separators in the last
    two."""
    lines = islice(
        (line.text for line in open_lines_of_any(path) if line.text and line.text.strip()), _SAMPLE
    )
    rows = [line.split("\t") for line in lines]
    marked = [
        row
        for row in rows
        if any(mark in cell for cell in row[-2:] for mark in (CELL_MARK, ROW_MARK))
    ]
    return bool(rows) and 2 * sum(len(row) in (4, 5) for row in marked) >= len(rows)


def read_table_rows(path: str | Path) -> Iterator[TableRow]:
    """Yields the lines of a TBQA file [NLPCC2017], with labels (five columns) or without (four),
    each field stripped and without invisible characters.

    Raises UserError, with file and line: another number of columns than in line 1, a label that is
    not a number, a question that is empty, 0 or 1, a line that cannot be read, an empty file.
    """
    width = 0
    for number, text in numbered_lines(open_lines_of_any(path), path, SHAPE):
        cells = text.split("\t")
        # Line 1 decides for all: a file has labels in every line or in none.
        width = width or len(cells)
        if len(cells) != width or width not in (4, 5):
            expected = SHAPE if width not in (4, 5) else f"expected {width} as in line 1"
            raise bad_input(
                path, number, f"{len(cells)} columns" if text.strip() else "an empty line", expected
            )
        label = cells.pop(0).strip() if width == 5 else None
        if is_0_or_1(cells[0]):  # a column is missing
            raise bad_input(path, number, f"a label ({cells[0]}) instead of a question", SHAPE)
        if label is not None:
            read_label(label, path, number)
        if not cells[0].strip():
            raise bad_input(path, number, "an empty question", SHAPE)
        yield TableRow(number, label, *(without_ignorable(cell).strip() for cell in cells))
    if not width:
        raise bad_input(path, None, "empty file", SHAPE)


def read_table_lists(path: str | Path, text: Callable[[TableRow], str]) -> RowFile:
    """Reads a TBQA file as candidate lists, one a question in the order of their first lines, with
    `text` of each table as a candidate; only these texts are kept, not the tables. Raises
    UserError, with file and line, for a line of another form and an empty file."""
    members: dict[str, list[tuple[int, bool | None, str]]] = {}
    warnings = []
    for row in read_table_rows(path):
        label, warning = (None, "") if row.label is None else read_label(row.label, path, row.line)
        warnings.append(warning)
        members.setdefault(row.question, []).append((row.line - 1, label, text(row)))
    lists: list[CandidateList] = []
    positions: list[int] = []
    for question, tables in members.items():
        lines, labels, texts = zip(*tables, strict=True)
        positions += lines
        lists.append(CandidateList(question, texts, None if None in labels else labels))
    return RowFile("", [], lists, positions, [], warnings)
