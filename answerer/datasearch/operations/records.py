"""Table operations over records: filter of rows, operator, target column, each with its features.

A derivation is one such operation that gives an answer, as in Pasupat and Liang (2015): many are
made for a question, and weights say which is meant.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from answerer.datasearch.operations.selection import (
    FeatureBlock,
    Features,
    Filter,
    Match,
    row_filters,
    union,
)
from answerer.datasearch.question.words import alike, words
from answerer.datasearch.tables.view import TOTAL, Series, TableColumn
from indexer.tables.values import parse_value

# In a feature's name between a part of a derivation and a word of the question.
SPOKEN = " ~ "

# In a feature's name between the shape of a derivation and the form of the question.
MACRO = " @ "

# The prefix of the names of features of lists of statistics, whose weights are learned separately.
PIVOTED = "crossed "

_RARE_TRIGGERS = frozenset(("same", "other", "not"))
_ANSWER_TRIGGERS = frozenset(
    ("money", "total", "percent", "difference", "average", "or", "rank", "most", "highest")
)
# Operators of one group take their answers from like columns, so that they share features of the
# target.
_GROUPS = {
    "only": "here", "first": "here", "last": "here", "nth": "here", "next": "beside",
    "previous": "beside", "max": "extreme", "min": "extreme", "nth max": "extreme",
    "nth min": "extreme", "frequent": "frequent", "same": "same",
}  # fmt: skip


class Derivation(NamedTuple):
    """One way to an answer by a table operation.

    `answer` is the text, `blocks` are the features, `text` describes the operation in a trace.
    `position` is the (row, column) of the answer's cell, (−1 − level, column) of a heading, or (−1,
    0) for titles and notes. `used` are the numbers of the rows and of the columns whose cells were
    filtered or compared, `table` is the number of the table.
    """

    answer: str
    blocks: tuple[FeatureBlock, ...]
    text: str
    position: tuple[int, int]
    used: tuple[Sequence[int], Sequence[int]] = ((), ())
    table: int = 0


class Selection(NamedTuple):
    """A row that an operator picks from a filter's rows.

    `operator` is its name (first, max, next …), `row` the row's number, `text` a description for a
    trace, `by` the series that it orders by. `tied` is True if other rows fulfil the operator
    equally; `value_column` is the only column that may give the answer, None for any.
    """

    operator: str
    row: int
    text: str = ""
    by: Series | None = None
    tied: bool = False
    value_column: int | None = None


def spoken_features(match: Match, thing: str) -> Features:
    """One feature of value 0.5 for each different word of letters alone (not 2015) of the
    question, named `thing ~ word`, where `thing` names a part of a derivation (`op max`). Training
    learns which words suggest that part."""
    return [(f"{thing}{SPOKEN}{word}", 0.5) for word in match.question.spoken]


def with_prefix(prefix: str, block: FeatureBlock) -> FeatureBlock:
    """The features with a prefix before their names."""
    return tuple((f"{prefix}{name}", value) for name, value in block) if prefix else block


def bucket(share: float) -> str:
    """The interval of a fraction in [0, 1] by name: none (≤ 0.001), few, some, half, most
    (quarters), all (≥ 0.999)."""
    # Words and not the number: a linear score could not say that half of a heading is worse than
    # none.
    if 0.001 < share < 0.999:
        return ("few", "some", "half", "most")[int(share * 4)]
    return "none" if share < 0.5 else "all"


def _header_features(match: Match, role: str, column: TableColumn) -> Features:
    """Features of the share of a column's heading (`heading_share`), as a number and as a
    bucket."""
    share = match.heading_share(column)
    return [(f"{role} header", share), (f"{role} header {bucket(share)}", 1.0)]


def list_derivations(match: Match) -> Iterator[Derivation]:
    """Yields the derivations over a table of records: every filter, operator and target column with
    a non-blank cell; of a most frequent value only its own column.

    In a list of statistics (one with key columns), key columns that the filter fixes and columns
    that repeat one text are not targets, nor are cells of key columns that say "total"; its
    features have the prefix `PIVOTED`.
    """
    keys = match.view.keys
    prefix = PIVOTED if keys else ""
    masks = match.header_masks
    # Many derivations share few blocks: each is made, and later scored, once.
    target = cache(
        lambda number: with_prefix(prefix, _target_block(match, match.view.columns[number]))
    )
    cross = cache(lambda *parts: with_prefix(prefix, _cross_block(match, *parts)))
    cover = cache(lambda mask: with_prefix(prefix, cover_block(match, mask)))
    answer_features = cache(lambda *parts: with_prefix(prefix, answer_block(match, *parts)))
    for chosen in row_filters(match):
        filter_features = with_prefix(prefix, _filter_block(match, chosen))
        # Who names a cell whole often names its column too: "the city of Lyon".
        filter_mask = chosen.mask | union(
            masks[number] for number in chosen.columns if chosen.whole
        )
        for selection in selections(match, chosen):
            operator, group = selection.operator, _GROUPS[selection.operator]
            operator_features = with_prefix(prefix, _operator_block(match, selection))
            by = [selection.by.column] if selection.by else []
            used = (chosen.rows, (*sorted(chosen.columns), *by))
            for column in match.view.columns:
                number, inside = column.number, column.number in chosen.columns
                # The most frequent value is itself the answer: no other column has it.
                if selection.value_column not in (None, number):
                    continue
                # Of statistics neither a column that the question fixes nor one of a single text is
                # an answer.
                if keys and ((inside and number in keys) or column.distinct <= 1):
                    continue
                answer = column.cells[selection.row].strip()
                if not answer or (number in keys and TOTAL.search(answer)):
                    continue
                blocks = (
                    filter_features,
                    operator_features,
                    target(number),
                    cross(column, operator, chosen.kind == "all", inside, number in by),
                    cover(filter_mask | union(masks[position] for position in (*by, number))),
                    answer_features(answer, group, column.like(selection.row)),
                )
                way = ", ".join(
                    filter(None, (chosen.text, selection.text, f"column {column.label}"))
                )
                yield Derivation(answer, blocks, way, (selection.row, number), used)


def selections(match: Match, chosen: Filter) -> Iterator[Selection]:
    """Yields the rows that the operators pick from a filter's rows (at least one): the only row, or
    the first, last and n-th (if the question has an ordinal above 1); the table's rows before and
    after up to three rows of a filter other than "all"; of several rows their extremes and most
    frequent values; of a single one the rows that equal it in a column, if the question's words ask
    for them."""
    view, rows, ordinal = match.view, chosen.rows, match.question.ordinal
    # A filter of one row leaves nothing to choose; first and last would count it twice.
    if len(rows) == 1:
        yield Selection("only", rows[0])
    else:
        yield Selection("first", rows[0], "the first")
        yield Selection("last", rows[-1], "the last")
        if ordinal is not None and 1 < ordinal <= len(rows):
            yield Selection("nth", rows[ordinal - 1], f"number {ordinal}")
    # Beside many rows "the next" has no meaning.
    if chosen.kind != "all" and len(rows) <= 3:
        if rows[-1] + 1 < view.size:
            yield Selection("next", rows[-1] + 1, "next row")
        if rows[0] > 0:
            yield Selection("previous", rows[0] - 1, "previous row")
    if len(rows) > 1:
        yield from _extremes(match, rows)
        yield from _frequent(match, rows)
    elif _RARE_TRIGGERS & set(match.question.triggers):
        yield from _equal_rows(match, rows[0])


def extremes_of(
    pairs: Sequence[tuple[float, int]], ordinal: int | None
) -> list[tuple[str, int, str]]:
    """(operator, number, description) for the largest ("max") and the smallest ("min") of `pairs`
    (at least one), each (figure, row or column number), then for the n-th of both orders ("nth
    max", "nth min") if `ordinal`, n, is above 1 and there are n. Ties go to the lowest number."""
    # In both directions: readers go down a table.
    rising, falling = sorted(pairs), sorted(pairs, key=lambda pair: (-pair[0], pair[1]))
    extremes = [("max", falling[0][1], "largest"), ("min", rising[0][1], "smallest")]
    if ordinal is not None and 1 < ordinal <= len(pairs):
        extremes.append(("nth max", falling[ordinal - 1][1], f"number {ordinal} by"))
        extremes.append(("nth min", rising[ordinal - 1][1], f"number {ordinal} from the smallest"))
    return extremes


def _extremes(match: Match, rows: Sequence[int]) -> Iterator[Selection]:
    """Yields the rows with the largest and smallest number of each series among `rows`, and the
    n-th of both orders if the question has an ordinal n above 1, of equal ones the first. Series
    with fewer than two different numbers are skipped."""
    for series in match.series:
        pairs = [(number, row) for row in rows if (number := series.numbers[row]) is not None]
        counts = Counter(number for number, _ in pairs)
        # Where all are equal, largest and smallest say nothing.
        if len(counts) < 2:
            continue
        header = match.view.columns[series.column].label
        name = f"{series.kind} of {header}" if series.kind else header
        for operator, row, text in extremes_of(pairs, match.question.ordinal):
            tied = operator in ("max", "min") and counts[series.numbers[row] or 0.0] > 1
            yield Selection(operator, row, f"{text} {name}", series, tied)


def _frequent(match: Match, rows: Sequence[int]) -> Iterator[Selection]:
    """Yields for each column the first of `rows` with the most frequent cell, of equally frequent
    ones the first; blank cells do not count.

    Columns whose cells are all different, all equal or equally frequent are skipped.
    """
    for column in match.view.columns:
        counts = Counter(column.cells[row] for row in rows if column.cells[row])
        most = max(counts.values(), default=0)
        values = [cell for cell, times in counts.items() if times == most]
        # A column of one value, or of values that are all equally frequent, has no most frequent
        # one.
        if 0 < len(values) < len(counts):
            first = next(row for row in rows if column.cells[row] == values[0])
            text = f"most frequent {column.label} ({most} times)"
            yield Selection("frequent", first, text, None, len(values) > 1, column.number)


def _equal_rows(match: Match, row: int) -> Iterator[Selection]:
    """Yields for each column the first other row whose cell equals that of `row`; not for blank
    cells, nor if all other rows equal it."""
    for column in match.view.columns:
        cell = column.cells[row]
        others = [other for other, text in enumerate(column.cells) if text == cell and other != row]
        if cell and others and len(others) < match.view.size - 1:
            text = f"another row with {column.header or 'label'} = {cell}"
            yield Selection(
                "same", others[0], text, Series(column.number, "same", ()), len(others) > 1
            )


def _filter_block(match: Match, chosen: Filter) -> FeatureBlock:
    """Features of a filter: its kind, number of rows, strength, verbatim cells and the position of
    its words in the question, and the kind combined with the question's triggers and words."""
    kind, rows = chosen.kind, str(len(chosen.rows)) if len(chosen.rows) < 3 else "3+"
    features: Features = [
        (f"filter {kind}", 1.0),
        (f"filter {kind}, {rows} rows", 1.0),
        ("filter strength", chosen.strength),
        (f"filter {kind} strength", chosen.strength),
        (f"filter strength {bucket(chosen.strength)}", 1.0),
    ]
    if chosen.whole:
        features += [("filter whole cell", 1.0), (f"filter {kind} whole cell", 1.0)]
    features += [(f"filter {kind} & {trigger}", 1.0) for trigger in match.question.triggers]
    features += filter_proximity(match, chosen)
    features += spoken_features(match, f"filter {kind}")
    return tuple(features)


def filter_proximity(match: Match, chosen: Filter) -> Features:
    """Features of the position of a filter's words in the question: whether all of them or only
    some are in its focus, and the longest run of neighbours as a fraction of them; [] without
    words.

    Words that name the kind of thing asked for ("which building …") are in descriptions by chance;
    so are words that are scattered over the question.
    """
    filter_words = {
        word for number, word in enumerate(match.question.content) if chosen.mask >> number & 1
    }
    places = [
        position for position, word in enumerate(match.question.words) if word in filter_words
    ]
    # A filter of an order or a comparison rests on no word of a cell.
    if not places:
        return []
    focus = set(match.question.focus)
    # Words side by side in the question are a name; scattered ones match by chance.
    longest = run = 0
    for before, position in zip((-2, *places), places, strict=False):
        run = run + 1 if position == before + 1 else 1
        longest = max(longest, run)
    return [
        ("filter of focus alone", float(filter_words <= focus)),
        ("filter of focus too", float(bool(filter_words & focus) and not filter_words <= focus)),
        ("filter run", longest / len(places)),
    ]


def _operator_block(match: Match, selection: Selection) -> FeatureBlock:
    """Features of a selection's operator: its name, ties, an extreme where the question has an
    ordinal above 1, and the series that it orders by (heading, kind, direction, ranks), with the
    question word, the question's triggers and its words."""
    operator, triggers = selection.operator, match.question.triggers
    features: Features = [
        (f"op {operator}", 1.0),
        (f"op {operator} & {match.question.asked_by}", 1.0),
    ]
    features += [(f"op {operator} & {trigger}", 1.0) for trigger in triggers]
    if selection.tied:
        features += [("tied", 1.0), (f"op {operator} tied", 1.0)]
    # "The second largest" has the words of "the largest" in it.
    if operator in ("max", "min") and (match.question.ordinal or 1) > 1:
        features.append(("extreme beside a further place", 1.0))
    if series := selection.by:
        column = match.view.columns[series.column]
        weight = match.header_weight(match.header_masks[column.number])
        kind = series.kind or column.kind
        features += _header_features(match, "by", column)
        features += [
            (f"by header weight {_GROUPS[operator]}", min(weight, 3.0)),
            (f"op {operator} by {kind}", 1.0),
        ]
        courses = [column.course]
        # Of ranks the smallest number is the best: 1 is the highest place.
        if column.is_rank:
            courses.append("rank")
        for course in courses:
            features.append((f"op {operator} by {course}", 1.0))
            features += [(f"op {operator} by {course} & {trigger}", 1.0) for trigger in triggers]
        features += [(f"op {operator} by {kind} & {trigger}", 1.0) for trigger in triggers]
    features += spoken_features(match, f"op {operator}")
    return tuple(features)


def _target_block(match: Match, column: TableColumn) -> FeatureBlock:
    """Features of the column that gives the answer: its heading, kind and position, with the
    question word and the question focus; whether it has ranks, the list's values or repeated cells;
    a focus in another heading, in none or in the title; the kinds of thing asked for (person,
    place, time …) with heading and shape of the cells; each word of the question with the column's
    kind, three words of its heading, and its position if it is first."""
    question, view = match.question, match.view
    wh, focus, shape = question.asked_by, question.focus, column.shape
    first, first_text = column.number == 0, column.number == view.first_text
    features: Features = [
        *_header_features(match, "target", column),
        ("target header weight", min(match.header_weight(match.header_masks[column.number]), 3.0)),
        (f"target {column.kind}", 1.0),
        (f"target {column.kind} & {wh}", 1.0),
    ]
    for position, word in enumerate(focus):
        if word in column.words:
            features += [
                (f"target focus {position + 1}", 1.0),
                (f"target focus {position + 1} & {wh}", 1.0),
            ]
        elif alike(word) & column.words:
            features.append((f"target alike {position + 1}", 1.0))
    # Another column is named by the focus, or none is: these differ, for the latter leaves it open.
    if focus and not column.words.intersection(focus):
        in_header = any(view.header_counts.get(word) for word in focus)
        features.append(("target without focus" if in_header else "focus in no header", 1.0))
    for name, holds in (
        ("first", first),
        ("first text", first_text),
        ("rank", column.is_rank),
        ("value", column.number == view.value_column and not question.seeks_name),
        ("repeats", column.distinct < 0.5 * view.size),
        (f"shape {shape}", True),
    ):
        if holds:
            features += [(f"target {name}", 1.0), (f"target {name} & {wh}", 1.0)]
    for kind in sorted(question.kinds):
        features.append((f"asks {kind} & shape {shape}", 1.0))
        if kind in column.names_kinds:
            features += [("target kind", 1.0), (f"target kind {kind}", 1.0)]
    if view.title_words.intersection(focus):
        features.append((f"focus in title & first text {first_text}", 1.0))
    things = [f"target {column.kind}", *(f"head {head}" for head in sorted(column.words)[:3])]
    if first or first_text:
        things.append("target first" if first else "target first text")
    return (*features, *(feature for thing in things for feature in spoken_features(match, thing)))


def _cross_block(
    match: Match, column: TableColumn, operator: str, everything: bool, inside: bool, by: bool
) -> FeatureBlock:
    """Features of an answer's column combined with filter and operator, and of the whole
    derivation, without its words, combined with each form of the question.

    `everything` is True for a filter that keeps all rows, `inside` for a column with words of the
    filter, `by` for that which the operator orders by.
    """
    features: Features = []
    for name, holds in (("in filter", inside), ("= by", by)):
        if holds:
            name = f"{_GROUPS[operator]} target {name}"
            features += [(name, 1.0), (f"{name} & {match.question.asked_by}", 1.0)]
    # What is named in a list is mostly in its first column, or in the first of text behind a
    # number.
    if by:
        role = "ordered by"
    elif inside:
        role = "filtered"
    elif match.header_masks[column.number]:
        role = "named"
    elif column.number in (0, match.view.first_text):
        role = "first"
    else:
        role = "other"
    shape = f"form {'all rows' if everything else 'filter'}, {operator}, {role} {column.kind}"
    return (*features, *((f"{shape}{MACRO}{form}", 1.0) for form in match.question.forms))


def cover_block(match: Match, mask: int) -> FeatureBlock:
    """Features of the words that question and table share and the derivation does not use (`mask`
    has those it uses): their fraction of the weight of all shared words, its bucket, and their
    weight (at most 8)."""
    total = match.weight(match.matched)
    # A question mentions what matters: words that a derivation ignores speak against it.
    missing = 1 - match.weight(mask) / total if total else 0.0
    return (
        ("uncovered", missing),
        (f"uncovered {bucket(missing)}", 1.0),
        ("uncovered weight", min(total * missing, 8.0)),
    )


def answer_block(match: Match, answer: str, group: str, like: str) -> FeatureBlock:
    """Features of the kind of an answer (year, percent, text …) with the question, of an answer
    whose words are in the question, and of one with the focus' first word; `group` is the
    operator's group, a prefix of names, and `like` the text that has the answer's kind
    (`TableColumn.like`)."""
    question = match.question
    wh = question.asked_by
    value = parse_value(like)
    kind = "year" if value.kind == "number" and value.year is not None else str(value.kind)
    if value.number is not None and "%" in like:
        kind = "percent"
    elif value.number is not None and "$" in like:
        kind = "money"
    features: Features = [(f"answer {kind}", 1.0), (f"answer {kind} & {wh}", 1.0)]
    features += [
        (f"answer {kind} & {trigger}", 1.0)
        for trigger in question.triggers
        if trigger in _ANSWER_TRIGGERS
    ]
    features += [(f"asks {thing} & answer {kind}", 1.0) for thing in sorted(question.kinds)]
    # Nobody asks for what the question says already, but for "A or B".
    joined = f" {' '.join(words(answer))} "
    if len(joined) > 2 and joined in question.joined:
        features += [("answer in question", 1.0), (f"{group} answer in question", 1.0)]
        features += [(f"answer in question & {trigger}", 1.0) for trigger in question.triggers]
    if question.focus and question.focus[0] in joined.split():
        features.append(("answer holds focus", 1.0))
    features += spoken_features(match, f"answer {kind}")
    return tuple(features)
