"""Derivations over statistics: a row by its labels, a column by its headings, a cell where they cross."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from answerer.datasearch.operations.matching import Block, Match, both_sides, rows_of_kind
from answerer.datasearch.operations.records import (
    LISTED,
    Derivation,
    answer_block,
    cover_block,
    heading_block,
    listed,
    spoken,
)
from answerer.datasearch.operations.selection import LINES, Line, column_lines, row_lines
from answerer.datasearch.question.analysis import Comparison, fulfils

Shared = Callable[[str, int], tuple[Block, Block]]
"""The blocks of an answer and of the words that are accounted for."""


class Condition(NamedTuple):
    """What a figure must fulfil: a comparison of the question, or to be a figure that it gives."""

    kind: str
    comparison: Comparison


_BY_SIGN = {
    "rise": Condition("sign", Comparison(1e-9, float("inf"), "above zero")),
    "fall": Condition("sign", Comparison(-float("inf"), -1e-9, "below zero")),
}
"""What a change is that goes up, and one that goes down."""


def condition_derivations(
    match: Match, rows: Sequence[Line], columns: Sequence[Line], shared: Shared
) -> Iterator[Derivation]:
    """The labels of rows whose figures in a column, and the headings of columns whose figures in a row, are as the
    question says; where there are several the first, the last, and all of them in one answer."""
    if "number" in match.question.kinds:
        return
    for condition in _conditions(match):
        yield from _labels(match, condition, columns, shared)
        yield from _headings(match, condition, rows[: LINES // 2], shared)


def _conditions(match: Match) -> list[Condition]:
    """The comparisons that are not of years, and the figures that stand in no label or heading."""
    found = [Condition("compared", item) for item in compared_figures(match)[:2]]
    triggers = match.question.triggers
    if not match.ordered and match.view.has_signs:
        found += [condition for trigger, condition in _BY_SIGN.items() if trigger in triggers]
    for word in match.question.content:
        if word[0].isdigit() and word.replace(".", "", 1).isdigit() and not match.view.knows(word):
            number = float(word)
            if not any(number in (round(item.low, 6), round(item.high, 6)) for item in match.question.comparisons):
                found.append(Condition("figure", Comparison(number - 1e-9, number + 1e-9, f"{number:,g}")))
    return found[:4]


def compared_figures(match: Match) -> list[Comparison]:
    """The question's comparisons with figures, not with years."""
    return [item for item in match.question.comparisons if not _of_years(item)]


def _of_years(comparison: Comparison) -> bool:
    """Whether a comparison has years for its bounds: a figure may be as large, but is seldom compared with one."""
    if comparison.figure:
        return False
    bounds = [round(bound) for bound in (comparison.low, comparison.high) if abs(bound) != float("inf")]
    return all(1800 <= bound <= 2100 for bound in bounds)


def _labels(match: Match, condition: Condition, columns: Sequence[Line], shared: Shared) -> Iterator[Derivation]:
    view = match.view
    plain = [row for row in range(view.size) if row not in view.totals]
    for column in columns:
        values = view.columns[column.number].values
        rows = [row for row in plain if fulfils(None, values[row].number, condition.comparison)]
        if len(rows) == len(plain):
            continue
        compared = (rows, (column.number,))
        for which, found in _parts(rows):
            block = _block(match, condition, which)
            for label in view.columns[: view.table.labels]:
                answer = listed(label.cells[row] for row in found)
                if answer:
                    level: Block = ((f"label level {view.table.labels - label.number}", 1.0),)
                    used = (block, level, column.block, *shared(answer, column.mask | match.said_of_labels))
                    text = f"{which} row where {column.text} is {condition.comparison.text}, its label"
                    yield Derivation(answer, used, text, (found[0], label.number), compared)


def _headings(match: Match, condition: Condition, rows: Sequence[Line], shared: Shared) -> Iterator[Derivation]:
    view = match.view
    data = [column for column in view.columns if column.path and not column.is_label]
    for row in rows:
        fitting = [
            column.number
            for column in data
            if fulfils(None, column.values[row.number].number, condition.comparison)
            and column.number not in view.total_columns
        ]
        if len(fitting) == len(data):
            continue
        compared = ((row.number,), fitting)
        for which, found in _parts(fitting):
            block = _block(match, condition, which)
            for level in range(len(view.columns[found[0]].path)):
                answer = listed(
                    view.columns[number].path[level] for number in found if level < len(view.columns[number].path)
                )
                if answer:
                    own = heading_block(match, view.columns[found[0]].path, level)
                    used = (block, row.block, own, *shared(answer, row.mask | match.header_masks[found[0]]))
                    text = f"row {row.text}, {which} heading where it is {condition.comparison.text}"
                    yield Derivation(answer, used, text, (-1 - level, found[0]), compared)


_WHICH = frozenset(("first", "last", "several"))


def _parts(numbers: Sequence[int]) -> list[tuple[str, Sequence[int]]]:
    """Which of some rows or columns an answer names: the only one, or the first, the last, or all of a few."""
    if len(numbers) < 2:
        return [("only", [number]) for number in numbers]
    ends: list[tuple[str, Sequence[int]]] = [("first", numbers[:1]), ("last", numbers[-1:])]
    return [*ends, ("all", numbers)] if len(numbers) <= LISTED else ends


def _block(match: Match, condition: Condition, which: str) -> Block:
    name = f"meets {condition.kind}"
    return (
        (name, 1.0),
        (f"{name}, {which}", 1.0),
        (f"{name}, a name is asked", float(match.question.seeks_name)),
        *((f"meets {which} & {trigger}", 1.0) for trigger in match.question.triggers if trigger in _WHICH),
    )


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


def matrix_derivations(match: Match) -> Iterator[Derivation]:
    """The derivations over a table whose rows and columns both have headings.

    Four kinds: the cell of a row and a column; the label of the row with the most or least in a column, among
    a group of rows; the heading of the column with the most or least in a row; the label or heading of a figure
    that is as the question says.
    """
    rows, columns = row_lines(match), column_lines(match)
    blocks = _Shared(match)
    yield from _cells(match, rows, columns, blocks)
    yield from _row_extremes(match, columns[: LINES // 2], blocks)
    yield from _column_extremes(match, rows[: LINES // 2], blocks)
    yield from condition_derivations(match, rows, columns, blocks.of_condition)


class _Shared:
    """Blocks that many derivations of one table share."""

    def __init__(self, match: Match) -> None:
        self.cover = cache(lambda mask: _of_matrix(cover_block(match, mask)))
        self.answer = cache(lambda text, group: _of_matrix(answer_block(match, text, group)))

    def of_condition(self, text: str, mask: int) -> tuple[Block, Block]:
        return self.answer(text, "meets"), self.cover(mask)


def _of_matrix(block: Block) -> Block:
    """Features under names of their own: what lists of records teach of them does not hold for statistics."""
    return tuple((f"matrix {name}", value) for name, value in block)


def _cells(match: Match, rows: Sequence[Line], columns: Sequence[Line], blocks: _Shared) -> Iterator[Derivation]:
    plain: Block = (
        ("cell", 1.0),
        ("cell, focus on labels", float(_focus_label(match) is not None)),
        *((f"cell & {trigger}", 1.0) for trigger in match.question.triggers),
        (f"cell & {match.question.asked_by}", 1.0),
        *_cell_unasked(match),
        *spoken(match, "cell"),
    )
    for row in rows:
        for column in columns:
            answer = match.view.columns[column.number].cells[row.number].strip()
            if answer:
                cover = blocks.cover(row.mask | column.mask | match.corner)
                twice = match.weight(row.mask & column.mask) / (match.weight(match.found) or 1.0)
                of_total = float(match.ordered and row.number in match.view.totals)
                focus = bool(set(match.question.focus) & match.view.columns[column.number].words)
                own: Block = (
                    ("words used twice", twice),
                    ("cell of total, an order is asked", of_total),
                    ("cell of focus, a name is asked", float(focus and match.asks_name)),
                )
                used = (plain, row.block, column.block, cover, blocks.answer(answer, "cell"), own)
                yield Derivation(answer, used, f"row {row.text}, column {column.text}", (row.number, column.number))
    yield from _labels_of(match, rows, blocks)


def _cell_unasked(match: Match) -> Block:
    """Whether the question asks for a name, or to order things: the figure of a row and column answers neither."""
    named, ordered = match.asks_name, match.ordered
    return (
        ("cell, a name is asked", float(named)),
        ("cell, an order is asked", float(ordered)),
        ("cell, a name is asked by order", float(named and ordered)),
        ("cell, a name is asked by comparison", float(named and bool(compared_figures(match)))),
    )


def _focus_label(match: Match) -> int | None:
    """The label column whose heading has what the question asks for ("which farm type"), if any."""
    if match.question.wh not in ("which", "what", "who", "name", ""):
        return None
    focus = match.question.focus[: 2 if match.question.wh == "which" else 1]
    for column in match.view.columns[: match.view.table.labels]:
        if any(word in column.words for word in focus):
            return column.number
    return None


def _labels_of(match: Match, rows: Sequence[Line], blocks: _Shared) -> Iterator[Derivation]:
    """A label of a row that matches by its others."""
    wh = match.question.asked_by
    plain: Block = (("label", 1.0), (f"label & {wh}", 1.0), *((f"label & {x}", 1.0) for x in match.question.triggers))
    for row in rows[: LINES // 2]:
        for column in match.view.columns[: match.view.table.labels]:
            answer = column.cells[row.number].strip()
            if answer:
                used = (plain, row.block, blocks.cover(row.mask), blocks.answer(answer, "label"))
                yield Derivation(
                    answer, used, f"row {row.text}, its label {column.header}".rstrip(), (row.number, column.number)
                )


def _row_extremes(match: Match, columns: Sequence[Line], blocks: _Shared) -> Iterator[Derivation]:
    view, table = match.view, match.view.table
    focus = _focus_label(match)
    said = _excepted_totals(match) | match.said_of_labels
    for group in row_groups(match):
        strength = match.row_weight(group.mask) / (match.row_weight(match.found) or 1.0)
        # a heading that all rows of the group share does not tell the one that is found from the others
        labels = [label for label in view.columns[: table.labels] if len({label.cells[row] for row in group.rows}) > 1]
        for column in columns:
            numbers = [value.number for value in view.columns[column.number].values]
            pairs = [(number, row) for row in group.rows if (number := numbers[row]) is not None]
            if len(pairs) < 2:
                continue
            compared = (group.rows, (column.number,))
            for operator, row, text in _picked(match, pairs):
                block = _extreme_block(match, operator, group.kind, pairs, strength)
                cover = blocks.cover(group.mask | column.mask | said)
                way = f"{group.text}, {text} {column.text}"
                for label in labels:
                    answer = label.cells[row].strip()
                    if answer:
                        named = float(label.number == focus)
                        level: Block = ((f"label level {table.labels - label.number}", 1.0), ("label focus", named))
                        used = (block, level, column.block, cover, blocks.answer(answer, "row extreme"))
                        yield Derivation(answer, used, f"{way}, its label", (row, label.number), compared)
                answer = view.columns[column.number].cells[row].strip()
                figure: Block = (
                    (f"figure of {operator}", 1.0),
                    ("figure of extreme", 1.0),
                    ("figure, focus on labels", float(focus is not None)),
                )
                used = (block, figure, column.block, cover, blocks.answer(answer, "row figure"))
                yield Derivation(answer, used, f"{way}, its figure", (row, column.number), compared)


def _excepted_totals(match: Match) -> int:
    """The words of totals that the question excepts: what compares plain rows has done so."""
    if "other" not in match.question.triggers:
        return 0
    excepted = plain = 0
    for row, mask in match.row_masks.items():
        if row in match.view.totals:
            excepted |= mask
        else:
            plain |= mask
    return excepted & ~plain


def _picked(match: Match, pairs: Sequence[tuple[float, int]]) -> Iterator[tuple[str, int, str]]:
    """The line with the most, the least, and the n-th by size where the question has an ordinal."""
    falling = sorted(pairs, key=lambda pair: (-pair[0], pair[1]))
    yield "max", falling[0][1], "largest"
    yield "min", min(pairs)[1], "smallest"
    place = match.ordinal
    if place is not None and 1 < place <= len(pairs):
        yield "nth max", falling[place - 1][1], f"number {place} by"
        yield "nth min", sorted(pairs)[place - 1][1], f"number {place} from the smallest"


_TURNED = {"max": "min", "min": "max", "nth max": "nth min", "nth min": "nth max"}


def _extreme_block(
    match: Match, operator: str, kind: str, pairs: Sequence[tuple[float, int]], strength: float
) -> Block:
    """The features of an extreme as the question speaks of it: the largest of falls is the smallest number."""
    if match.question.falls and any(number < 0 for number, _ in pairs):
        operator = _TURNED[operator]
    name = f"{kind} {operator}"
    size = len(pairs)
    features: list[tuple[str, float]] = [
        (f"among {kind}", 1.0),
        (f"among {kind} strength", strength),
        (f"among {operator}", 1.0),
        (name, 1.0),
        (f"{name} & {match.question.asked_by}", 1.0),
    ]
    if size == 2:
        features.append((f"{kind} of two", 1.0))
    features += [(f"among {operator} & {trigger}", 1.0) for trigger in match.question.triggers]
    features += [(f"{name} & {trigger}", 0.5) for trigger in match.question.triggers]
    features += spoken(match, f"among {operator}")
    return tuple(features)


def _column_extremes(match: Match, rows: Sequence[Line], blocks: _Shared) -> Iterator[Derivation]:
    """The heading of the column with the most or least in a row, among like columns or those that are named."""
    view = match.view
    for group in column_groups(match):
        strength = match.header_weight(group.shared & match.found) / (match.header_weight(match.found) or 1.0)
        for row in rows:
            values = [(view.columns[number].values[row.number].number, number) for number in group.columns]
            pairs = [(number, column) for number, column in values if number is not None]
            if len(pairs) < 2:
                continue
            compared = ((row.number,), group.columns)
            for operator, column, text in _picked(match, pairs):
                answer = view.columns[column].path[group.level].strip()
                block = _extreme_block(match, operator, group.kind, pairs, strength)
                own = heading_block(match, view.columns[column].path, group.level)
                told = (blocks.cover(group.mask | row.mask), blocks.answer(answer, "column extreme"))
                used = (block, row.block, own, *told)
                way = f"row {row.text}, {text} of {group.kind}, heading {answer}"
                yield Derivation(answer, used, way, (-1 - group.level, column), compared)
