"""Which rows of a table a question may speak of: a few sets of rows, each with its evidence."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from answerer.datasearch.operations.matching import Block, Match, both_sides, rows_of_kind
from answerer.datasearch.question.analysis import fulfils, is_stop
from answerer.datasearch.question.words import acronyms, path_words, words
from answerer.datasearch.tables.view import TOTAL, Column

FILTER_LIMIT = 14
"""Filters that are tried for a question and table."""

WHOLE_CELL = 1.4
"""How much more a cell counts that stands in the question as a whole."""


def number_beside_heading(match: Match, column: int, mask: int) -> str:
    """Of a match that is a bare number: "beside" where the question has it next to a word of the column's heading
    ("2 ties"), else "alone"; "" for a match with other words."""
    question = match.question
    found = [word for place, word in enumerate(question.content) if mask >> place & 1]
    if not found or not all(word[0].isdigit() and len(word) < 4 for word in found):
        return ""
    heading = match.view.columns[column].words
    for place, word in enumerate(question.words):
        if word in found and heading & set(question.words[max(0, place - 2) : place + 3]):
            return "beside"
    return "alone"


class Filter(NamedTuple):
    """A set of rows in the table's order. `mask` has the question words it rests on, `columns` where they stand.

    `strength` is the weight of the mask as a share of all words found in rows; `whole` tells whether a cell
    stands in the question as a whole; `text` says the filter in words.
    """

    kind: str
    rows: tuple[int, ...]
    mask: int
    columns: frozenset[int]
    strength: float
    whole: bool
    text: str


def row_filters(match: Match) -> list[Filter]:
    """The filters of a question, the most telling kinds first, no set of rows twice."""
    found = [*_places(match), *_best_rows(match), *_alternatives(match), *_per_column(match), *_compared(match)]
    found += [*_by_content(match), *_excepted(match, found), *_everything(match)]
    kept: dict[tuple[int, ...], Filter] = {}
    for item in found:
        if item.rows and item.rows not in kept:
            kept[item.rows] = item
    filters = list(kept.values())
    general = [item for item in filters if item.kind in ("all", "totals")]
    return [item for item in filters if item not in general][: FILTER_LIMIT - len(general)] + general


def _strength(match: Match, mask: int) -> float:
    total = match.row_weight((1 << len(match.question.content)) - 1)
    return match.row_weight(mask) / total if total else 0.0


def _row_scores(match: Match) -> dict[int, float]:
    scores = {row: match.row_weight(mask) for row, mask in match.row_masks.items()}
    for row, column in match.whole:
        scores[row] += (WHOLE_CELL - 1) * match.row_weight(match.cell_masks[row, column])
    return scores


def _best_rows(match: Match) -> list[Filter]:
    """The rows that hold most of the question, and those that come next."""
    scores = _row_scores(match)
    levels = sorted({round(score, 6) for score in scores.values() if score > 0.05}, reverse=True)[:3]
    found = []
    for kind, level in zip(("best", "second", "third"), levels, strict=False):
        rows = tuple(sorted(row for row, score in scores.items() if round(score, 6) == level))
        if len(rows) <= max(8, match.view.size // 2):
            text = "rows that match best" if kind == "best" else f"rows that match {kind}"
            found += [_of_rows(match, kind, some, text) for some in _of_totals(match, rows)]
    return found


def _of_totals(match: Match, rows: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """The rows as they are; in a list of statistics those of the totals of all that they leave open (both sexes), and
    for each column with totals those of its parts, which may be compared."""
    view = match.view
    totals = {
        number: own
        for number in view.crossed
        if len({view.columns[number].cells[row] for row in rows}) > 1
        and (own := {row for row in rows if TOTAL.search(view.columns[number].cells[row])})
    }
    for parted in (None, *totals):
        kept = tuple(row for row in rows if all((row in own) != (number == parted) for number, own in totals.items()))
        if kept:
            yield kept


def _of_rows(match: Match, kind: str, rows: tuple[int, ...], text: str) -> Filter:
    mask = match.row_masks[rows[0]]
    columns = frozenset(column for (row, column) in match.cell_masks if row == rows[0])
    whole = any((rows[0], column) in match.whole for column in columns)
    cells = [match.view.columns[column].cells[rows[0]] for column in sorted(columns)]
    return Filter(kind, rows, mask, columns, _strength(match, mask), whole, f"{text} ({', '.join(cells)[:80]})")


def _places(match: Match) -> list[Filter]:
    rows = rows_of_kind(match)
    return [Filter("places", rows, 0, frozenset(), 0.0, False, "rows of places of that kind")] if rows else []


def _cell_scores(match: Match) -> dict[int, dict[int, float]]:
    scores: defaultdict[int, dict[int, float]] = defaultdict(dict)
    for (row, column), mask in match.cell_masks.items():
        factor = WHOLE_CELL if (row, column) in match.whole else 1.0
        scores[column][row] = factor * match.row_weight(mask)
    return scores


def _per_column(match: Match) -> list[Filter]:
    """For each column the rows whose cells match best in it: the four best columns."""
    found = []
    for column, scores in _cell_scores(match).items():
        best = max(scores.values())
        if best <= 0.05:
            continue
        rows = tuple(sorted(row for row, score in scores.items() if score >= best - 1e-9))
        mask = match.cell_masks[rows[0], column]
        whole = (rows[0], column) in match.whole
        text = (
            f"rows where {match.view.columns[column].header or 'label'} = {match.view.columns[column].cells[rows[0]]}"
        )
        found.append(
            (best, -column, Filter("column", rows, mask, frozenset((column,)), _strength(match, mask), whole, text))
        )
    return [item for _, _, item in sorted(found, key=lambda entry: entry[:2], reverse=True)[:5]]


def _alternatives(match: Match) -> list[Filter]:
    """Rows whose cells of one column stand in the question, two different ones or more: "A or B"."""
    by_column: defaultdict[int, dict[str, int]] = defaultdict(dict)
    rows: defaultdict[int, list[int]] = defaultdict(list)
    masks: defaultdict[int, int] = defaultdict(int)
    for row, column in sorted(match.whole):
        by_column[column].setdefault(match.view.joined[row, column], row)
        rows[column].append(row)
        masks[column] |= match.cell_masks[row, column]
    found = []
    for column, texts in by_column.items():
        if len(texts) >= 2:
            names = [match.view.columns[column].cells[row] for row in sorted(texts.values())]
            text = f"rows where {match.view.columns[column].header or 'label'} = {' or '.join(names)[:80]}"
            mask = masks[column]
            kept = tuple(sorted(set(rows[column])))
            found.append(Filter("alternatives", kept, mask, frozenset((column,)), _strength(match, mask), True, text))
    return [*sorted(found, key=lambda item: -item.strength)[:2], *_halves(match)]


def _halves(match: Match) -> list[Filter]:
    """The row that matches best before an "or" and the one that matches best after it, in one column."""
    by_column: defaultdict[int, dict[int, int]] = defaultdict(dict)
    for (row, column), mask in sorted(match.cell_masks.items()):
        by_column[column][row] = mask
    found = [sides for masks in by_column.values() if (sides := both_sides(match, masks, match.row_weight))]
    if not found:
        return []
    _, first, second = max(found, key=lambda sides: sides[0])
    mask = match.row_masks[first] | match.row_masks[second]
    columns = frozenset(c for (row, c) in match.cell_masks if row in (first, second))
    rows = tuple(sorted((first, second)))
    return [Filter("halves", rows, mask, columns, _strength(match, mask), False, "rows on both sides of or")]


def _compared(match: Match) -> list[Filter]:
    """Rows whose number or year in a column fulfils a comparison of the question."""
    found = []
    for comparison in match.question.comparisons[:2]:
        for column in match.view.columns:
            if column.kind not in ("number", "date", "mixed") and not match.header_masks[column.number]:
                continue
            rows = tuple(
                row for row, value in enumerate(column.values) if fulfils(value.moment, value.number, comparison)
            )
            if rows and len(rows) < match.view.size:
                mask = match.header_masks[column.number]
                text = f"rows where {column.header} is {comparison.text}"
                item = Filter(
                    "compared", rows, mask, frozenset((column.number,)), match.header_weight(mask), False, text
                )
                found.append((match.header_weight(mask), column.kind == "date", -column.number, item))
    return [item for *_, item in sorted(found, key=lambda entry: entry[:3], reverse=True)[:3]]


def _by_content(match: Match) -> list[Filter]:
    """Rows without a text or figure in a column that the question names, and those few with one."""
    found = []
    denied = "not" in match.question.triggers
    for column in match.view.columns:
        mask = match.header_masks[column.number]
        if not mask:
            continue
        empty = {row for row, value in enumerate(column.values) if value.kind in ("blank", "missing")}
        filled = set(range(match.view.size)) - empty
        name = column.called
        for kind, rows, holds in (
            ("blank", empty, denied and len(empty) < match.view.size),
            ("filled", filled, not denied and 2 * len(filled) <= match.view.size),
        ):
            if rows and holds:
                text = f"rows with {'nothing' if kind == 'blank' else 'something'} in {name}"
                item = Filter(kind, tuple(sorted(rows)), mask, frozenset((column.number,)), 0.0, False, text)
                found.append((match.header_weight(mask), -column.number, item))
    return [item for *_, item in sorted(found, key=lambda entry: entry[:2], reverse=True)[:2]]


def _excepted(match: Match, found: list[Filter]) -> list[Filter]:
    """Where the question says "other than" or "not": the rest of the rows, or of a wider filter's rows."""
    if not {"other", "not"} & set(match.question.triggers):
        return []
    named = [item for item in found if item.kind in ("best", "column", "alternatives")][:3]
    wider: list[Filter | None] = [None, *(item for item in found if item.kind == "column" and len(item.rows) > 1)]
    rest = []
    for item in named:
        for base in wider[:3]:
            rows = set(base.rows) if base else set(range(match.view.size)) - match.view.totals
            kept = tuple(sorted(rows - set(item.rows)))
            if kept and len(kept) < len(rows):
                mask = item.mask | (base.mask if base else 0)
                columns = base.columns if base else item.columns
                text = f"{base.text if base else 'all rows'} but not {item.text.removeprefix('rows where ')}"
                kind = "except" if base is None else "except in"
                rest.append(Filter(kind, kept, mask, columns, _strength(match, mask), item.whole, text))
    return rest[:4]


def _everything(match: Match) -> list[Filter]:
    view = match.view
    rows = tuple(row for row in range(view.size) if row not in view.totals)
    found = [Filter("all", rows or tuple(range(view.size)), 0, frozenset(), 0.0, False, "all rows")]
    if view.totals and rows:
        found.append(Filter("totals", tuple(sorted(view.totals)), 0, frozenset(), 0.0, False, "rows of totals"))
    return found


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
