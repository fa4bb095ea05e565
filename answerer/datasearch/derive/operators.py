"""From a set of rows to the row that is meant: first, next, largest, most frequent, the same as, and so on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from answerer.datasearch.derive.filters import Filter
from answerer.datasearch.derive.match import Match
from answerer.datasearch.tables.view import Series

_RARE_TRIGGERS = frozenset(("same", "other", "not"))


class Selection(NamedTuple):
    """What an operator picks from a filter's rows: a row, from which a column is still to be chosen, or a `value`
    of a column (the most frequent one). `by` is what it orders by; `tied` tells that others fulfil it as well."""

    operator: str
    row: int
    text: str = ""
    by: Series | None = None
    tied: bool = False
    value_column: int | None = None


def selections(match: Match, chosen: Filter) -> Iterator[Selection]:
    """Everything the operators pick from a filter's rows, the plain choices first."""
    yield from _by_place(match, chosen)
    if chosen.kind != "all" and len(chosen.rows) <= 3:
        yield from _neighbours(match, chosen)
    if len(chosen.rows) > 1:
        yield from _extremes(match, chosen)
        yield from _frequent(match, chosen)
    elif _RARE_TRIGGERS & set(match.question.triggers):
        yield from _alike(match, chosen)


def _by_place(match: Match, chosen: Filter) -> Iterator[Selection]:
    rows = chosen.rows
    if len(rows) == 1:
        yield Selection("only", rows[0])
        return
    yield Selection("first", rows[0], "the first")
    yield Selection("last", rows[-1], "the last")
    place = match.ordinal
    if place is not None and 1 < place <= len(rows):
        yield Selection("nth", rows[place - 1], f"number {place}")


def _neighbours(match: Match, chosen: Filter) -> Iterator[Selection]:
    after, before = chosen.rows[-1] + 1, chosen.rows[0] - 1
    if after < match.view.size:
        yield Selection("next", after, "next row")
    if before >= 0:
        yield Selection("previous", before, "previous row")


def _extremes(match: Match, chosen: Filter) -> Iterator[Selection]:
    ordinal = match.ordinal
    for series in match.series:
        pairs = [(number, row) for row in chosen.rows if (number := series.numbers[row]) is not None]
        if len(pairs) < 2:
            continue
        low, high = min(pairs)[0], max(pairs)[0]
        if low == high:
            continue
        header = match.view.columns[series.column].called
        name = f"{series.made} of {header}" if series.made else header
        lowest = [row for number, row in pairs if number == low]
        highest = [row for number, row in pairs if number == high]
        yield Selection("max", highest[0], f"largest {name}", series, len(highest) > 1)
        yield Selection("min", lowest[0], f"smallest {name}", series, len(lowest) > 1)
        if ordinal is not None and 1 < ordinal <= len(pairs):
            falling = sorted(pairs, key=lambda pair: (-pair[0], pair[1]))
            yield Selection("nth max", falling[ordinal - 1][1], f"number {ordinal} by {name}", series)
            rising = sorted(pairs)
            yield Selection("nth min", rising[ordinal - 1][1], f"number {ordinal} from the smallest {name}", series)


def _frequent(match: Match, chosen: Filter) -> Iterator[Selection]:
    """The value that a column repeats most, or least, often in the rows."""
    for column in match.view.columns:
        cells = [(column.cells[row], row) for row in chosen.rows if column.cells[row]]
        if len(cells) < 3 or column.distinct < 2:
            continue
        counts = Counter(cell for cell, _ in cells)
        if len(counts) < 2 or len(counts) == len(cells):
            continue
        first_rows = dict(reversed(cells))
        most = max(counts.values())
        least = min(counts.values())
        tops = [cell for cell, count in counts.items() if count == most]
        bottoms = [cell for cell, count in counts.items() if count == least]
        if most > least:
            text, number = f"most frequent {column.called} ({most} times)", column.number
            yield Selection("frequent", first_rows[tops[0]], text, None, len(tops) > 1, number)
            text = f"least frequent {column.called}"
            yield Selection("rare", first_rows[bottoms[0]], text, None, len(bottoms) > 1, number)


def _alike(match: Match, chosen: Filter) -> Iterator[Selection]:
    """The other rows that share a value with the row meant."""
    row = chosen.rows[0]
    for column in match.view.columns:
        cell = column.cells[row]
        if not cell or column.distinct == match.view.size:
            continue
        others = [other for other, text in enumerate(column.cells) if text == cell and other != row]
        if others and len(others) < match.view.size - 1:
            series = Series(column.number, "same", ())
            text = f"another row with {column.header or 'label'} = {cell}"
            yield Selection("same", others[0], text, series, len(others) > 1)
            if len(others) > 1:
                yield Selection("same last", others[-1], text, series, True)
