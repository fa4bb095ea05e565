"""A part of a table in columns of a terminal: the answer in [brackets], the cells that led to it in ‹angles›.

In a table that is a candidate itself, cells that hold words of the question stand in ‹angles› too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from answerer.page.tables import Cell, Kind, Table
from indexer.cli.columns import columns, padded, shortened
from indexer.cli.screen import Line, Run, Style

_MARKS: dict[Kind, str] = {"": "{}", "label": "{}", "used": "‹{}›", "answer": "[{}]", "matched": "‹{}›"}
_STYLES: dict[Kind, Style] = {"": "", "label": "", "used": "accent", "answer": "strong", "matched": "accent"}
_GAP = "  "
_WIDEST = 24
_NARROWEST = 6


def table_lines(table: Table, width: int) -> Iterator[Line]:
    """The title, the headings and the rows; columns that do not fit are narrowed, then left out from the right."""
    if table.title or table.whole:
        yield [
            Run(
                shortened(" ".join(filter(None, (table.title, f"({table.whole})" if table.whole else ""))), width),
                "dim",
            )
        ]
    lines = [table.heads, *table.rows]
    widths = _widths(lines, width)
    for number, line in enumerate(lines):
        found: Line = []
        for cell, own in zip(line, widths, strict=False):
            said = cell.text if number else _fitting(cell.text, own)
            text = _MARKS[cell.kind].format(shortened(said, own - len(_MARKS[cell.kind]) + 2))
            found += [Run(padded(text, own), _STYLES[cell.kind] or ("" if number else "dim")), Run(_GAP)]
        yield found


def _fitting(text: str, width: int) -> str:
    """A heading whose whole path does not fit is called by its last part, which tells it from its neighbours."""
    return text if columns(text) <= width else text.rpartition(" / ")[2]


def _widths(lines: Sequence[Sequence[Cell]], width: int) -> list[int]:
    wanted = [min(_WIDEST, max(_NARROWEST, *(map(_taken, column)))) for column in zip(*lines, strict=False)]
    while sum(wanted) + len(_GAP) * len(wanted) > width and max(wanted, default=0) > _NARROWEST:
        wanted[wanted.index(max(wanted))] -= 1
    while wanted and sum(wanted) + len(_GAP) * len(wanted) > width:
        wanted.pop()
    return wanted


def _taken(cell: Cell) -> int:
    return columns(_MARKS[cell.kind].format(cell.text))
