"""Cells whose figures nobody searches for, told from words, dates and years; most of a large table's cells are such."""

from __future__ import annotations

import re

from indexer.tables.values import parse_value

_WORD = 5  # so many letters no currency has, no unit and no word for what is missing
_PLAIN = (
    re.compile(  # numbers that are no year whatever follows, told in a third of the time of all that cells may mean
        r"-?(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}\.\d+|[1-9]\d{4,20}\.\d+)", re.ASCII
    )
)


def is_unsearched(cell: str) -> bool:
    """A number that nobody searches for: any but a year; also what stands where one is missing."""
    if len(cell) != 4 and cell.isdigit():
        return True
    if len(cell) >= _WORD and cell[:_WORD].isalpha():
        return False
    if _PLAIN.fullmatch(cell):
        return True
    value = parse_value(cell)
    return value.kind in ("number", "missing") and value.year is None
