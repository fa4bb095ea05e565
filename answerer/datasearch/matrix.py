"""Derivations over statistics: a row by its labels, a column by its headings, a cell where they cross."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from answerer.datasearch.derivations import Block, Derivation, answer_block, cover_block
from answerer.datasearch.match import Match
from answerer.datasearch.question import is_stop
from answerer.datasearch.words import acronyms, words

LINES = 8
"""Rows, and columns, that are tried for a question; a quarter of them in comparisons."""

_SETS_APART = frozenset(words("other only first second last more less"))
_TOTALS = frozenset(words("total totals all overall"))


class Line(NamedTuple):
    """A row or a column that a question may mean: the words found in its path, and their features."""

    number: int
    mask: int
    score: float
    block: Block
    text: str


class Group(NamedTuple):
    """Rows that are compared with each other: all, those under one heading, or those that the question names."""

    kind: str
    rows: tuple[int, ...]
    mask: int
    text: str


def matrix_derivations(match: Match) -> Iterator[Derivation]:
    """The derivations over a table whose rows and columns both have headings.

    Three kinds: the cell of a row and a column; the label of the row with the most or least in a column, among
    a group of rows; the heading of the column with the most or least in a row.
    """
    rows, columns = _rows(match), _columns(match)
    blocks = _Shared(match)
    yield from _cells(match, rows, columns, blocks)
    yield from _row_extremes(match, columns[: LINES // 2], blocks)
    yield from _column_extremes(match, rows[: LINES // 2], blocks)


class _Shared:
    """Blocks that many derivations of one table share."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self._covers: dict[int, Block] = {}
        self._answers: dict[tuple[str, str], Block] = {}

    def cover(self, mask: int) -> Block:
        if mask not in self._covers:
            self._covers[mask] = _of_matrix(cover_block(self.match, mask))
        return self._covers[mask]

    def answer(self, text: str, group: str) -> Block:
        if (text, group) not in self._answers:
            self._answers[text, group] = _of_matrix(answer_block(self.match, text, group))
        return self._answers[text, group]


def _of_matrix(block: Block) -> Block:
    """Features under names of their own: what lists of records teach of them does not hold for statistics."""
    return tuple((f"matrix {name}", value) for name, value in block)


def _precision(match: Match, text: str, weigh: Callable[[str], float]) -> float:
    """How much of a heading stands in the question, its words weighed by how telling they are."""
    found = dict.fromkeys(words(text))
    content = [word for word in found if not is_stop(word)] or list(found)
    meant = match.meant
    stood_for = {word for short, run in acronyms(content).items() if short in meant for word in run | {short}}
    telling = [word for word in found if word in _SETS_APART] if len(content) < len(found) else []
    content = [word for word in (*content, *telling) if word in meant or word not in _TOTALS] or content
    total = sum(weigh(word) or 1.0 for word in content)
    return sum(weigh(word) or 1.0 for word in content if word in meant or word in stood_for) / total if total else 0.0


def _rows(match: Match) -> list[Line]:
    """The rows whose labels match best, ties in the table's order; the first rows and totals where none does."""
    view, table = match.view, match.view.table
    scored = []
    for row in range(view.size):
        mask = match.row_masks.get(row, 0)
        if not mask and row > 2 and row not in view.totals:
            continue
        labels = [column.cells[row] for column in view.columns[: table.labels] if column.cells[row]]
        last = _precision(match, labels[-1], view.row_idf) if labels else 0.0
        path = _precision(match, " ".join(labels), view.row_idf)
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
            for name, holds in (("whole", whole), ("total", row in view.totals), ("best", score <= best + 1e-9))
            if holds
        ]
        features = _line_features(match, "row", match.row_weight(mask) / total, last, path, flags, place)
        lines.append(Line(row, mask, -score, tuple(features), text))
    return lines


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
        features.append((f"{kind} {flag} & {match.question.wh or 'no question word'}", 1.0))
    if "percent" in match.question.triggers and "percent" not in flags:
        features.append((f"{kind} not percent & percent", 1.0))
    return features


_TELLING = frozenset(("total", "percent", "difference", "average", "most", "highest", "or", "rank"))


def _columns(match: Match) -> list[Line]:
    """The columns of figures whose headings match best; of years not named the first and the last are marked."""
    view = match.view
    years = {word for word in match.question.words if len(word) == 4 and word.isdigit()}
    scored = []
    data = [column for column in view.columns if not column.is_label]
    for column in data:
        mask = match.header_masks[column.number]
        last = _precision(match, column.path[-1], view.header_idf) if column.path else 0.0
        path = _precision(match, column.header, view.header_idf)
        own_years = {
            word for word in words(column.header) if len(word) == 4 and word.isdigit() and word[:2] in ("19", "20")
        }
        flags = []
        if years and own_years:
            flags.append("year named" if years & own_years else "other year")
        if column.kind == "text":
            flags.append("of text")
        if not mask:
            flags.append("unnamed")
        if match.question.focus and match.question.focus[0] in column.words:
            flags.append("focus")
        if column.has_percent:
            flags.append("percent" if "percent" in match.question.triggers else "percent unasked")
        if column.is_change:
            flags.append("change" if "difference" in match.question.triggers else "change unasked")
        if column.number in view.total_columns:
            flags.append("total")
        bonus = 0.5 * ("year named" in flags) - 0.5 * ("other year" in flags)
        score = match.header_weight(mask) * (0.6 + 0.4 * path) + bonus - 0.2 * ("of text" in flags)
        scored.append((-score, column.number, mask, last, path, flags))
    scored.sort(key=lambda entry: entry[:2])
    total = match.header_weight(match.found) or 1.0
    best = scored[0][0] if scored else 0.0
    lines = []
    for place, (score, number, mask, last, path, flags) in enumerate(scored[:LINES]):
        flags = [*flags, "best"] if score <= best + 1e-9 else flags
        features = _line_features(match, "column", match.header_weight(mask) / total, last, path, flags, place)
        lines.append(Line(number, mask, -score, tuple(features), view.columns[number].header or f"column {number + 1}"))
    return lines


def _cells(match: Match, rows: Sequence[Line], columns: Sequence[Line], blocks: _Shared) -> Iterator[Derivation]:
    plain: Block = (
        ("cell", 1.0),
        ("cell, focus on labels", float(_focus_label(match) is not None)),
        *((f"cell & {trigger}", 1.0) for trigger in match.question.triggers),
        (f"cell & {match.question.wh or 'no question word'}", 1.0),
    )
    for row in rows:
        for column in columns:
            answer = match.view.columns[column.number].cells[row.number].strip()
            if answer:
                used = (
                    plain,
                    row.block,
                    column.block,
                    blocks.cover(row.mask | column.mask),
                    blocks.answer(answer, "cell"),
                )
                yield Derivation(answer, used, f"row {row.text}, column {column.text}", (row.number, column.number))
    yield from _labels_of(match, rows, blocks)


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
    wh = match.question.wh or "no question word"
    plain: Block = (("label", 1.0), (f"label & {wh}", 1.0), *((f"label & {x}", 1.0) for x in match.question.triggers))
    for row in rows[: LINES // 2]:
        for column in match.view.columns[: match.view.table.labels]:
            answer = column.cells[row.number].strip()
            if answer:
                used = (plain, row.block, blocks.cover(row.mask), blocks.answer(answer, "label"))
                yield Derivation(
                    answer, used, f"row {row.text}, its label {column.header}".rstrip(), (row.number, column.number)
                )


def _groups(match: Match) -> list[Group]:
    """The groups of rows that may be compared, those that the question names first."""
    view, table = match.view, match.view.table
    plain = [row for row in range(view.size) if row not in view.totals]
    found = [Group("all rows", tuple(plain), 0, "all rows")] if len(plain) > 1 else []
    named = sorted({row for row, column in match.whole if column < table.labels and column >= table.sections})
    texts = {view.columns[table.labels - 1].cells[row] for row in named} if table.labels else set()
    if len(texts) > 1:
        mask = 0
        for row in named:
            mask |= match.row_masks[row]
        found.append(Group("named rows", tuple(named), mask, "rows named"))
    if table.labels > 1:
        found += _headed_groups(match, plain)
    return found


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


def _row_extremes(match: Match, columns: Sequence[Line], blocks: _Shared) -> Iterator[Derivation]:
    view, table = match.view, match.view.table
    focus = _focus_label(match)
    for group in _groups(match):
        strength = match.row_weight(group.mask) / (match.row_weight(match.found) or 1.0)
        for column in columns:
            numbers = [value.number for value in view.columns[column.number].values]
            pairs = [(number, row) for row in group.rows if (number := numbers[row]) is not None]
            if len(pairs) < 2:
                continue
            for operator, row, text in _picked(match, pairs):
                block = _extreme_block(match, operator, group.kind, len(pairs), strength)
                cover = blocks.cover(group.mask | column.mask)
                way = f"{group.text}, {text} {column.text}"
                for label in view.columns[: table.labels]:
                    answer = label.cells[row].strip()
                    if answer:
                        named = float(label.number == focus)
                        level: Block = ((f"label level {table.labels - label.number}", 1.0), ("label focus", named))
                        used = (block, level, column.block, cover, blocks.answer(answer, "row extreme"))
                        yield Derivation(answer, used, f"{way}, its label", (row, label.number))
                answer = view.columns[column.number].cells[row].strip()
                figure: Block = (
                    (f"figure of {operator}", 1.0),
                    ("figure of extreme", 1.0),
                    ("figure, focus on labels", float(focus is not None)),
                )
                used = (block, figure, column.block, cover, blocks.answer(answer, "row figure"))
                yield Derivation(answer, used, f"{way}, its figure", (row, column.number))


def _picked(match: Match, pairs: Sequence[tuple[float, int]]) -> Iterator[tuple[str, int, str]]:
    """The line with the most, the least, and the n-th by size where the question has an ordinal."""
    falling = sorted(pairs, key=lambda pair: (-pair[0], pair[1]))
    yield "max", falling[0][1], "largest"
    yield "min", min(pairs)[1], "smallest"
    place = match.question.ordinal
    if place is not None and 1 < place <= len(pairs):
        yield "nth max", falling[place - 1][1], f"number {place} by"
        yield "nth min", sorted(pairs)[place - 1][1], f"number {place} from the smallest"


def _extreme_block(match: Match, operator: str, kind: str, size: int, strength: float) -> Block:
    name = f"{kind} {operator}"
    features: list[tuple[str, float]] = [
        (f"among {kind}", 1.0),
        (f"among {kind} strength", strength),
        (f"among {operator}", 1.0),
        (name, 1.0),
        (f"{name} & {match.question.wh or 'no question word'}", 1.0),
    ]
    if size == 2:
        features.append((f"{kind} of two", 1.0))
    features += [(f"among {operator} & {trigger}", 1.0) for trigger in match.question.triggers]
    features += [(f"{name} & {trigger}", 0.5) for trigger in match.question.triggers]
    return tuple(features)


def _column_groups(match: Match) -> list[tuple[int, tuple[int, ...]]]:
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


def _column_extremes(match: Match, rows: Sequence[Line], blocks: _Shared) -> Iterator[Derivation]:
    """The heading of the column with the most or least in a row, among like columns or those that are named."""
    view = match.view
    for level, numbers in _column_groups(match):
        shared = ~0
        for number in numbers:
            shared &= match.header_masks[number]
        named = tuple(number for number in numbers if match.header_masks[number] & ~shared)
        strength = match.header_weight(shared & match.found) / (match.header_weight(match.found) or 1.0)
        for kind, members in (("all columns", numbers), ("named columns", named)):
            if len(members) < 2 or (kind == "named columns" and len(named) == len(numbers) > 2):
                continue
            mask = shared & match.found
            for number in members if kind == "named columns" else ():
                mask |= match.header_masks[number]
            for row in rows:
                values = [(view.columns[number].values[row.number].number, number) for number in members]
                pairs = [(number, column) for number, column in values if number is not None]
                if len(pairs) < 2:
                    continue
                for operator, column, text in _picked(match, pairs):
                    answer = view.columns[column].path[level].strip()
                    block = _extreme_block(match, operator, kind, len(pairs), strength)
                    used = (block, row.block, blocks.cover(mask | row.mask), blocks.answer(answer, "column extreme"))
                    yield Derivation(
                        answer, used, f"row {row.text}, {text} of {kind}, heading {answer}", (-1 - level, column)
                    )
