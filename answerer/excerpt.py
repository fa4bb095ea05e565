"""The part of a table around an answer, for a trace: Data Search and U4 show their cells in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from answerer.trace import TraceTable

_ROWS = _COLUMNS = 7  # of an excerpt, as many as a page shows well
_USED_ROWS = 4  # rows of those compared that are shown
_LONGEST = 60  # characters of a cell


def excerpt(
    title: str,
    paths: Sequence[Sequence[str]],
    rows: Sequence[Sequence[str]],
    answer: tuple[int, int],
    labels: int,
    used: tuple[Sequence[int], Sequence[int]] = ((), ()),
) -> TraceTable | None:
    """The rows and columns of a table around an answer, up to 7 of each, with long cells cut; None
    if `answer` is not a cell of the table.

    `paths` are the columns' headings, outermost first, `rows` the body cells, `answer` is (row,
    column), row −1 − level for a heading, `labels` the number of leading columns that label the
    rows, of which one or two are shown, `used` the numbers of the rows (the first 4 are shown) and
    of the columns that were compared; without rows, those columns of the answer's row.

    In the excerpt `size` counts the table's rows and columns, `rows` are (row number from 0,
    cells), `labels` counts the shown label columns; `answer` and `used` are positions in the
    excerpt.
    """
    row, column = answer
    if not 0 <= column < len(paths) or not -1 - len(paths[column]) <= row < len(rows):
        return None
    used_rows, used_columns = used
    label_columns = range(max(1, min(labels, 2)))
    columns = window([column, *label_columns, *used_columns], column, len(paths), _COLUMNS)
    numbers = window([row, *used_rows[:_USED_ROWS]], row, len(rows), _ROWS)
    compared = {(r, c) for r in used_rows or (row,) for c in used_columns}
    return TraceTable(
        title=shorten(title),
        size=(len(rows), len(paths)),
        columns=tuple(tuple(map(shorten, paths[number])) for number in columns),
        rows=tuple(
            (number, tuple(shorten(rows[number][other]) for other in columns)) for number in numbers
        ),
        labels=sum(number < labels for number in columns),
        answer=(numbers.index(row) if row >= 0 else row, columns.index(column)),
        used=tuple(
            (r, c)
            for r, number in enumerate(numbers)
            for c, other in enumerate(columns)
            if (number, other) in compared
        ),
    )


def window(wanted: Iterable[int], middle: int, size: int, most: int) -> list[int]:
    """Numbers, from 0 to before `size`, of the wanted lines, then of those nearest to `middle`,
    ties the lower one; the first `most` of them, rising."""
    near = sorted(
        range(max(0, middle - most), min(size, middle + most + 1)),
        key=lambda line: abs(line - middle),
    )
    chosen = dict.fromkeys(line for line in (*wanted, *near) if 0 <= line < size)
    return sorted(list(chosen)[:most])


def shorten(text: str) -> str:
    """A cell's text in one line, with single blanks; of a longer one the first `_LONGEST` − 1 (59)
    characters and "…"."""
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"
