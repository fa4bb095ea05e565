"""The rows and columns of a table of statistics that a question may mean, by their headings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from answerer.datasearch.derive.derivations import Block
from answerer.datasearch.derive.match import Match
from answerer.datasearch.question.read import is_stop
from answerer.datasearch.question.words import acronyms, path_words, words
from answerer.datasearch.tables.view import Column

LINES = 8
"""Rows, and columns, that are tried for a question; a quarter of them in comparisons."""

_SETS_APART = frozenset(words("other only first second last more less"))
_TOTALS = frozenset(words("total totals all overall"))
_TELLING = frozenset(("total", "percent", "counted", "difference", "average", "most", "highest", "or", "rank"))


class Line(NamedTuple):
    """A row or a column that a question may mean: the words found in its path, and their features."""

    number: int
    mask: int
    score: float
    block: Block
    text: str


def _precision(match: Match, path: Sequence[str], weigh: Callable[[str], float]) -> float:
    """How much of headings stands in the question, its words weighed by how telling they are."""
    found = dict.fromkeys(path_words(path))
    content = [word for word in found if not is_stop(word)] or list(found)
    meant = match.meant
    stood_for = {word for short, run in acronyms(content).items() if short in meant for word in run | {short}}
    telling = [word for word in found if word in _SETS_APART] if len(content) < len(found) else []
    content = [word for word in (*content, *telling) if word in meant or word not in _TOTALS] or content
    total = sum(weigh(word) or 1.0 for word in content)
    return sum(weigh(word) or 1.0 for word in content if word in meant or word in stood_for) / total if total else 0.0


def row_lines(match: Match) -> list[Line]:
    """The rows whose labels match best, ties in the table's order; the first rows and totals where none does."""
    view, table = match.view, match.view.table
    named = _named_besides_totals(match)
    scored = []
    for row in range(view.size):
        mask = match.row_masks.get(row, 0)
        if not mask and row > 2 and row not in view.totals:
            continue
        labels = [column.cells[row] for column in view.columns[: table.labels] if column.cells[row]]
        last = _precision(match, labels[-1:], view.row_idf)
        path = _precision(match, labels, view.row_idf)
        whole = any((row, column) in match.whole for column in range(table.labels))
        score = match.row_weight(mask) * (0.6 + 0.4 * last) + (0.5 if whole else 0.0) + 0.1 * path
        scored.append((-score, row, mask, last, path, whole, " > ".join(labels)))
    scored.sort()
    best = scored[0][0] if scored else 0.0
    total = match.row_weight(match.found) or 1.0
    lines = []
    for place, (score, row, mask, last, path, whole, text) in enumerate(scored[:LINES]):
        flags = [
            name
            for name, holds in (
                ("whole", whole),
                ("total", row in view.totals),
                ("total beside named", row in view.totals and bool(named & ~mask)),
                ("best", score <= best + 1e-9),
            )
            if holds
        ]
        features = _line_features(match, "row", match.row_weight(mask) / total, last, path, flags, place)
        lines.append(Line(row, mask, -score, tuple(features), text))
    return lines


def _named_besides_totals(match: Match) -> int:
    """The words of the plain rows of which a cell stands in the question as a whole."""
    found = 0
    for row, column in match.whole:
        if row not in match.view.totals and column < match.view.table.labels:
            found |= match.cell_masks[row, column]
    return found


def _line_features(
    match: Match, kind: str, strength: float, last: float, path: float, flags: Sequence[str], place: int
) -> list[tuple[str, float]]:
    features: list[tuple[str, float]] = [
        (f"{kind} strength", strength),
        (f"{kind} label precision", last),
        (f"{kind} path precision", path),
        (f"{kind} label whole", float(last > 0.999)),
        (f"{kind} path whole", float(path > 0.999)),
        (f"{kind} place 0", float(place == 0)),
    ]
    for flag in flags:
        features.append((f"{kind} {flag}", 1.0))
        features += [(f"{kind} {flag} & {trigger}", 1.0) for trigger in match.question.triggers if trigger in _TELLING]
        features.append((f"{kind} {flag} & {match.question.asked_by}", 1.0))
    if "percent" in match.question.triggers and "percent" not in flags:
        features.append((f"{kind} not percent & percent", 1.0))
    return features


def column_lines(match: Match) -> list[Line]:
    """The columns of figures whose headings match best; of years not named the first and the last are marked."""
    view = match.view
    scored = []
    data = [column for column in view.columns if not column.is_label]
    for column in data:
        mask = match.header_masks[column.number]
        last = _precision(match, column.said[-1:], view.header_idf)
        path = _precision(match, column.said, view.header_idf)
        flags = _column_flags(match, column, data)
        bonus = 0.5 * ("year named" in flags) - 0.5 * ("other year" in flags)
        score = match.header_weight(mask) * (0.6 + 0.4 * path) + bonus - 0.2 * ("of text" in flags)
        scored.append((-score, column.number, mask, last, path, flags))
    scored.sort(key=lambda entry: entry[:2])
    found = 0
    for column in data:
        found |= match.header_masks[column.number]
    total = match.header_weight(match.found & (found | ~match.corner)) or 1.0
    best = scored[0][0] if scored else 0.0
    lines = []
    for place, (score, number, mask, last, path, flags) in enumerate(scored[:LINES]):
        flags = [*flags, "best"] if score <= best + 1e-9 else flags
        features = _line_features(match, "column", match.header_weight(mask) / total, last, path, flags, place)
        lines.append(Line(number, mask, -score, tuple(features), view.columns[number].called))
    return lines


def _column_flags(match: Match, column: Column, data: Sequence[Column]) -> list[str]:
    """What tells a column apart for a question: its year, kind and unit, whether it is a total, among all of them."""
    mask, triggers = match.header_masks[column.number], match.question.triggers
    years = {word for word in match.question.words if len(word) == 4 and word.isdigit()}
    own_years = {
        word for word in words(" ".join(column.said)) if len(word) == 4 and word.isdigit() and word[:2] in ("19", "20")
    }
    flags = []
    span = len(years) > 1 and "difference" in triggers
    if years and own_years and not span:
        flags.append("year named" if years & own_years else "other year")
    if column.kind == "text":
        flags.append("of text")
    if not mask:
        flags.append("unnamed")
    if match.question.focus and match.question.focus[0] in column.words:
        flags.append("focus")
    if column.has_percent:
        flags.append("percent" if "percent" in triggers else "percent unasked")
    if column.has_money:
        flags.append("money" if "money" in triggers else "money unasked")
    if column.is_change:
        flags.append("change" if "difference" in triggers else "change unasked")
    if column.number in match.view.total_columns:
        flags.append("total")
        beside = [other for other in data if other.path[:-1] == column.path[:-1]]
        if not any(match.header_masks[other.number] & ~mask for other in beside):
            flags.append("total by default")
    return flags
