"""Derivations: every way from a question to a text of a table that we know, with the features of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, partial
from typing import NamedTuple

from answerer.datasearch.operations.matching import Block, Features, Match
from answerer.datasearch.operations.selection import Filter, number_beside_heading, row_filters
from answerer.datasearch.question.analysis import ORDERS, is_stop
from answerer.datasearch.question.words import alike, words
from answerer.datasearch.tables.view import TOTAL, Column, Series

_NEAR = 2
"""How many words after a word of order still follow it."""
_LAST = 3
"""The words that are the end of a question."""


def filter_closeness(match: Match, chosen: Filter) -> Features:
    """Features of the words on which a filter rests; none where it rests on no word.

    Words that name the kind of thing asked for ("which building …") stand in descriptions by chance; so do words
    that are scattered over the question, or a small part of the cell that holds them.
    """
    places = _places(match, chosen.mask)
    if not places:
        return []
    question = match.question
    found = {question.words[place] for place in places}
    focus = set(question.focus)
    features: Features = [
        ("filter of focus alone", float(found <= focus)),
        ("filter of focus too", float(bool(found & focus) and not found <= focus)),
        ("filter run", _longest_run(places) / len(places)),
    ]
    shares = _cell_shares(match, chosen)
    if shares:
        most, one = max(shares), float(len(found) == 1)
        features += [("filter cell share", most), ("filter cell share, least", min(shares))]
        features += [(f"filter {chosen.kind} cell share", most)]
        features += [("filter of one word", one), ("filter of one word, cell share", one * most)]
    orders = [place for trigger, place in question.places if trigger in ORDERS]
    if orders:
        follows = float(any(0 < place - order <= _NEAR for place in places for order in orders))
        features += [("filter follows order", follows), (f"filter {chosen.kind} follows order", follows)]
    return features


def neighbour_closeness(match: Match, operator: str, mask: int) -> Features:
    """Whether what has a neighbour is named after or before each word for neighbours: "the one after X" asks for the
    next row, "X was drafted after whom" for the previous one."""
    places = _places(match, mask)
    features: Features = []
    if operator not in ("next", "previous") or not places:
        return features
    for trigger, at in match.question.places:
        if trigger not in ORDERS:
            nearest = min(places, key=lambda place: abs(place - at))
            features.append((f"op {operator}, named {'after' if nearest > at else 'before'} {trigger}", 1.0))
            if at >= len(match.question.words) - _LAST:
                features.append((f"op {operator}, {trigger} at the end", 1.0))
    return features


def _places(match: Match, mask: int) -> list[int]:
    """The numbers of the question's words that a mask has."""
    named = {word for number, word in enumerate(match.question.content) if mask >> number & 1}
    return [place for place, word in enumerate(match.question.words) if word in named]


def _longest_run(places: Sequence[int]) -> int:
    best = run = 0
    for before, place in zip((-2, *places), places, strict=False):
        run = run + 1 if place == before + 1 else 1
        best = max(best, run)
    return best


def _cell_shares(match: Match, chosen: Filter) -> list[float]:
    """Of each cell of the filter's first row that holds its words the part of the cell that they are."""
    shares = []
    row = chosen.rows[0]
    for column in sorted(chosen.columns):
        held = match.cell_masks.get((row, column), 0) & chosen.mask
        if held:
            telling = {word for word in match.view.joined.get((row, column), "").split() if not is_stop(word)}
            shares.append(min(1.0, held.bit_count() / max(1, len(telling))))
    return shares


_RARE_TRIGGERS = frozenset(("same", "other", "not"))


class Selection(NamedTuple):
    """What an operator picks from a filter's rows: a row, from which a column is still to be chosen, or a `value`
    of a column (the most frequent one). `by` is what it orders by; `tied` tells that others fulfil it as well."""

    operator: str
    row: int
    text: str = ""
    by: Series | None = None
    tied: bool = False
    value_column: int | None = None


def selections(match: Match, chosen: Filter) -> Iterator[Selection]:
    """Everything the operators pick from a filter's rows, the plain choices first."""
    yield from _by_place(match, chosen)
    if chosen.kind != "all" and len(chosen.rows) <= 3:
        yield from _neighbours(match, chosen)
    if len(chosen.rows) > 1:
        yield from _extremes(match, chosen)
        yield from _frequent(match, chosen)
    elif _RARE_TRIGGERS & set(match.question.triggers):
        yield from _alike(match, chosen)


def _by_place(match: Match, chosen: Filter) -> Iterator[Selection]:
    rows = chosen.rows
    if len(rows) == 1:
        yield Selection("only", rows[0])
        return
    yield Selection("first", rows[0], "the first")
    yield Selection("last", rows[-1], "the last")
    place = match.ordinal
    if place is not None and 1 < place <= len(rows):
        yield Selection("nth", rows[place - 1], f"number {place}")


def _neighbours(match: Match, chosen: Filter) -> Iterator[Selection]:
    after, before = chosen.rows[-1] + 1, chosen.rows[0] - 1
    if after < match.view.size:
        yield Selection("next", after, "next row")
    if before >= 0:
        yield Selection("previous", before, "previous row")


def _extremes(match: Match, chosen: Filter) -> Iterator[Selection]:
    ordinal = match.ordinal
    for series in match.series:
        pairs = [(number, row) for row in chosen.rows if (number := series.numbers[row]) is not None]
        if len(pairs) < 2:
            continue
        low, high = min(pairs)[0], max(pairs)[0]
        if low == high:
            continue
        header = match.view.columns[series.column].called
        name = f"{series.made} of {header}" if series.made else header
        lowest = [row for number, row in pairs if number == low]
        highest = [row for number, row in pairs if number == high]
        yield Selection("max", highest[0], f"largest {name}", series, len(highest) > 1)
        yield Selection("min", lowest[0], f"smallest {name}", series, len(lowest) > 1)
        if ordinal is not None and 1 < ordinal <= len(pairs):
            falling = sorted(pairs, key=lambda pair: (-pair[0], pair[1]))
            yield Selection("nth max", falling[ordinal - 1][1], f"number {ordinal} by {name}", series)
            rising = sorted(pairs)
            yield Selection("nth min", rising[ordinal - 1][1], f"number {ordinal} from the smallest {name}", series)


def _frequent(match: Match, chosen: Filter) -> Iterator[Selection]:
    """The value that a column repeats most, or least, often in the rows."""
    for column in match.view.columns:
        cells = [(column.cells[row], row) for row in chosen.rows if column.cells[row]]
        if len(cells) < 3 or column.distinct < 2:
            continue
        counts = Counter(cell for cell, _ in cells)
        if len(counts) < 2 or len(counts) == len(cells):
            continue
        first_rows = dict(reversed(cells))
        most = max(counts.values())
        least = min(counts.values())
        tops = [cell for cell, count in counts.items() if count == most]
        bottoms = [cell for cell, count in counts.items() if count == least]
        if most > least:
            text, number = f"most frequent {column.called} ({most} times)", column.number
            yield Selection("frequent", first_rows[tops[0]], text, None, len(tops) > 1, number)
            text = f"least frequent {column.called}"
            yield Selection("rare", first_rows[bottoms[0]], text, None, len(bottoms) > 1, number)


def _alike(match: Match, chosen: Filter) -> Iterator[Selection]:
    """The other rows that share a value with the row meant."""
    row = chosen.rows[0]
    for column in match.view.columns:
        cell = column.cells[row]
        if not cell or column.distinct == match.view.size:
            continue
        others = [other for other, text in enumerate(column.cells) if text == cell and other != row]
        if others and len(others) < match.view.size - 1:
            series = Series(column.number, "same", ())
            text = f"another row with {column.header or 'label'} = {cell}"
            yield Selection("same", others[0], text, series, len(others) > 1)
            if len(others) > 1:
                yield Selection("same last", others[-1], text, series, True)


_GROUPS = {
    "only": "here", "first": "here", "last": "here", "nth": "here", "next": "beside", "previous": "beside",
    "max": "extreme", "min": "extreme", "nth max": "extreme", "nth min": "extreme",
    "frequent": "frequent", "rare": "frequent", "same": "same", "same last": "same",
}  # fmt: skip


class Derivation(NamedTuple):
    """One way to an answer: its text, its features in blocks, the way in words, and the place of the answer: row
    and column of a cell, or -1 - level and the column of a heading.

    `used` are the rows and the columns whose cells it filtered or compared.
    """

    answer: str
    blocks: tuple[Block, ...]
    text: str
    place: tuple[int, int]
    used: tuple[Sequence[int], Sequence[int]] = ((), ())


def list_derivations(match: Match) -> Iterator[Derivation]:
    """The derivations over a table of records: filter, operator, target column."""
    every = [Target(match, column) for column in match.view.columns]
    cover, known = cache(partial(cover_block, match)), cache(partial(answer_block, match))
    for chosen in row_filters(match):
        filter_block, columns = _filter_block(match, chosen), tuple(sorted(chosen.columns))
        filter_mask = chosen.mask
        for number in chosen.columns if chosen.whole else ():
            filter_mask |= match.header_masks[number]
        yield from _headings(match, chosen, (filter_block, cover_block(match, filter_mask)))
        targets = _askable(match, chosen, every)
        yield from _listed(match, chosen, filter_block, targets)
        for selection in selections(match, chosen):
            group = _GROUPS[selection.operator]
            operator_block = _operator_block(match, selection, filter_mask)
            by_mask = match.header_masks[selection.by.column] if selection.by else 0
            used = (chosen.rows, (*columns, selection.by.column) if selection.by else columns)
            for target in targets:
                if selection.value_column is not None and target.number != selection.value_column:
                    continue
                answer = target.column.cells[selection.row].strip()
                if not answer or (target.number in match.view.crossed and TOTAL.search(answer)):
                    continue
                blocks = (
                    filter_block,
                    operator_block,
                    target.block,
                    target.cross(chosen, selection, group),
                    cover(filter_mask | by_mask | target.mask),
                    known(answer, group),
                )
                way, place = _text(chosen, selection, target.column), (selection.row, target.number)
                yield Derivation(answer, blocks, way, place, used)


def _askable(match: Match, chosen: Filter, targets: Sequence[Target]) -> list[Target]:
    """Where the answer may stand: of statistics in no column that the question fixes, of codes, or of one text."""
    crossed = match.view.crossed
    fixed = match.view.abbreviated.union(chosen.columns.intersection(crossed))
    return [one for one in targets if one.number not in fixed and (not crossed or one.column.distinct > 1)]


LISTED = 12
"""Texts that one answer names at most."""


def listed(texts: Iterable[str]) -> str:
    """Different texts as one answer, in their order, as the cells of a table are listed."""
    return ", ".join(dict.fromkeys(text for each in texts if (text := each.strip())))


def _listed(match: Match, chosen: Filter, filter_block: Block, targets: Sequence[Target]) -> Iterator[Derivation]:
    """The texts of all rows that fulfil a comparison, where the question asks for several things."""
    if chosen.kind != "compared" or not 1 < len(chosen.rows) <= LISTED or "several" not in match.question.triggers:
        return
    for target in targets:
        if target.column.kind == "text":
            answer = listed(target.column.cells[row] for row in chosen.rows)
            told = (cover_block(match, chosen.mask | target.mask), answer_block(match, answer, "here"))
            text = f"{chosen.text}, all of column {target.column.header or target.number + 1}"
            used = (chosen.rows, tuple(sorted(chosen.columns)))
            own = (filter_block, (("op listed", 1.0),), target.block, *told)
            yield Derivation(answer, own, text, (chosen.rows[0], target.number), used)


def _headings(match: Match, chosen: Filter, blocks: tuple[Block, ...]) -> Iterator[Derivation]:
    """The heading of the column that has the most, or least, in the one row of a filter (which item cost most)."""
    triggers = match.question.triggers
    if len(chosen.rows) != 1 or not _SUPERLATIVES & set(triggers):
        return
    row = chosen.rows[0]
    figures = [
        (number, column)
        for column in match.view.columns
        if column.kind == "number" and not column.is_rank and (number := column.values[row].number) is not None
    ]
    if len(figures) < 3:
        return
    for operator, (_, column) in (
        ("max", max(figures, key=lambda figure: figure[0])),
        ("min", min(figures, key=lambda figure: figure[0])),
    ):
        if answer := column.path[-1].strip() if column.path else "":
            block: Block = (
                (f"heading {operator}", 1.0),
                *((f"heading {operator} & {trigger}", 1.0) for trigger in triggers),
                (f"heading {operator} & {match.question.asked_by}", 1.0),
            )
            text = f"{chosen.text}, the heading of its {'largest' if operator == 'max' else 'smallest'} figure"
            own = (*blocks, block, answer_block(match, answer, "heading"))
            yield Derivation(answer, own, text, (-1, column.number), ((row,), [one.number for _, one in figures]))


_SUPERLATIVES = frozenset(("most", "least", "highest", "lowest", "largest", "smallest"))


def spoken(match: Match, thing: str) -> list[tuple[str, float]]:
    """The words of the question beside a thing that a derivation does or takes: what training learns of words."""
    return [(f"{thing}{SPOKEN}{word}", 0.5) for word in match.question.spoken]


SPOKEN = " ~ "
"""What stands in a feature's name between a thing and the word that is spoken with it."""


MACRO = " @ "
"""What stands in a feature's name between the shape of a derivation and the form of the question."""


def _text(chosen: Filter, selection: Selection, column: Column) -> str:
    return ", ".join(piece for piece in (chosen.text, selection.text, f"column {column.called}") if piece)


def bucket(share: float) -> str:
    """A share in [0, 1] as one of six words, the ends apart."""
    if share <= 0.001:
        return "none"
    if share >= 0.999:
        return "all"
    return ("few", "some", "half", "most")[min(3, int(share * 4))]


def _filter_block(match: Match, chosen: Filter) -> Block:
    kind = chosen.kind
    rows = "1" if len(chosen.rows) == 1 else "2" if len(chosen.rows) == 2 else "3+"
    features: list[tuple[str, float]] = [
        (f"filter {kind}", 1.0),
        (f"filter {kind}, {rows} rows", 1.0),
        ("filter strength", chosen.strength),
        (f"filter {kind} strength", chosen.strength),
        (f"filter strength {bucket(chosen.strength)}", 1.0),
    ]
    if chosen.whole:
        features += [("filter whole cell", 1.0), (f"filter {kind} whole cell", 1.0)]
    for column in sorted(chosen.columns) if len(chosen.columns) == 1 else ():
        if beside := number_beside_heading(match, column, chosen.mask):
            features.append((f"filter number {beside}", 1.0))
    features += [(f"filter {kind} & {trigger}", 1.0) for trigger in match.question.triggers]
    features += filter_closeness(match, chosen)
    features += spoken(match, f"filter {kind}")
    return tuple(features)


def _operator_block(match: Match, selection: Selection, filter_mask: int) -> Block:
    operator = selection.operator
    triggers = match.question.triggers
    features: list[tuple[str, float]] = [
        (f"op {operator}", 1.0),
        (f"op {operator} & {match.question.asked_by}", 1.0),
    ]
    features += [(f"op {operator} & {trigger}", 1.0) for trigger in triggers]
    if selection.tied:
        features += [("tied", 1.0), (f"op {operator} tied", 1.0)]
    if operator in ("max", "min") and (match.ordinal or 1) > 1:
        features.append(("extreme beside a further place", 1.0))
    if selection.by is not None:
        features += _by_features(match, selection, selection.by)
    features += neighbour_closeness(match, operator, filter_mask)
    features += spoken(match, f"op {operator}")
    return tuple(features)


def _by_features(match: Match, selection: Selection, series: Series) -> list[tuple[str, float]]:
    operator = selection.operator
    column = match.view.columns[series.column]
    mask = match.header_masks[column.number]
    share = header_share(match, column)
    kind = series.made or column.kind
    features: list[tuple[str, float]] = [
        ("by header", share),
        (f"by header {bucket(share)}", 1.0),
        (f"by header weight {_GROUPS[operator]}", min(match.header_weight(mask), 3.0)),
        (f"op {operator} by {kind}", 1.0),
    ]
    if any(alike(word) & column.words for word in match.question.words):
        features += [("by alike", 1.0), (f"op {operator} by alike", 1.0)]
    features.append((f"op {operator} by {column.course}", 1.0))
    features += [(f"op {operator} by {column.course} & {trigger}", 1.0) for trigger in match.question.triggers]
    if column.is_rank:
        features += [(f"op {operator} by rank", 1.0)]
        features += [(f"op {operator} by rank & {trigger}", 1.0) for trigger in match.question.triggers]
    features += [(f"op {operator} by {kind} & {trigger}", 1.0) for trigger in match.question.triggers]
    if mask and any(word in column.words for word in match.question.focus):
        features.append((f"op {operator} by focus", 1.0))
    return features


def header_share(match: Match, column: Column) -> float:
    """How much of a column's header stands in the question, 0 to 1."""
    if not match.header_masks[column.number]:
        return 0.0
    found = sum(word in match.meant for word in column.words)
    return found / len(column.words)


class Target:
    """A column from which an answer may be taken, with the features that do not depend on the row."""

    def __init__(self, match: Match, column: Column) -> None:
        self.match = match
        self.column = column
        self.number = column.number
        self.mask = match.header_masks[column.number]
        self.block = self._block()
        self._crosses: dict[tuple[object, ...], Block] = {}

    def _block(self) -> Block:
        match, column = self.match, self.column
        wh = match.question.asked_by
        share = header_share(match, column)
        features: list[tuple[str, float]] = [
            ("target header", share),
            (f"target header {bucket(share)}", 1.0),
            ("target header weight", min(match.header_weight(self.mask), 3.0)),
            (f"target {column.kind}", 1.0),
            (f"target {column.kind} & {wh}", 1.0),
        ]
        focus = match.question.focus
        for place, word in enumerate(focus):
            if word in column.words:
                features += [(f"target focus {place + 1}", 1.0), (f"target focus {place + 1} & {wh}", 1.0)]
        if focus and not any(word in column.words for word in focus):
            named = any(match.view.header_counts.get(word) for word in focus)
            features.append(("target without focus" if named else "focus in no header", 1.0))
        features += self._kind_features(wh)
        for name, holds in (
            ("first", column.number == 0),
            ("first text", column.number == match.view.first_text),
            ("rank", column.is_rank),
            ("value", column.number == match.view.measured and not match.question.seeks_name),
            ("code", column.is_code),
            ("repeats", column.distinct < 0.5 * match.view.size),
        ):
            if holds:
                features += [(f"target {name}", 1.0), (f"target {name} & {wh}", 1.0)]
        features += spoken(match, f"target {column.kind}")
        for head in sorted(column.words)[:3]:
            features += spoken(match, f"head {head}")
        if column.number in (0, match.view.first_text):
            features += spoken(match, "target first" if column.number == 0 else "target first text")
        return tuple(features)

    def _kind_features(self, wh: str) -> list[tuple[str, float]]:
        """How the kind of thing asked for goes with the column's heading and the look of its cells."""
        question, column = self.match.question, self.column
        shape = column.shape
        features: list[tuple[str, float]] = [(f"target shape {shape}", 1.0), (f"target shape {shape} & {wh}", 1.0)]
        for kind in sorted(question.kinds):
            features.append((f"asks {kind} & shape {shape}", 1.0))
            if kind in column.names_kinds:
                features += [("target kind", 1.0), (f"target kind {kind}", 1.0)]
            features += [(f"asks {kind} & heads {other}", 0.7) for other in sorted(column.names_kinds)]
        if question.kinds and column.names_kinds and not question.kinds & column.names_kinds:
            features.append(("target other kind", 1.0))
        focus = question.focus
        for place, word in enumerate(focus):
            if word not in column.words and alike(word) & column.words:
                features.append((f"target alike {place + 1}", 1.0))
        if focus and any(word in self.match.view.title_words for word in focus):
            features.append((f"focus in title & first text {column.number == self.match.view.first_text}", 1.0))
        return features

    def cross(self, chosen: Filter, selection: Selection, group: str) -> Block:
        """The features of a target together with filter and operator."""
        inside = self.number in chosen.columns
        by = selection.by is not None and selection.by.column == self.number
        used = chosen.mask | (self.match.header_masks[selection.by.column] if selection.by is not None else 0)
        named = "" if not self.mask else "freshly" if self.mask & ~used else "by used words"
        key = (inside, by, selection.operator, chosen.kind == "all", named)
        known = self._crosses.get(key)
        if known is None:
            block = self._cross(inside, by, selection.operator, group, chosen.kind == "all")
            block += self._macro(inside, by, selection.operator, chosen.kind == "all")
            if named:
                block = (*block, (f"target named {named}", 1.0), (f"{group} target named {named}", 1.0))
            known = self._crosses[key] = block
        return known

    def _cross(self, inside: bool, by: bool, operator: str, group: str, everything: bool) -> Block:
        column, view = self.column, self.match.view
        wh = self.match.question.asked_by
        features: list[tuple[str, float]] = [(f"{group} target {column.kind}", 1.0)]
        if inside:
            features += [(f"{group} target in filter", 1.0), (f"op {operator} target in filter", 1.0)]
            features += [(f"{group} target in filter & {wh}", 1.0)]
        elif not everything:
            features.append((f"{group} target not in filter", 1.0))
        if by:
            features += [(f"{group} target = by", 1.0), (f"{group} target = by & {wh}", 1.0)]
        if self.mask:
            features.append((f"{group} target named", 1.0))
        if column.number == view.first_text:
            features.append((f"{group} target first text", 1.0))
        return tuple(features)

    def _macro(self, inside: bool, by: bool, operator: str, everything: bool) -> Block:
        """The derivation without its contents beside each form of the question: what was right of a form in training
        is found again."""
        first = self.number in (0, self.match.view.first_text)
        role = "ordered by" if by else "filtered" if inside else "named" if self.mask else "first" if first else "other"
        shape = f"form {'all rows' if everything else 'filter'}, {operator}, {role} {self.column.kind}"
        return tuple((f"{shape}{MACRO}{form}", 1.0) for form in self.match.question.forms)


def cover_block(match: Match, mask: int) -> Block:
    """How much of what the table knows of the question the derivation uses."""
    total = match.weight(match.found)
    missing = 1 - match.weight(mask) / total if total else 0.0
    return (
        ("uncovered", missing),
        (f"uncovered {bucket(missing)}", 1.0),
        ("uncovered weight", min(total * missing, 8.0)),
    )


def answer_block(match: Match, answer: str, group: str) -> Block:
    """What the answer's text is like, and whether the question already holds it."""
    from indexer.tables.values import parse_value

    question = match.question
    wh = question.asked_by
    value = parse_value(answer)
    kind = "year" if value.kind == "number" and value.year is not None else str(value.kind)
    if value.number is not None and ("%" in answer or "$" in answer):
        kind = "percent" if "%" in answer else "money"
    features: list[tuple[str, float]] = [(f"answer {kind}", 1.0), (f"answer {kind} & {wh}", 1.0)]
    features += [(f"answer {kind} & {trigger}", 1.0) for trigger in question.triggers if trigger in _ANSWER_TRIGGERS]
    features += [(f"asks {asked} & answer {kind}", 1.0) for asked in sorted(question.kinds)]
    joined = f" {' '.join(words(answer))} "
    if len(joined) > 2 and joined in question.joined:
        features += [("answer in question", 1.0), (f"{group} answer in question", 1.0)]
        features += [(f"answer in question & {trigger}", 1.0) for trigger in question.triggers]
    if question.focus and question.focus[0] in joined.split():
        features.append(("answer holds focus", 1.0))
    if len(answer) > 60:
        features.append(("answer long", 1.0))
    features += spoken(match, f"answer {kind}")
    return tuple(features)


def heading_block(match: Match, path: Sequence[str], level: int) -> Block:
    """Whether a heading tells its columns from others, or stands under several headings, and means something alone."""
    heading = path[level]
    return (
        ("heading under several", float(level > 0 and heading in match.view.shared_headings)),
        ("heading without content", float(all(is_stop(word) for word in words(heading)))),
    )


_ANSWER_TRIGGERS = frozenset(("money", "total", "percent", "difference", "average", "or", "rank", "most", "highest"))
