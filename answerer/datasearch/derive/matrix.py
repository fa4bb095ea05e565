"""Derivations over statistics: a row by its labels, a column by its headings, a cell where they cross."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from answerer.datasearch.derive.conditions import compared_figures, condition_derivations
from answerer.datasearch.derive.derivations import Block, Derivation, answer_block, cover_block, heading_block, spoken
from answerer.datasearch.derive.groups import column_groups, row_groups
from answerer.datasearch.derive.lines import LINES, Line, column_lines, row_lines
from answerer.datasearch.derive.match import Match


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
