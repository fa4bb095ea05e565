"""The part of a table that an answer stands in, small enough for a trace: its cell, and the cells that led to it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from answerer.datasearch.choose import view_of
from answerer.datasearch.derive.derivations import Derivation
from answerer.datasearch.tables.view import View

_ROWS = 7
_COLUMNS = 7
_USED_ROWS = 4  # rows of those compared that are shown
_LONGEST = 60  # characters of a cell


def excerpt(derivation: Derivation, views: Sequence[View]) -> dict[str, Any] | None:
    """`{title, size, columns, rows, labels, answer, used}` of an answer's table; None where it is no cell or heading.

    Of several tables one without a title goes by its file's name. `size` counts the table's rows and columns,
    `columns` are the headings of those shown, each as a path, `rows` the rows shown as `[number, cells]` with numbers
    from 0, `labels` how many of the columns shown name the rows. `answer` is the place of the answer, row and column
    shown, the row −1 − level in a heading; `used` are the places of the cells that the derivation compared. Long cells
    are cut.
    """
    view, (row, column) = view_of(derivation, views)
    if not 0 <= column < len(view.columns) or not -1 - len(view.columns[column].path) <= row < view.size:
        return None
    used_rows, used_columns = derivation.used
    labels = range(max(1, min(view.table.labels, 2)))
    columns = _window([column, *labels, *used_columns], column, len(view.columns), _COLUMNS)
    rows = _window([row, *used_rows[:_USED_ROWS]], row, view.size, _ROWS)
    compared = {(r, c) for r in used_rows or (row,) for c in used_columns}
    return {
        "title": _cut(view.table.title or (view.file if len(views) > 1 else "")),
        "size": [view.size, len(view.columns)],
        "columns": [[_cut(part) for part in view.columns[number].path] for number in columns],
        "rows": [[number, [_cut(view.columns[other].cells[number]) for other in columns]] for number in rows],
        "labels": sum(number < view.table.labels for number in columns),
        "answer": [rows.index(row) if row >= 0 else row, columns.index(column)],
        "used": [[r, c] for r, own in enumerate(rows) for c, other in enumerate(columns) if (own, other) in compared],
    }


def _window(wanted: Iterable[int], middle: int, size: int, most: int) -> list[int]:
    """The lines wanted, then those nearest to `middle`, at most so many, in order."""
    near = sorted(range(max(0, middle - most), min(size, middle + most + 1)), key=lambda line: abs(line - middle))
    chosen = dict.fromkeys(line for line in (*wanted, *near) if 0 <= line < size)
    return sorted(list(chosen)[:most])


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"
