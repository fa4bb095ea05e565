"""Quizzes in workbooks (xlsx, xls, ods) as lines of cells, parted by tabs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from answerer.formats.question_file.columns import read_table
from answerer.formats.question_file.parts import DocumentLines
from indexer.files.errors import UserError, bad_input
from indexer.ingest_report import leave_out
from indexer.languages.english import ENGLISH
from indexer.sandbox import Sandbox, WorkerDiedError
from indexer.tables.workbook import Grid, UnreadableTableError, read_workbook

OTHER_SHEETS = "other sheets"


def workbook_lines(data: bytes, path: str) -> DocumentLines:
    """The rows of a workbook's first visible sheet that has questions, else of its first one, as
    they are displayed; no lines without a sheet. A tab or a line end in a cell becomes a blank.

    Hidden rows and columns are not read; they and the other sheets are counted. Raises UserError
    for a workbook that cannot be read. Numbers and dates are as in an English Excel.
    """
    try:
        with Sandbox(_grids) as reader:
            grids = list(reader(data))
    except (UserError, WorkerDiedError) as error:
        raise bad_input(path, None, f"cannot be read ({error})", "save it as CSV") from None
    sheets = [grid for grid in grids if grid.rows]
    texts = [_lines(grid) for grid in sheets]
    chosen = next((number for number, lines in enumerate(texts) if _has_questions(lines)), 0)
    counts: Counter[str] = Counter()
    for grid in grids:
        for reason, pieces in grid.left_out.items():
            for piece in pieces:
                leave_out(counts, reason, piece)
    for number, grid in enumerate(sheets):
        if number != chosen:
            leave_out(counts, OTHER_SHEETS, grid.name)
    lines = texts[chosen] if texts else []
    return DocumentLines(lines, [f"row {number + 1}" for number in range(len(lines))], {}, counts)


def _grids(data: bytes) -> Iterator[Grid]:
    """Yields the visible sheets of a workbook, in the sandbox. UserError for a damaged one."""
    try:
        yield from read_workbook(data, ENGLISH)
    except UnreadableTableError as error:
        raise UserError(str(error)) from None


def _lines(grid: Grid) -> list[str]:
    """The rows of a sheet, their cells, with single blanks, parted by tabs, without empty cells at
    the end; a blank row is an empty line. A cell merged over the two rows of a heading, in the
    upper of which another covers several columns, is in the lower row."""
    rows = [[" ".join(cell.split()) for cell in row] for row in grid.rows]
    wide = {span.top for span in grid.merged if span.top == span.bottom and span.left < span.right}
    for span in grid.merged:
        if span.top in wide and span.bottom == span.top + 1 and span.left == span.right:
            rows[span.bottom][span.left] = rows[span.top][span.left]
            rows[span.top][span.left] = ""
    return ["\t".join(row).rstrip("\t") for row in rows]


def _has_questions(lines: list[str]) -> bool:
    parsed = read_table("\n".join(lines))
    return parsed is not None and len(parsed.questions) > 0
