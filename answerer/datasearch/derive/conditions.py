"""Derivations over statistics by the figures themselves: a figure that the question gives, or a comparison."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from answerer.datasearch.derive.derivations import LISTED, Block, Derivation, heading_block, listed
from answerer.datasearch.derive.lines import LINES, Line
from answerer.datasearch.derive.match import Match
from answerer.datasearch.question.read import Comparison, fulfils

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
