"""Table operations over statistics (pivoted tables): a row by its labels, a column by its headings, the cell of both.

Answers are cells; labels and headings of the largest and smallest figures; labels and headings of figures that fulfil a
condition of the question.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from answerer.datasearch.operations.records import (
    LISTED,
    Derivation,
    answer_block,
    cover_block,
    join_texts,
    spoken_features,
)
from answerer.datasearch.operations.selection import (
    REGIONS,
    FeatureBlock,
    Features,
    Match,
    Region,
    both_sides,
    column_regions,
    row_regions,
    rows_of_kind,
)
from answerer.datasearch.question.analysis import NumberComparison, fulfils

# Features of answers and coverage have separate names: weights learned on records do not hold for statistics.
_PREFIX = "matrix "
_WHICH = frozenset(("first", "last", "several"))
_OPPOSITE = {"max": "min", "min": "max", "nth max": "nth min", "nth min": "nth max"}


class Condition(NamedTuple):
    """A condition on a figure. `kind` is "compared" (a comparison of the question) or "figure" (equality to a figure of
    the question)."""

    kind: str
    comparison: NumberComparison


class RowGroup(NamedTuple):
    """Rows that are compared with each other: all, those under one heading, or those that the question names.

    `kind` is the group's name in features, `mask` has the question's words that name the rows, `text` describes them in
    a trace.
    """

    kind: str
    rows: tuple[int, ...]
    mask: int
    text: str


class ColumnGroup(NamedTuple):
    """Columns that are compared with each other: their header paths differ at one `level` (from 0) only.

    `kind` is the group's name in features, `columns` are the columns' numbers, `mask` has the question's words that
    name the group.
    """

    kind: str
    level: int
    columns: tuple[int, ...]
    shared: int
    """The question's words that all of the headings hold."""
    mask: int


def matrix_derivations(match: Match) -> Iterator[Derivation]:
    """Yields the derivations over a table whose rows and columns both have headings.

    Four kinds: the cell of a row and a column; the label of the row with the most or least in a column, among a group
    of rows; the heading of the column with the most or least in a row; the label or heading of a figure that fulfils a
    condition.
    """
    rows, columns = row_regions(match), column_regions(match)

    def with_prefix(block: FeatureBlock) -> FeatureBlock:
        return tuple((f"{_PREFIX}{name}", value) for name, value in block)

    shared = _SharedBlocks(
        cache(lambda mask: with_prefix(cover_block(match, mask))),
        cache(lambda text, group: with_prefix(answer_block(match, text, group))),
    )
    yield from _cells(match, rows, columns, shared)
    # Half as many: each line is compared with all of its group.
    yield from _row_extremes(match, columns[: REGIONS // 2], shared)
    yield from _column_extremes(match, rows[: REGIONS // 2], shared)
    # "How many" is answered by a figure and not by what has it.
    if "number" not in match.question.kinds:
        yield from _met_conditions(match, rows[: REGIONS // 2], columns, shared)


class _SharedBlocks(NamedTuple):
    """Cached feature blocks of one table, with the prefix `matrix `: of the words that a derivation uses (their mask),
    and of its answer (the text, and the operator's group)."""

    cover: Callable[[int], FeatureBlock]
    answer: Callable[[str, str], FeatureBlock]


def _cells(
    match: Match, rows: Sequence[Region], columns: Sequence[Region], shared: _SharedBlocks
) -> Iterator[Derivation]:
    """Yields as answers the cell of each of `rows` in each of `columns`, blank ones aside."""
    question, view = match.question, match.view
    wh, named, ordered = question.asked_by, question.seeks_name, match.asks_for_order
    common: FeatureBlock = (
        ("cell", 1.0),
        ("cell, focus on labels", float(_focus_label(match) is not None)),
        *((f"cell & {trigger}", 1.0) for trigger in question.triggers),
        (f"cell & {wh}", 1.0),
        # A question that asks for a name, or to order things, is not answered by the figure of a row and column.
        ("cell, a name is asked", float(named)),
        ("cell, an order is asked", float(ordered)),
        ("cell, a name is asked by order", float(named and ordered)),
        ("cell, a name is asked by comparison", float(named and bool(_compared_figures(match)))),
        *spoken_features(match, "cell"),
    )
    for row in rows:
        for column in columns:
            answer = view.columns[column.number].cells[row.number].strip()
            if answer:
                focus = bool(set(question.focus) & view.columns[column.number].words)
                own: FeatureBlock = (
                    ("words used twice", match.weight(row.mask & column.mask) / (match.weight(match.found) or 1.0)),
                    ("cell of total, an order is asked", float(ordered and row.number in view.totals)),
                    ("cell of focus, a name is asked", float(focus and named)),
                )
                cover = shared.cover(row.mask | column.mask | match.corner)
                blocks = (common, row.block, column.block, cover, shared.answer(answer, "cell"), own)
                place = (row.number, column.number)
                yield Derivation(answer, blocks, f"row {row.text}, column {column.text}", place)


def _focus_label(match: Match) -> int | None:
    """The number of the label column whose heading has the question's focus ("which farm type"); None without one, and
    for other question words than which, what, who, name and none."""
    if match.question.wh not in ("which", "what", "who", "name", ""):
        return None
    focus = match.question.focus[: 2 if match.question.wh == "which" else 1]
    for column in match.view.columns[: match.view.table.labels]:
        if any(word in column.words for word in focus):
            return column.number
    return None


def row_groups(match: Match) -> list[RowGroup]:
    """The groups of rows among which an extreme is looked for; totals are left out.

    All rows; rows whose labels the question names; rows of the kind of place asked for; both sides of an "or"; and the
    rows under one heading, for the four headings that match best.
    """
    view, table = match.view, match.view.table
    plain = [row for row in range(view.size) if row not in view.totals]
    found = [RowGroup("all rows", tuple(plain), 0, "all rows")] if len(plain) > 1 else []
    named = sorted(
        {row for row, column in match.whole if table.sections <= column < table.labels and row not in view.totals}
    )
    # Rows under several headings can have the same label: then the headings are compared.
    texts = {view.columns[table.labels - 1].cells[row] for row in named} if table.labels else set()
    if len(texts) > 1:
        mask = 0
        for row in named:
            mask |= match.row_masks[row]
        found.append(RowGroup("named rows", tuple(named), mask, "rows named"))
    elif 2 < len(named) < len(plain):
        found.append(RowGroup("like rows", tuple(named), match.row_masks[named[0]], "rows of that label"))
    if places := rows_of_kind(match):
        found.append(RowGroup("places", places, 0, "rows of places of that kind"))
    if len(texts) < 2:
        found += _alternative_rows(match, plain)
    # The rows under one heading (all labels but the last): the four groups that match best.
    if table.labels > 1:
        by_heading: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
        for row in plain:
            by_heading[tuple(column.cells[row] for column in view.columns[: table.labels - 1])].append(row)
        headed = []
        for place, (heading, rows) in enumerate(by_heading.items()):
            if len(rows) > 1:
                mask = 0
                for column in range(table.labels - 1):
                    mask |= match.cell_masks.get((rows[0], column), 0)
                text = "rows under " + " > ".join(piece for piece in heading if piece)
                headed.append((-match.row_weight(mask), place, RowGroup("headed rows", tuple(rows), mask, text)))
        found += [group for *_, group in sorted(headed)[:4]]
    return found


def _alternative_rows(match: Match, plain: Sequence[int]) -> Iterator[RowGroup]:
    """Yields, for each label column, the rows of the two labels that match the sides of an "or" in the question best.

    `plain` are the numbers of the rows that are not totals. Of several rows with one of the labels, those with the
    highest weight of the question's words are taken.
    """
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
            # The label may come under several headings, of which the question may name one.
            rest = {row: match.row_weight(match.row_masks.get(row, 0)) for row in rows_of[label.cells[first]]}
            rows += [row for row, weight in rest.items() if weight >= max(rest.values()) - 1e-9]
        for row in rows:
            mask |= match.row_masks.get(row, 0)
        yield RowGroup("alternatives", tuple(sorted(rows)), mask, "rows on both sides of or")


def column_groups(match: Match) -> Iterator[ColumnGroup]:
    """Yields groups of two or more columns whose header paths differ at one level only, totals aside: all of
    them, and those that the question names."""
    data = [column for column in match.view.columns if not column.is_label and column.path]
    for level in range(max((len(column.path) for column in data), default=0)):
        alike: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
        for column in data:
            if len(column.path) > level and column.number not in match.view.total_columns:
                # Equal but for this level: 2019 over men is compared with 2020 over men, not with 2020 over women.
                alike[(*column.path[:level], "", *column.path[level + 1 :])].append(column.number)
        for numbers in alike.values():
            if len(numbers) < 2:
                continue
            shared = ~0  # words of all the headings distinguish none of the columns
            for number in numbers:
                shared &= match.header_masks[number]
            own = {number: match.header_masks[number] & ~shared for number in numbers}
            named = [number for number in numbers if own[number]]
            groups = [("all columns", numbers)]
            # Where all are named, the group is that of all columns.
            if not len(named) == len(numbers) > 2:
                groups.append(("named columns", named))
            for kind, members in groups:
                if len(members) > 1:
                    mask = shared & match.found
                    for number in members if kind != "all columns" else ():
                        mask |= match.header_masks[number]
                    yield ColumnGroup(kind, level, tuple(members), shared, mask)


def _pick_extremes(match: Match, pairs: Sequence[tuple[float, int]]) -> Iterator[tuple[str, int, str]]:
    """Yields (operator, number, description) for the largest and the smallest of `pairs`, each (figure, row or column
    number), and for the n-th of both orders if the question has an ordinal n above 1. Ties go to the lowest number."""
    falling = sorted(pairs, key=lambda pair: (-pair[0], pair[1]))
    yield "max", falling[0][1], "largest"
    yield "min", min(pairs)[1], "smallest"
    place = match.question.ordinal
    if place is not None and 1 < place <= len(pairs):
        yield "nth max", falling[place - 1][1], f"number {place} by"
        yield "nth min", sorted(pairs)[place - 1][1], f"number {place} from the smallest"


def _row_extremes(match: Match, columns: Sequence[Region], shared: _SharedBlocks) -> Iterator[Derivation]:
    """Yields the labels and the figure of the row with the largest, smallest or n-th figure in each of `columns`, for
    each group of rows with at least two figures."""
    view, table = match.view, match.view.table
    focus = _focus_label(match)
    for group in row_groups(match):
        strength = match.row_weight(group.mask) / (match.row_weight(match.found) or 1.0)
        # a heading that all rows of the group share does not distinguish the row that is found
        labels = [label for label in view.columns[: table.labels] if len({label.cells[row] for row in group.rows}) > 1]
        for column in columns:
            numbers = [value.number for value in view.columns[column.number].values]
            pairs = [(number, row) for row in group.rows if (number := numbers[row]) is not None]
            if len(pairs) < 2:
                continue
            # For the trace: the cells that were compared.
            compared = (group.rows, (column.number,))
            for operator, row, text in _pick_extremes(match, pairs):
                block = _extreme_block(match, operator, group.kind, pairs, strength)
                cover = shared.cover(group.mask | column.mask | match.corner)
                way = f"{group.text}, {text} {column.text}"
                for label in labels:
                    answer = label.cells[row].strip()
                    if answer:
                        named = float(label.number == focus)
                        level: FeatureBlock = (
                            (f"label level {table.labels - label.number}", 1.0),
                            ("label focus", named),
                        )
                        used = (block, level, column.block, cover, shared.answer(answer, "row extreme"))
                        yield Derivation(answer, used, f"{way}, its label", (row, label.number), compared)
                answer = view.columns[column.number].cells[row].strip()
                figure: FeatureBlock = (
                    (f"figure of {operator}", 1.0),
                    ("figure of extreme", 1.0),
                    ("figure, focus on labels", float(focus is not None)),
                )
                used = (block, figure, column.block, cover, shared.answer(answer, "row figure"))
                yield Derivation(answer, used, f"{way}, its figure", (row, column.number), compared)


def _extreme_block(
    match: Match, operator: str, kind: str, pairs: Sequence[tuple[float, int]], strength: float
) -> FeatureBlock:
    """Features of an extreme: the operator and `kind`, the kind of group, with the question's words.

    `pairs` are the compared (figure, number), `strength` is the fraction of the question's weight that names the group.
    If the question asks for falls and a figure is negative, max and min are exchanged: the largest fall is the smallest
    number.
    """
    if match.question.falls and any(number < 0 for number, _ in pairs):
        # Falls are negative figures: the largest fall is the smallest of them.
        operator = _OPPOSITE[operator]
    name = f"{kind} {operator}"
    features: Features = [
        (f"among {kind}", 1.0),
        (f"among {kind} strength", strength),
        (f"among {operator}", 1.0),
        (name, 1.0),
        (f"{name} & {match.question.asked_by}", 1.0),
        *([(f"{kind} of two", 1.0)] if len(pairs) == 2 else []),
    ]
    for trigger in match.question.triggers:
        features += [(f"among {operator} & {trigger}", 1.0), (f"{name} & {trigger}", 0.5)]
    return (*features, *spoken_features(match, f"among {operator}"))


def _column_extremes(match: Match, rows: Sequence[Region], shared: _SharedBlocks) -> Iterator[Derivation]:
    """Yields the heading of the column with the largest, smallest or n-th figure in each of `rows`, for each group of
    columns with at least two figures."""
    view = match.view
    for group in column_groups(match):
        strength = match.header_weight(group.shared & match.found) / (match.header_weight(match.found) or 1.0)
        for row in rows:
            values = [(view.columns[number].values[row.number].number, number) for number in group.columns]
            pairs = [(number, column) for number, column in values if number is not None]
            if len(pairs) < 2:
                continue
            compared = ((row.number,), group.columns)
            for operator, column, text in _pick_extremes(match, pairs):
                answer = view.columns[column].path[group.level].strip()
                block = _extreme_block(match, operator, group.kind, pairs, strength)
                told = (shared.cover(group.mask | row.mask), shared.answer(answer, "column extreme"))
                used = (block, row.block, *told)
                way = f"row {row.text}, {text} of {group.kind}, heading {answer}"
                yield Derivation(answer, used, way, (-1 - group.level, column), compared)


def _conditions(match: Match) -> list[Condition]:
    """The conditions on figures that the question sets, at most four: comparisons (not of years), and equality to a
    number of the question that is in no label or heading."""
    found = [Condition("compared", item) for item in _compared_figures(match)[:2]]
    for word in match.question.content:
        if word[0].isdigit() and word.replace(".", "", 1).isdigit() and not match.view.knows(word):
            # A figure that is in no label can only be in a cell: the question asks where.
            number = float(word)
            if not any(number in (round(item.low, 6), round(item.high, 6)) for item in match.question.comparisons):
                found.append(Condition("figure", NumberComparison(number - 1e-9, number + 1e-9, f"{number:,g}")))
    return found[:4]


def _compared_figures(match: Match) -> list[NumberComparison]:
    """The question's comparisons with figures: not those whose finite bounds are all from 1800 to 2100, which may be
    years, unless their number is written as years never are."""
    found = []
    for item in match.question.comparisons:
        bounds = [round(bound) for bound in (item.low, item.high) if abs(bound) != float("inf")]
        # "After 2015" names columns of years, not figures above 2015.
        if item.figure or not all(1800 <= bound <= 2100 for bound in bounds):
            found.append(item)
    return found


def _met_conditions(
    match: Match, rows: Sequence[Region], columns: Sequence[Region], shared: _SharedBlocks
) -> Iterator[Derivation]:
    """Yields the labels of the rows whose figure in one of `columns` fulfils a condition of the question, and the
    headings, level by level, of the columns whose figure in one of `rows` does.

    Totals are left out, and columns and rows in which all figures fulfil it.
    """
    view = match.view
    plain = [row for row in range(view.size) if row not in view.totals]
    data = [column for column in view.columns if column.path and not column.is_label]
    for condition in _conditions(match):
        for region in columns:
            values = view.columns[region.number].values
            fitting = [row for row in plain if fulfils(None, values[row].number, condition.comparison)]
            for which, found in _parts(fitting) if len(fitting) < len(plain) else ():
                block, cover = _condition_block(match, condition, which), shared.cover(region.mask | match.corner)
                for label in view.columns[: view.table.labels]:
                    if answer := join_texts(label.cells[row] for row in found):
                        level: FeatureBlock = ((f"label level {view.table.labels - label.number}", 1.0),)
                        blocks = (block, level, region.block, shared.answer(answer, "meets"), cover)
                        text = f"{which} row where {region.text} is {condition.comparison.text}, its label"
                        place = (found[0], label.number)
                        yield Derivation(answer, blocks, text, place, (fitting, (region.number,)))
        for region in rows:
            fitting = [
                column.number
                for column in data
                if fulfils(None, column.values[region.number].number, condition.comparison)
                and column.number not in view.total_columns
            ]
            for which, found in _parts(fitting) if len(fitting) < len(data) else ():
                block = _condition_block(match, condition, which)
                cover = shared.cover(region.mask | match.header_masks[found[0]])
                paths = [view.columns[number].path for number in found]
                for depth in range(len(paths[0])):
                    if answer := join_texts(path[depth] for path in paths if depth < len(path)):
                        used = (block, region.block, shared.answer(answer, "meets"), cover)
                        text = f"row {region.text}, {which} heading where it is {condition.comparison.text}"
                        place = (-1 - depth, found[0])
                        yield Derivation(answer, used, text, place, ((region.number,), fitting))


def _parts(numbers: Sequence[int]) -> list[tuple[str, Sequence[int]]]:
    """The selections from `numbers` (fitting rows or columns) that an answer may name: ("only", one number), or
    "first", "last" and, of at most `LISTED`, "all"; [] for none."""
    if len(numbers) < 2:
        return [("only", [number]) for number in numbers]
    # A list of many names does not answer anything.
    ends: list[tuple[str, Sequence[int]]] = [("first", numbers[:1]), ("last", numbers[-1:])]
    return [*ends, ("all", numbers)] if len(numbers) <= LISTED else ends


def _condition_block(match: Match, condition: Condition, which: str) -> FeatureBlock:
    """Features of an answer that meets a condition; `which` is "only", "first", "last" or "all", as by `_parts`."""
    name = f"meets {condition.kind}"
    return (
        (name, 1.0),
        (f"{name}, {which}", 1.0),
        (f"{name}, a name is asked", float(match.question.seeks_name)),
        *((f"meets {which} & {trigger}", 1.0) for trigger in match.question.triggers if trigger in _WHICH),
    )
