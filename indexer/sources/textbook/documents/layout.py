"""The reading order of a page: pieces of text with their places, put into columns and lines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby, pairwise
from statistics import median
from typing import NamedTuple

_MOST = 2_000  # fragments of a page that columns are looked for among: a page of a book has a tenth of them
_COLUMN_LINES = 3  # a column has at least this many lines that begin at its left edge
_FULL = 0.5  # of a column's width its middle line fills at least; the cells of a table do not
_CLOSE = 2.5  # heights of a line from one line of a column to the next, in the middle; notes at the edge are sparser
_LEVEL = 0.5  # of the lower one's height two fragments share when they stand in one line


_WIDE = re.compile("[\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]")


def is_wide(character: str) -> bool:
    """Whether a character is of Japanese or Chinese: no blanks stand beside it, wherever a line ends."""
    return _WIDE.match(character) is not None


class Fragment(NamedTuple):
    """A piece of a line: its text, its box (`top` < `bottom`, from the page's upper left), the size of its type.

    All lengths are in one unit of the page: points, or characters and lines.
    """

    text: str
    left: float
    top: float
    right: float
    bottom: float
    size: float


class Page(NamedTuple):
    """A page: how its file numbers it ("" where it does not), and its fragments in any order."""

    label: str
    fragments: Sequence[Fragment]


def lines(fragments: Iterable[Fragment]) -> list[Fragment]:
    """The lines of one column from top to bottom: fragments side by side become one, with blanks between them.

    A line has the type size of its longest fragment.
    """
    found: list[list[Fragment]] = []
    for one in sorted(fragments, key=lambda one: (one.top, one.left)):
        if found and _level(found[-1][0], one):
            found[-1].append(one)
        else:
            found.append([one])
    return [_joined(sorted(line, key=lambda one: one.left)) for line in found]


def _level(first: Fragment, second: Fragment) -> bool:
    shared = min(first.bottom, second.bottom) - max(first.top, second.top)
    return shared > _LEVEL * min(first.bottom - first.top, second.bottom - second.top)


def _joined(line: Sequence[Fragment]) -> Fragment:
    longest = max(line, key=lambda one: len(one.text))
    return Fragment(
        " ".join(" ".join(one.text for one in line).split()),
        line[0].left,
        min(one.top for one in line),
        max(one.right for one in line),
        max(one.bottom for one in line),
        longest.size,
    )


def blocks(fragments: Sequence[Fragment]) -> list[list[Fragment]]:
    """The lines of a page in reading order, those of each column by themselves; a page without text gives none.

    Columns are read from the left to the right, between lines that run over them from band to band. It is a column
    where at least three lines begin at one left edge, others end before it, and both sides are filled: the cells of a
    table are not, and are read row by row.
    """
    if not fragments:
        return []
    edge = _gutter(fragments) if len(fragments) <= _MOST else None
    if edge is None:
        return [lines(fragments)]
    found: list[list[Fragment]] = []
    ordered = sorted(fragments, key=lambda one: (one.top, one.left))
    for spans, band in groupby(ordered, key=lambda one: one.left < edge < one.right):
        run = list(band)
        if spans:
            found.append(lines(run))
        else:
            found += blocks([one for one in run if one.right <= edge])
            found += blocks([one for one in run if one.left >= edge])
    return found


def _gutter(fragments: Sequence[Fragment]) -> float | None:
    """The left edge of a column that has another at its left; None where the page has one column.

    Of several the one that parts the fragments most evenly, then the leftmost.
    """
    unit = median(one.size for one in fragments)
    starts = Counter(round(one.left / unit) for one in fragments)
    best: tuple[int, float] | None = None
    for start, count in sorted(starts.items()):
        if count < _COLUMN_LINES:
            continue
        edge = min(one.left for one in fragments if round(one.left / unit) == start)
        left = [one for one in fragments if one.right <= edge]
        right = [one for one in fragments if one.left >= edge]
        smaller = min(len(left), len(right))
        if smaller >= _COLUMN_LINES and _are_columns(left, right, edge) and (best is None or smaller > best[0]):
            best = smaller, edge
    return best[1] if best else None


def _are_columns(left: Sequence[Fragment], right: Sequence[Fragment], edge: float) -> bool:
    """Whether two sides stand beside each other, each of lines that fill it and follow each other closely."""
    beside = min(max(one.bottom for one in left), max(one.bottom for one in right)) - max(
        min(one.top for one in left), min(one.top for one in right)
    )
    widths = (edge - min(one.left for one in left), max(one.right for one in right) - edge)
    return beside > 0 and all(
        median(one.right - one.left for one in side) >= _FULL * width and _are_close(side)
        for side, width in zip((left, right), widths, strict=True)
    )


def _are_close(side: Sequence[Fragment]) -> bool:
    steps = [two.top - one.top for one, two in pairwise(sorted(side, key=lambda one: one.top))]
    return median(steps) <= _CLOSE * median(one.bottom - one.top for one in side)
