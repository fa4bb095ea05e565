"""The tables of one file of open data, block by block: what `read_archive` has done in a process of its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from indexer.languages.language import Language
from indexer.tables.grids.files import read_grids
from indexer.tables.grids.workbook import UnreadableTableError
from indexer.tables.table import Table, read_tables

BLOCK_CELLS = 4_000
"""Cells of a document at most: a longer table is cut into several, each with the headings."""


class TableBlock(NamedTuple):
    """Rows of a file's table: the block's place in it and the number of its first row, both from 0."""

    place: int
    start: int
    table: Table


def table_blocks(data: bytes, language: Language) -> Iterator[TableBlock | str]:
    """The blocks of a file's tables, and at the end why the file, or the rest of it, gave none."""
    try:
        for grid in read_grids(data, language):
            name = grid.name if grid.name and not grid.name.lower().startswith("sheet") else ""
            for table in read_tables(grid):
                yield from _cut(_named(table, name) if name else table)
    except UnreadableTableError as error:
        yield str(error)


def _named(table: Table, name: str) -> Table:
    """The table with its sheet's name: the title of one that has none, else its last note."""
    return table._replace(notes=(*table.notes, name)) if table.title else table._replace(title=name)


def _cut(table: Table) -> Iterator[TableBlock]:
    height = max(1, BLOCK_CELLS // max(1, len(table.columns)))
    for place, start in enumerate(range(0, max(1, len(table.rows)), height)):
        yield TableBlock(place, start, table._replace(rows=table.rows[start : start + height]))
