"""Table operations over statistics (pivoted tables): a row by its labels, a column by its headings,
the cell of both.

Answers are cells; labels and headings of the largest and smallest figures; labels and headings of
figures that fulfil a condition of the question.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache, reduce
from math import isfinite
from operator import and_
from typing import NamedTuple

from answerer.datasearch.operations.records import (
    Derivation,
    answer_block,
    cover_block,
    extremes_of,
    spoken_features,
    with_prefix,
)
from answerer.datasearch.operations.selection import (
    REGIONS,
    FeatureBlock,
    Features,
    Match,
    Region,
    column_regions,
    row_regions,
    rows_of_kind,
    union,
)
from answerer.datasearch.question.analysis import NumberComparison, fulfils

# Features of answers and coverage have separate names: weights learned on records do not hold for
# statistics.
_PREFIX = "matrix "
_WHICH = frozenset(("first", "last", "several"))
_OPPOSITE = {"max": "min", "min": "max", "nth max": "nth min", "nth min": "nth max"}
_NEXT = 0.8  # factor on a word's weight for each word between it and the "or"
_LEAST = 0.3  # score that a side of an "or" must exceed, in units of word weight
_LISTED = 12  # texts that one answer names at most


class ComparedGroup(NamedTuple):
    """Rows or columns whose figures are compared with each other.

    `kind` is the group's name in features, `text` in a trace; `numbers` are those of its rows or
    columns, `mask` has the question's words that name them. The headings of columns differ at one
    `level` (from 0) only; `shared` are the question's words that all of them hold.
    """

    kind: str
    text: str
    numbers: tuple[int, ...]
    mask: int
    level: int = 0
    shared: int = 0


class Extreme(NamedTuple):
    """One of several figures that is the largest, the smallest or the n-th of them.

    `operator` is the operator that chooses it (max, nth min …), `number` its row or column,
    `description` that operator in words, for a trace; `features` are those of the choice.
    """

    operator: str
    number: int
    description: str
    features: FeatureBlock


class PivotedOperations:
    """A question matched with a table whose rows and columns both have headings, and its
    derivations.

    `rows` and `columns` are the regions that match best, `labels` the label columns, `focus` the
    number of the label column whose heading has the question's focus, if a name is asked, else
    None.
    """

    def __init__(self, match: Match) -> None:
        self.match, self.question, self.view = match, match.question, match.view
        self.labels = match.view.columns[: match.view.table.labels]
        self.rows, self.columns = row_regions(match), column_regions(match)
        # The number of the label column whose heading has the question's focus ("which farm type"),
        # if a name is asked.
        length = {"which": 2, "what": 1, "who": 1, "name": 1, "": 1}.get(match.question.wh, 0)
        headed = (
            label.number
            for label in self.labels
            if label.words.intersection(match.question.focus[:length])
        )
        self.focus = next(headed, None)
        # Many derivations share few blocks: each is made, and later scored, once.
        self._cover = cache(lambda mask: with_prefix(_PREFIX, cover_block(match, mask)))
        self._answer = cache(
            lambda text, group, like: with_prefix(
                _PREFIX, answer_block(match, text, group, like or text)
            )
        )

    def derivations(self) -> Iterator[Derivation]:
        """Yields the cell of a row and a column; the label of the row with the most or least in a
        column, among a group of rows; the heading of the column with the most or least in a row
        (for the first 4 columns and rows); and, unless a number is asked, the label or heading of a
        figure that fulfils a condition."""
        yield from self._cells()
        # Half as many: each line is compared with all of its group.
        yield from self._row_extremes(self.columns[: REGIONS // 2])
        yield from self._column_extremes(self.rows[: REGIONS // 2])
        # "How many" is answered by a figure and not by what has it.
        if "number" not in self.question.kinds:
            yield from self._met_conditions()

    def _cells(self) -> Iterator[Derivation]:
        """Yields as answers the cells where each of `rows` meets each of `columns`, row by row, but
        blank ones; features are those of both regions, of the answer, of the words left, and
        whether the question asks for a figure, a name or an order."""
        match, question, view = self.match, self.question, self.view
        seeks_name, ordered = question.seeks_name, match.asks_for_order
        common: FeatureBlock = (
            ("cell", 1.0),
            ("cell, focus on labels", float(self.focus is not None)),
            *((f"cell & {trigger}", 1.0) for trigger in question.triggers),
            (f"cell & {question.asked_by}", 1.0),
            # A question that asks for a name, or to order things, is not answered by the figure of
            # a row and column.
            ("cell, a name is asked", float(seeks_name)),
            ("cell, an order is asked", float(ordered)),
            ("cell, a name is asked by order", float(seeks_name and ordered)),
            *spoken_features(match, "cell"),
        )
        for row in self.rows:
            for column in self.columns:
                answer = view.columns[column.number].cells[row.number].strip()
                if not answer:
                    continue
                focus = not view.columns[column.number].words.isdisjoint(question.focus)
                cell_block: FeatureBlock = (
                    (
                        "words used twice",
                        match.weight(row.mask & column.mask) / (match.weight(match.matched) or 1.0),
                    ),
                    (
                        "cell of total, an order is asked",
                        float(ordered and row.number in view.totals),
                    ),
                    ("cell of focus, a name is asked", float(focus and seeks_name)),
                )
                cover = self._cover(row.mask | column.mask | match.corner)
                like = view.columns[column.number].like(row.number)
                told = self._answer(answer, "cell", like)
                blocks = (common, row.block, column.block, cover, told, cell_block)
                yield Derivation(
                    answer,
                    blocks,
                    f"row {row.text}, column {column.text}",
                    (row.number, column.number),
                )

    def _row_extremes(self, columns: Sequence[Region]) -> Iterator[Derivation]:
        """Yields the labels and the figure of the row with the largest, smallest or n-th figure in
        each of `columns`, for each group of rows with at least two figures. Blank labels, and those
        that all rows of a group share, are left out."""
        for group in self._row_groups():
            strength = self.match.row_weight(group.mask) / (
                self.match.row_weight(self.match.matched) or 1.0
            )
            # a heading that all rows of the group share does not distinguish the row that is found
            labels = [
                label
                for label in self.labels
                if len({label.cells[row] for row in group.numbers}) > 1
            ]
            for column in columns:
                cells = self.view.columns[column.number]
                cover = self._cover(group.mask | column.mask | self.match.corner)
                # For the trace: the cells that were compared.
                compared = (group.numbers, (column.number,))
                figures = [(cells.values[row].number, row) for row in group.numbers]
                for extreme in self._extremes(group.kind, figures, strength):
                    row = extreme.number
                    way = f"{group.text}, {extreme.description} {column.text}"
                    for label in labels:
                        if answer := label.cells[row].strip():
                            level: FeatureBlock = (
                                (f"label level {len(self.labels) - label.number}", 1.0),
                                ("label focus", float(label.number == self.focus)),
                            )
                            blocks = (
                                extreme.features,
                                level,
                                column.block,
                                cover,
                                self._answer(answer, "row extreme", ""),
                            )
                            yield Derivation(
                                answer, blocks, f"{way}, its label", (row, label.number), compared
                            )
                    figure: FeatureBlock = (
                        (f"figure of {extreme.operator}", 1.0),
                        ("figure of extreme", 1.0),
                        ("figure, focus on labels", float(self.focus is not None)),
                    )
                    answer = cells.cells[row].strip()
                    blocks = (
                        extreme.features,
                        figure,
                        column.block,
                        cover,
                        self._answer(answer, "row figure", ""),
                    )
                    yield Derivation(
                        answer, blocks, f"{way}, its figure", (row, column.number), compared
                    )

    def _column_extremes(self, rows: Sequence[Region]) -> Iterator[Derivation]:
        """Yields the heading of the column with the largest, smallest or n-th figure in each of
        `rows`, for each group of columns with at least two figures."""
        columns = self.view.columns
        for group in self._column_groups():
            mask = group.shared & self.match.matched
            strength = self.match.header_weight(mask) / (
                self.match.header_weight(self.match.matched) or 1.0
            )
            for row in rows:
                figures = [
                    (columns[number].values[row.number].number, number) for number in group.numbers
                ]
                for extreme in self._extremes(group.kind, figures, strength):
                    answer = columns[extreme.number].path[group.level].strip()
                    told = (
                        self._cover(group.mask | row.mask),
                        self._answer(answer, "column extreme", ""),
                    )
                    way = f"row {row.text}, {extreme.description} of {group.text}, heading {answer}"
                    compared = ((row.number,), group.numbers)
                    yield Derivation(
                        answer,
                        (extreme.features, row.block, *told),
                        way,
                        (-1 - group.level, extreme.number),
                        compared,
                    )

    def _extremes(
        self, kind: str, figures: Sequence[tuple[float | None, int]], strength: float
    ) -> Iterator[Extreme]:
        """Yields what `extremes_of` names among `figures`, each (figure, row or column number);
        where a question about falls meets a negative figure, the features (not the operator) call
        the largest the smallest and the reverse. Missing figures are left out; nothing for fewer
        than two.

        `kind` is the kind of group, `strength` the fraction of the question's weight that names it.
        """
        pairs = [(figure, number) for figure, number in figures if figure is not None]
        if len(pairs) < 2:
            return
        # Falls are negative figures: the largest fall is the smallest of them.
        exchanged = self.question.falls and any(figure < 0 for figure, _ in pairs)
        for operator, number, text in extremes_of(pairs, self.question.ordinal):
            direction = _OPPOSITE[operator] if exchanged else operator
            name = f"{kind} {direction}"
            features: Features = [
                (f"among {kind}", 1.0),
                (f"among {kind} strength", strength),
                (f"among {direction}", 1.0),
                (name, 1.0),
                (f"{name} & {self.question.asked_by}", 1.0),
            ]
            for trigger in self.question.triggers:
                features += [(f"among {direction} & {trigger}", 1.0), (f"{name} & {trigger}", 0.5)]
            features += spoken_features(self.match, f"among {direction}")
            yield Extreme(operator, number, text, tuple(features))

    def _row_groups(self) -> Iterator[ComparedGroup]:
        """Yields the groups of rows among which an extreme is looked for, totals left out: all
        rows, from two on; rows whose labels the question names, if these differ, or from three on
        rows of one such label; both sides of an "or", unless rows of different labels are named;
        rows of the kind of place asked for (totals too); the rows under one heading, for the four
        headings that match best."""
        match, view, table = self.match, self.view, self.view.table
        plain = [row for row in range(view.size) if row not in view.totals]
        if len(plain) > 1:
            yield ComparedGroup("all rows", "all rows", tuple(plain), 0)
        whole = {row for row, column in match.whole if table.sections <= column < table.labels}
        named_rows = sorted(whole - view.totals)
        # Rows under several headings can have the same label: then the headings are compared.
        if self.labels and len({self.labels[-1].cells[row] for row in named_rows}) > 1:
            mask = union(match.row_masks[row] for row in named_rows)
            yield ComparedGroup("named rows", "rows named", tuple(named_rows), mask)
        else:
            if 2 < len(named_rows) < len(plain):
                yield ComparedGroup(
                    "like rows",
                    "rows of that label",
                    tuple(named_rows),
                    match.row_masks[named_rows[0]],
                )
            yield from self._alternatives(plain)
        if places := rows_of_kind(match):
            yield ComparedGroup("places", "rows of places of that kind", places, 0)
        # The rows under one heading (all labels but the last).
        by_heading: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
        if table.labels > 1:
            for row in plain:
                by_heading[tuple(label.cells[row] for label in self.labels[:-1])].append(row)
        headed = []
        for heading, rows in by_heading.items():
            mask = union(
                match.cell_masks.get((rows[0], label.number), 0) for label in self.labels[:-1]
            )
            text = "rows under " + " > ".join(filter(None, heading))
            headed += (
                [ComparedGroup("headed rows", text, tuple(rows), mask)] if len(rows) > 1 else []
            )
        yield from sorted(headed, key=lambda group: -match.row_weight(group.mask))[:4]

    def _alternatives(self, plain: Sequence[int]) -> Iterator[ComparedGroup]:
        """Yields, for each label column, the rows among `plain` of the two labels that match the
        sides of an "or" in the question best: Σ weight × 0.8^d over a side's words in the label, d
        words away from the "or"; ties go to the first label. Nothing where a side scores 0.3 or
        less or both have one label. Of several rows with one label, those with the highest weight
        of words are taken."""
        match = self.match
        bits = {word: 1 << position for position, word in enumerate(self.question.content)}
        sides = [
            [(bits[word], _NEXT**distance) for distance, word in enumerate(half) if word in bits]
            for half in self.question.halves
        ]
        if not plain or not all(sides):
            return
        for label in self.labels:
            rows_of: defaultdict[str, list[int]] = defaultdict(list)
            for row in plain:
                rows_of[label.cells[row]].append(row)
            masks = {
                text: match.cell_masks.get((rows[0], label.number), 0)
                for text, rows in rows_of.items()
            }
            rows, chosen = [], set()
            for side in sides:
                scores = {
                    text: sum(near * match.row_weight(mask & bit) for bit, near in side)
                    for text, mask in masks.items()
                }
                best = max(scores, key=scores.__getitem__)
                if scores[best] > _LEAST:
                    chosen.add(best)
                    # The label may come under several headings, of which the question may name one.
                    weights = {
                        row: match.row_weight(match.row_masks.get(row, 0)) for row in rows_of[best]
                    }
                    rows += [
                        row
                        for row, weight in weights.items()
                        if weight >= max(weights.values()) - 1e-9
                    ]
            if len(chosen) == 2:
                mask = union(match.row_masks.get(row, 0) for row in rows)
                yield ComparedGroup(
                    "alternatives", "rows on both sides of or", tuple(sorted(rows)), mask
                )

    def _column_groups(self) -> Iterator[ComparedGroup]:
        """Yields groups of two or more columns whose header paths differ at one level only, totals
        aside: all of them, and those that the question names by words that not all have, unless
        these are all of three or more."""
        match, view = self.match, self.view
        data = [column for column in view.columns if not column.is_label and column.path]
        for level in range(max((len(column.path) for column in data), default=0)):
            alike: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
            for column in data:
                if len(column.path) > level and column.number not in view.total_columns:
                    # Equal but for this level: 2019 over men is compared with 2020 over men, not
                    # with 2020 over women.
                    alike[(*column.path[:level], "", *column.path[level + 1 :])].append(
                        column.number
                    )
            for numbers in alike.values():
                if len(numbers) < 2:
                    continue
                # Words of all the headings distinguish none of the columns.
                shared = reduce(and_, (match.header_masks[number] for number in numbers))
                named_columns = [
                    number for number in numbers if match.header_masks[number] & ~shared
                ]
                mask = shared & match.matched
                yield ComparedGroup(
                    "all columns", "all columns", tuple(numbers), mask, level, shared
                )
                # Where all are named, the group is that of all columns.
                if len(named_columns) > 1 and not len(named_columns) == len(numbers) > 2:
                    mask |= union(match.header_masks[number] for number in named_columns)
                    yield ComparedGroup(
                        "named columns", "named columns", tuple(named_columns), mask, level, shared
                    )

    def _met_conditions(self) -> Iterator[Derivation]:
        """Yields the labels of the rows whose figure in a region's column fulfils a condition of
        the question, and the headings, level by level, of the columns whose figure in a region's
        row does (the first 4 rows).

        Totals are left out, and columns and rows in which all cells fulfil it.
        """
        view, match = self.view, self.match
        plain = [row for row in range(view.size) if row not in view.totals]
        data = [column for column in view.columns if column.path and not column.is_label]
        for kind, condition in self._conditions():
            for region in self.columns:
                values = view.columns[region.number].values
                fitting = [row for row in plain if fulfils(None, values[row].number, condition)]
                cover = self._cover(region.mask | match.corner)
                for which, selection, block in self._parts(kind, fitting, len(plain)):
                    text = f"{which} row where {region.text} is {condition.text}, its label"
                    for label in self.labels:
                        if answer := _join(label.cells[row] for row in selection):
                            level: FeatureBlock = (
                                (f"label level {len(self.labels) - label.number}", 1.0),
                            )
                            used = (
                                block,
                                level,
                                region.block,
                                self._answer(answer, "meets", ""),
                                cover,
                            )
                            yield Derivation(
                                answer,
                                used,
                                text,
                                (selection[0], label.number),
                                (fitting, (region.number,)),
                            )
            for region in self.rows[: REGIONS // 2]:
                fitting = [
                    column.number
                    for column in data
                    if fulfils(None, column.values[region.number].number, condition)
                    and column.number not in view.total_columns
                ]
                for which, selection, block in self._parts(kind, fitting, len(data)):
                    cover = self._cover(region.mask | match.header_masks[selection[0]])
                    text = f"row {region.text}, {which} heading where it is {condition.text}"
                    paths = [view.columns[number].path for number in selection]
                    for depth in range(len(paths[0])):
                        if answer := _join(path[depth] for path in paths if depth < len(path)):
                            told = (block, region.block, self._answer(answer, "meets", ""), cover)
                            yield Derivation(
                                answer,
                                told,
                                text,
                                (-1 - depth, selection[0]),
                                ((region.number,), fitting),
                            )

    def _conditions(self) -> list[tuple[str, NumberComparison]]:
        """The conditions on figures that the question sets, at most four: ("compared", a
        comparison, not of years) for the first two, and ("figure", equality to a number of the
        question that is in no label or heading and bounds no comparison)."""
        conditions: list[tuple[str, NumberComparison]] = []
        bounds: set[float] = set()
        for item in self.question.comparisons:
            limits = [bound for bound in (item.low, item.high) if isfinite(bound)]
            bounds.update(round(limit, 6) for limit in limits)
            # "After 2015" names columns of years, not figures above 2015; but years are never
            # written as 2,000.
            if len(conditions) < 2 and (
                item.figure or not all(1800 <= round(limit) <= 2100 for limit in limits)
            ):
                conditions.append(("compared", item))
        # A figure that is in no label can only be in a cell: the question asks where.
        figures = [word for word in self.question.content if word.replace(".", "", 1).isdigit()]
        numbers = [
            number
            for word in figures
            if not self.view.knows(word) and (number := float(word)) not in bounds
        ]
        conditions += [
            ("figure", NumberComparison(value - 1e-9, value + 1e-9, f"{value:,g}"))
            for value in numbers
        ]
        return conditions[:4]

    def _parts(
        self, kind: str, fitting: Sequence[int], size: int
    ) -> Iterator[tuple[str, Sequence[int], FeatureBlock]]:
        """Yields the selections from the fitting rows or columns that an answer may name, with
        their features: "only" one, or "first", "last" and, of at most 12, "all"; nothing if none or
        all of the `size` fit."""
        if not 0 < len(fitting) < size:
            return
        ends = (
            {"only": fitting} if len(fitting) < 2 else {"first": fitting[:1], "last": fitting[-1:]}
        )
        # A list of many names does not answer anything.
        parts = {**ends, "all": fitting} if 1 < len(fitting) <= _LISTED else ends
        for which, selection in parts.items():
            name = f"meets {kind}"
            triggers = [trigger for trigger in self.question.triggers if trigger in _WHICH]
            yield (
                which,
                selection,
                (
                    (name, 1.0),
                    (f"{name}, {which}", 1.0),
                    (f"{name}, a name is asked", float(self.question.seeks_name)),
                    *((f"meets {which} & {trigger}", 1.0) for trigger in triggers),
                ),
            )


def _join(texts: Iterator[str]) -> str:
    """The different texts, blank ones aside, in their order with ", " between them, as the cells of
    a table are listed; "" without any."""
    return ", ".join(dict.fromkeys(text for part in texts if (text := part.strip())))
