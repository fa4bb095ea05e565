"""A candidate table as a trace shows it: the part of it that holds words of its question, bounded in size."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import chain

from answerer.trace import TraceTable
from indexer.formats.table_rows import TableRow
from retriever.ranking.english.words import Stems, find_words, fold

_ROWS, _COLUMNS = 6, 8
_LONGEST = 60  # characters of a cell


def shown_table(row: TableRow, terms: Collection[str], stems: Stems) -> TraceTable:
    """At most 6 rows of 8 columns, those with cells that hold any of the terms before others, in the table's order.

    `matched` are the places, among what is shown, of the cells that hold a term: [row, column], of headings row −1.
    Nothing is the answer in such a table; its caption is the candidate's own text, so the title is empty.
    """
    header, rows = row.header(), list(row.rows())
    places = [
        (r, c)
        for r, cells in enumerate(chain([header], rows), -1)
        for c, cell in enumerate(cells)
        if terms and any(stems[word] in terms for word in find_words(fold(cell).lower()))
    ]
    width = max(map(len, [header, *rows]))
    columns = _first([c for _, c in places], width, _COLUMNS)
    numbers = _first([r for r, _ in places if r >= 0], len(rows), _ROWS)
    row_at = {-1: -1} | {r: place for place, r in enumerate(numbers)}
    column_at = {c: place for place, c in enumerate(columns)}
    return TraceTable(
        size=(len(rows), width),
        columns=tuple((cell,) for cell in _cells(header, columns)),
        rows=tuple((r, tuple(_cells(rows[r], columns))) for r in numbers),
        matched=tuple((row_at[r], column_at[c]) for r, c in places if r in row_at and c in column_at),
    )


def _first(wanted: Sequence[int], size: int, most: int) -> list[int]:
    """Those wanted, then the first of all others, `most` in all, rising."""
    return sorted(list(dict.fromkeys(chain(wanted, range(min(size, 2 * most)))))[:most])


def _cells(cells: Sequence[str], columns: Sequence[int]) -> list[str]:
    """The cells of some columns, cut where they are long; "" where a row ends before."""
    return [_cut(cells[c]) if c < len(cells) else "" for c in columns]


def _cut(cell: str) -> str:
    return cell if len(cell) <= _LONGEST else f"{cell[: _LONGEST - 1]}…"
