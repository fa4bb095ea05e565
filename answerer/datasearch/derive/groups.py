"""Rows, and columns, of statistics that a question may compare with each other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from answerer.datasearch.derive.match import Match
from answerer.datasearch.derive.places import rows_of_kind
from answerer.datasearch.derive.sides import both_sides


class Group(NamedTuple):
    """Rows that are compared with each other: all, those under one heading, or those that the question names."""

    kind: str
    rows: tuple[int, ...]
    mask: int
    text: str


def row_groups(match: Match) -> list[Group]:
    """The groups of rows that may be compared, those that the question names first."""
    view, table = match.view, match.view.table
    plain = [row for row in range(view.size) if row not in view.totals]
    found = [Group("all rows", tuple(plain), 0, "all rows")] if len(plain) > 1 else []
    named = sorted(
        row
        for row in {row for row, column in match.whole if table.sections <= column < table.labels}
        if row not in view.totals
    )
    texts = {view.columns[table.labels - 1].cells[row] for row in named} if table.labels else set()
    if len(texts) > 1:
        mask = 0
        for row in named:
            mask |= match.row_masks[row]
        found.append(Group("named rows", tuple(named), mask, "rows named"))
    elif 2 < len(named) < len(plain):
        found.append(Group("like rows", tuple(named), match.row_masks[named[0]], "rows of that label"))
    if places := rows_of_kind(match):
        found.append(Group("places", places, 0, "rows of places of that kind"))
    if len(texts) < 2:
        found += _alternative_rows(match, plain)
    if table.labels > 1:
        found += _headed_groups(match, plain)
    return found


def _alternative_rows(match: Match, plain: Sequence[int]) -> Iterator[Group]:
    """For each level of labels the rows of the two labels between which the question chooses; of several rows of
    such a label those that the rest of the question speaks of most."""
    view = match.view
    for label in view.columns[: view.table.labels]:
        rows_of: defaultdict[str, list[int]] = defaultdict(list)
        for row in plain:
            rows_of[label.cells[row]].append(row)
        firsts = {rows[0]: match.cell_masks.get((rows[0], label.number), 0) for rows in rows_of.values()}
        sides = both_sides(match, firsts, match.row_weight)
        if sides is None:
            continue
        _, *chosen = sides
        mask = firsts[chosen[0]] | firsts[chosen[1]]
        rows: list[int] = []
        for first in chosen:
            rest = {row: match.row_weight(match.row_masks.get(row, 0)) for row in rows_of[label.cells[first]]}
            rows += [row for row, weight in rest.items() if weight >= max(rest.values()) - 1e-9]
        for row in rows:
            mask |= match.row_masks.get(row, 0)
        yield Group("alternatives", tuple(sorted(rows)), mask, "rows on both sides of or")


def _headed_groups(match: Match, plain: Sequence[int]) -> list[Group]:
    """The rows under one heading (all labels but the last): the four that match best."""
    view, table = match.view, match.view.table
    by_heading: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    for row in plain:
        by_heading[tuple(column.cells[row] for column in view.columns[: table.labels - 1])].append(row)
    groups = []
    for place, (heading, rows) in enumerate(by_heading.items()):
        if len(rows) < 2:
            continue
        mask = 0
        for column in range(table.labels - 1):
            mask |= match.cell_masks.get((rows[0], column), 0)
        text = "rows under " + " > ".join(piece for piece in heading if piece)
        groups.append((-match.row_weight(mask), place, Group("headed rows", tuple(rows), mask, text)))
    return [group for _, _, group in sorted(groups)[:4]]


class ColumnGroup(NamedTuple):
    """Columns that are compared with each other: their header paths differ at one `level` only."""

    kind: str
    level: int
    columns: tuple[int, ...]
    shared: int
    """The question's words that all of the headings hold."""
    mask: int


def column_groups(match: Match) -> Iterator[ColumnGroup]:
    """All columns that differ at one level, those of them that the question names, and the two of an "or"."""
    for level, numbers in _alike_but_at_one_level(match):
        shared = ~0
        for number in numbers:
            shared &= match.header_masks[number]
        own = {number: match.header_masks[number] & ~shared for number in numbers}
        named = tuple(number for number in numbers if own[number])
        groups = [("all columns", numbers), ("named columns", named)]
        if len(named) == len(numbers) > 2:
            groups.pop()
        if len(named) > 2 and (sides := both_sides(match, own, match.header_weight)):
            groups.append(("alternatives", tuple(sorted(sides[1:]))))
        for kind, members in groups:
            if len(members) > 1:
                mask = shared & match.found
                for number in members if kind != "all columns" else ():
                    mask |= match.header_masks[number]
                yield ColumnGroup(kind, level, members, shared, mask)


def _alike_but_at_one_level(match: Match) -> list[tuple[int, tuple[int, ...]]]:
    """Columns whose header paths differ at one level only, with that level."""
    found: list[tuple[int, tuple[int, ...]]] = []
    data = [column for column in match.view.columns if not column.is_label and column.path]
    depth = max((len(column.path) for column in data), default=0)
    for level in range(depth):
        groups: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
        for column in data:
            if len(column.path) > level and column.number not in match.view.total_columns:
                groups[(*column.path[:level], "", *column.path[level + 1 :])].append(column.number)
        found += [(level, tuple(numbers)) for numbers in groups.values() if len(numbers) > 1]
    return found
