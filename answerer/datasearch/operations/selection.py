"""Selection of rows and columns: the sets of rows, and in statistics the rows and columns, that a
question means.

Words are weighed by idf over the table's rows (cells) or columns (headings).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, cached_property, partial, reduce
from math import log
from operator import or_
from typing import NamedTuple

from answerer.datasearch.question.analysis import AnalysedQuestion, fulfils, is_stop
from answerer.datasearch.question.words import acronyms, alike, countries, path_words, words
from answerer.datasearch.tables.view import Series, TableColumn, View

# Features that belong together: name and value. Blocks are shared by derivations and scored once.
FeatureBlock = tuple[tuple[str, float], ...]

Features = list[tuple[str, float]]

SERIES_LIMIT = 8  # orders of rows that are tried at most; limits time
# factor on the weight of a number of one or two digits, which is in a cell by chance more often
SHORT_NUMBER = 0.6


class Match:
    """Matches of the question's words in the rows, cells and headings of one table.

    A mask is an int with bit i set for the word `question.content[i]`. `row_masks` (row → mask) and
    `cell_masks` ((row, column) → mask) hold only what matches, with 0 where all words are left to
    the heading; `header_masks` has a mask for each column, `matched` is that of all words with a
    weight. `row_weight` and `header_weight` sum the words' idf over rows and over headings for a
    mask, `weight` the larger of the two. `meant` are the question's words and their substitutes in
    this table: a word that the table lacks is looked for under its synonyms. `whole` are the (row,
    column) of the cells that the question contains verbatim; cells of one character only in tables
    of fewer than 60 rows.
    """

    def __init__(self, question: AnalysedQuestion, view: View) -> None:
        self.question = question
        self.view = view
        # Masks are whole numbers: their unions and intersections are the innermost steps of all
        # that follows.
        self.row_masks: defaultdict[int, int] = defaultdict(int)
        self.cell_masks: defaultdict[tuple[int, int], int] = defaultdict(int)
        self.header_masks = [0] * len(view.columns)
        self.meant = set(question.words)
        self.row_weights: list[float] = []
        self.header_weights: list[float] = []
        for position, word in enumerate(question.content):
            self._add_word(word, 1 << position)
        for name, others in countries(question.words):
            self._add_country(name, others)
        # One character is in a question by chance: it counts in small tables alone.
        self.whole = {
            cell
            for cell in self.cell_masks
            if f" {view.joined[cell]} " in question.joined
            and (len(view.joined[cell]) > 1 or view.size < 60)
        }
        self._leave_to_headings()
        weights = list(map(max, self.row_weights, self.header_weights))
        self.matched = sum(1 << position for position, weight in enumerate(weights) if weight > 0)
        self.row_weight = cache(partial(_weight, self.row_weights))
        self.header_weight = cache(partial(_weight, self.header_weights))
        self.weight = cache(partial(_weight, weights))

    def _add_word(self, word: str, bit: int) -> None:
        """Adds the next content word, with its `bit`, to weights and masks; a word that the table
        lacks is replaced by a synonym of the table's, else by its likeliest spelling there, and has
        weight 0 without either. The row weight of a number of one or two digits is multiplied by
        0.6."""
        view = self.view
        if not view.knows(word):
            # Sorted, for a set has another order in every process.
            word = next(
                (other for other in sorted(alike(word)) if view.knows(other)), None
            ) or view.correct(word)
        self.meant.add(word)
        self.row_weights.append(
            view.row_idf(word) * (SHORT_NUMBER if word[0].isdigit() and len(word) < 3 else 1.0)
        )
        self.header_weights.append(view.header_idf(word))
        for row, column in view.postings.get(word, ()):
            self.row_masks[row] |= bit
            self.cell_masks[row, column] |= bit
        for column_view in view.columns:
            if word in column_view.words:
                self.header_masks[column_view.number] |= bit

    def _add_country(self, name: str, others: Sequence[str]) -> None:
        """Adds the words of a country's name in the question to the masks of cells that have one of
        its `others`, its other names, and raises their row weights to an equal share of that name's
        idf; nothing if a cell or heading has the name itself."""
        view, content = self.view, self.question.content
        name_words = name.split()
        places = [content.index(word) for word in name_words if word in content]
        # The table's own spelling wins: US beside American would be two countries to it.
        if (
            not places
            or self._cells_with(name)
            or any(set(name_words) <= column.words for column in view.columns)
        ):
            return
        cells = sorted({cell for other in others for cell in self._cells_with(other)})
        if not cells:
            return
        for position in places:
            for cell in cells:
                self.row_masks[cell[0]] |= 1 << position
                self.cell_masks[cell] |= 1 << position
            # The words of a name share the weight of one: United States is not better evidence than
            # France.
            weight = log((view.size + 1) / len({row for row, _ in cells})) / len(places)
            self.row_weights[position] = max(self.row_weights[position], weight)

    def _cells_with(self, name: str) -> list[tuple[int, int]]:
        """The (row, column) of each cell that contains the words of `name` in sequence; a
        two-letter code must be the whole cell."""
        cells = (
            (cell, self.view.joined[cell]) for cell in self.view.postings.get(name.split()[0], ())
        )
        # A code of two letters may be a word as well: IT, AT, NO.
        return [
            cell
            for cell, text in cells
            if text == name or (len(name) != 2 and f" {name} " in f" {text} ")
        ]

    def _leave_to_headings(self) -> None:
        """Removes from the masks of a column's cells the words of its heading, except in cells that
        the question contains verbatim.

        Under the heading Dam, "dam" does not distinguish Aldon Dam from Cole Weir. Words left in no
        row get row weight 0.
        """
        remaining = 0
        # Rebuilt from the cells: another cell of the row may hold the same word.
        self.row_masks.clear()
        for cell, mask in self.cell_masks.items():
            if cell not in self.whole:
                mask &= ~self.header_masks[cell[1]]
                self.cell_masks[cell] = mask
            remaining |= mask
            self.row_masks[cell[0]] |= mask
        for number in range(len(self.row_weights)):
            if ~remaining & 1 << number:
                self.row_weights[number] = 0.0

    @cached_property
    def series(self) -> list[Series]:
        """The series by which rows can be ordered, at most 8, by falling weight of the question's
        words in the column's heading, ties from right to left. In a list of statistics only columns
        of figures have one."""
        columns = [
            column for column in self.view.columns if column.has_figures or not self.view.keys
        ]
        series = [column.series for column in columns if column.series]
        # Figures that sum up a list are on its right.
        series.sort(
            key=lambda column_series: (
                -self.header_weight(self.header_masks[column_series.column]),
                -column_series.column,
            )
        )
        return series[:SERIES_LIMIT]

    def heading_share(self, column: TableColumn) -> float:
        """The fraction of the words of a column's heading that are `meant`, 0 to 1; 0 where none of
        them is a content word of the question."""
        if not self.header_masks[column.number]:
            return 0.0
        return sum(word in self.meant for word in column.words) / len(column.words)

    @cached_property
    def asks_for_order(self) -> bool:
        """True if a phrase of the question that asks for an order contains a word that the table
        lacks.

        A table with the heading Highest grade has both words of that phrase: there it does not ask
        for an order.
        """
        return any(not all(map(self.view.knows, words(text))) for text in self.question.orders)

    @cached_property
    def corner(self) -> int:
        """The mask of the question's words in headings of label columns, which describe all rows or
        the table."""
        return union(self.header_masks[: self.view.table.labels])


def union(masks: Iterable[int]) -> int:
    """The mask of the words that any of the masks has; 0 without any."""
    return reduce(or_, masks, 0)


def _weight(weights: Sequence[float], mask: int) -> float:
    """The sum of the weights at the positions whose bits a mask has."""
    return sum(weight for position, weight in enumerate(weights) if mask >> position & 1)


# Longest first: 市 would match the beginning of 市区町村.
_KIND = "都道府県|市区町村|市町村|[県市区町村]"
_ASKED = re.compile(
    rf"(?:どの|どこの)(?P<which>{_KIND})(?=[はがでのに])"
    rf"|(?<![\u3400-\u9fff])(?P<named>{_KIND})(?=は、?(?:どこ|どれ|何|[？?。]?$)|の(?:うち|中|なか)"
    rf"|で(?:最|一番)|を(?:教え|答え))"
)


def rows_of_kind(match: Match) -> tuple[int, ...]:
    """The numbers, ascending, of the rows labelled with a place of the kind that a question like
    どの市が最も… compares (市: labels that end in 市), in the first label column, or column up to
    the first of text, with two or more but not all rows of that kind; () without one and for
    another question."""
    match_of_kind, view = _ASKED.search(match.question.text), match.view
    if not match_of_kind:
        return ()
    kind = rf"[^\s\d]+[{match_of_kind['which'] or match_of_kind['named']}]"
    for column in view.columns[: max(view.table.labels, view.first_text + 1)]:
        rows = tuple(
            row for row, cell in enumerate(column.cells) if re.fullmatch(kind, cell.strip())
        )
        if 1 < len(rows) < view.size:
            return rows
    return ()


# Filters that are tried for a question and table, a choice: more cost time and are seldom meant.
FILTER_LIMIT = 14
# factor on the weight of a cell that is in the question as a whole; 1.2 to 2 do as well
WHOLE_CELL = 1.4
_LEAST_SCORE = 0.05  # rows below it match by a word that nearly all rows have
# rows, and columns, that are tried for a question on statistics; half of them in comparisons
REGIONS = 8
_CROSSED_TRIGGERS = frozenset(
    ("total", "percent", "counted", "difference", "average", "most", "highest", "or", "rank")
)


class Filter(NamedTuple):
    """A set of row numbers, ascending (`rows`), that a question may be about.

    `kind` names the rule that found it (best, column, compared …), `text` describes it in a trace.
    `mask` has the question's words that it is based on, `columns` the numbers of the columns with
    these words. `strength` is the weight of the mask as a fraction of the weight of all words;
    `whole` is True if the question contains one of the cells verbatim.
    """

    kind: str
    rows: tuple[int, ...]
    text: str
    mask: int = 0
    columns: frozenset[int] = frozenset()
    strength: float = 0.0
    whole: bool = False


def row_filters(match: Match) -> list[Filter]:
    """The row filters of a question, at most 14: specific kinds first, then all rows but totals
    (all, if all are totals). Of filters with the same rows only the first is kept; [] for a table
    without rows."""
    size = match.view.size
    # The largest of all rows would be the total.
    plain = tuple(row for row in range(size) if row not in match.view.totals)
    everything = Filter("all", plain or tuple(range(size)), "all rows")
    filters = [
        *_best_rows(match),
        *_alternatives(match),
        *_best_cells(match),
        *_by_cells(match),
        everything,
    ]
    # The first kind that gives a set of rows says most about why.
    first_of_rows = {item.rows: item for item in reversed(filters) if item.rows}
    special = [item for item in filters[:-1] if item is first_of_rows.get(item.rows)]
    return [
        *special[: FILTER_LIMIT - 1],
        *(item for item in first_of_rows.values() if item is everything),
    ]


def _matching(
    match: Match,
    kind: str,
    rows: Sequence[int],
    text: str,
    mask: int,
    columns: Iterable[int],
    whole: bool,
) -> Filter:
    """A filter of a kind of rows that words of the question name (`mask`) in these columns, `whole`
    where a cell is verbatim in it; its strength is their row weight as a fraction of that of all
    the question's words."""
    total = match.row_weight((1 << len(match.question.content)) - 1)
    strength = match.row_weight(mask) / total if total else 0.0
    return Filter(kind, tuple(rows), text, mask, frozenset(columns), strength, whole)


def _best_rows(match: Match) -> Iterator[Filter]:
    """Yields filters of the rows of the kind of place that is asked for (without rows if none is),
    and of those with the highest, second and third highest weight of the question's words in them,
    verbatim cells weighing 1.4 times; weights up to 0.05 do not count.

    Of the latter one that holds more than half of the table's rows, and more than 8, is left out.
    """
    yield Filter("places", rows_of_kind(match), "rows of places of that kind")
    scores = {row: match.row_weight(mask) for row, mask in match.row_masks.items()}
    for row, column in match.whole:
        # A cell that the question quotes is meant; a word of a longer one may be chance.
        scores[row] += (WHOLE_CELL - 1) * match.row_weight(match.cell_masks[row, column])
    # Rounded: sums of the same weights in another order differ in their last bits.
    levels = sorted(
        {round(score, 6) for score in scores.values() if score > _LEAST_SCORE}, reverse=True
    )
    for kind, level in zip(("best", "second", "third"), levels, strict=False):
        rows = sorted(row for row, score in scores.items() if round(score, 6) == level)
        # A match of most rows selects nothing.
        if len(rows) <= max(8, match.view.size // 2):
            first = rows[0]
            columns = sorted(column for row, column in match.cell_masks if row == first)
            whole = any((first, column) in match.whole for column in columns)
            cells = ", ".join(match.view.columns[column].cells[first] for column in columns)[:80]
            text = f"rows that match {kind} ({cells})"
            yield _matching(match, kind, rows, text, match.row_masks[first], columns, whole)


def _alternatives(match: Match) -> list[Filter]:
    """Filters for "A or B": for each column with two or more different cells that are verbatim in
    the question, the rows with these cells; at most two filters, the strongest first."""
    by_column: defaultdict[int, list[int]] = defaultdict(list)
    for row, column in sorted(match.whole):
        by_column[column].append(row)
    filters = []
    for column, rows in by_column.items():
        firsts = {match.view.joined[row, column]: row for row in reversed(rows)}
        if len(firsts) >= 2:
            mask = union(match.cell_masks[row, column] for row in rows)
            view = match.view.columns[column]
            names = " or ".join(view.cells[row] for row in sorted(firsts.values()))[:80]
            text = f"rows where {view.header or 'label'} = {names}"
            filters.append(_matching(match, "alternatives", rows, text, mask, [column], whole=True))
    return sorted(filters, key=lambda item: -item.strength)[:2]


def _best_cells(match: Match) -> list[Filter]:
    """For each of the five columns with the best-matching cells, ties from left to right, the
    filter of all rows whose cell there has the column's highest weight, if above 0.05; verbatim
    cells weigh 1.4 times."""
    by_column: defaultdict[int, dict[int, float]] = defaultdict(dict)
    for (row, column), mask in match.cell_masks.items():
        by_column[column][row] = (
            WHOLE_CELL if (row, column) in match.whole else 1.0
        ) * match.row_weight(mask)
    # Of equal columns the left one: it names the rows.
    filters = []
    ranked = sorted((-max(scores.values()), column) for column, scores in by_column.items())
    for best, column in ranked[:5]:
        if -best > _LEAST_SCORE:
            rows = sorted(row for row, score in by_column[column].items() if score >= -best - 1e-9)
            first, view = (rows[0], column), match.view.columns[column]
            text = f"rows where {view.header or 'label'} = {view.cells[rows[0]]}"
            mask = match.cell_masks[first]
            filters.append(
                _matching(match, "column", rows, text, mask, [column], first in match.whole)
            )
    return filters


def _by_cells(match: Match) -> list[Filter]:
    """Filters of rows by what is in a column, by falling weight of the question's words in its
    heading; none with all rows.

    At most three of the rows whose number or date fulfils one of the question's first two
    comparisons (in columns of text only if the question names them), of equal weight columns of
    dates first; and at most two of the rows where the cell of a column that the question names is
    blank or missing, if the question has "not", else where it is filled, if these are at most half.
    """
    compared, filled = [], []
    size = match.view.size
    # "Which have no license" asks for blanks; "which have a note" for the few notes in a column of
    # blanks.
    kind, thing = (
        ("blank", "nothing") if "not" in match.question.triggers else ("filled", "something")
    )
    # The order of columns and of comparisons stays where weights are equal.
    for column in sorted(
        match.view.columns,
        key=lambda column: -match.header_weight(match.header_masks[column.number]),
    ):
        mask, only = match.header_masks[column.number], frozenset((column.number,))
        weight = match.header_weight(mask)
        # Figures in texts are compared only where the question names the column.
        if column.kind != "text" or mask:
            for comparison in match.question.comparisons[:2]:
                met = (fulfils(value.moment, value.number, comparison) for value in column.values)
                rows = tuple(row for row, fits in enumerate(met) if fits)
                if 0 < len(rows) < size:
                    text = f"rows where {column.header} is {comparison.text}"
                    item = Filter("compared", rows, text, mask, only, weight)
                    compared.append((-weight, column.kind != "date", item))
        empty = [value.kind in ("blank", "missing") for value in column.values]
        rows = tuple(row for row, blank in enumerate(empty) if blank == (kind == "blank"))
        if mask and (0 < len(rows) < size if kind == "blank" else 0 < 2 * len(rows) <= size):
            filled.append(Filter(kind, rows, f"rows with {thing} in {column.label}", mask, only))
    compared.sort(key=lambda entry: entry[:2])
    return [*(item for _, _, item in compared[:3]), *filled[:2]]


class Region(NamedTuple):
    """A row or column of statistics that a question may mean.

    `number` is that of the row or column, `mask` has the question's words in its labels or
    headings, `text` is its label or heading for a trace. The best are chosen by a `score` that is
    set by hand; `last` and `path` say how precisely the question names its last label (or heading)
    and all of them, 0 to 1, `flags` name properties that hold. `block` are the features of one that
    is chosen.
    """

    score: float
    number: int
    mask: int
    last: float
    path: float
    flags: Sequence[str]
    text: str
    block: FeatureBlock = ()


def row_regions(match: Match) -> list[Region]:
    """The rows whose labels match the question best, at most 8, by falling score, ties in the
    table's order. Of rows without a match only the first three and totals are considered."""
    view, labels = match.view, match.view.columns[: match.view.table.labels]
    whole_labels = 0  # the words of plain rows of which a label is in the question as a whole
    for row, column in match.whole:
        if row not in view.totals and column < len(labels):
            whole_labels |= match.cell_masks[row, column]
    scored = []
    for row in range(view.size):
        mask = match.row_masks.get(row, 0)
        # Questions that name no row mean the first ones or the total.
        if not mask and row > 2 and row not in view.totals:
            continue
        path = [column.cells[row] for column in labels if column.cells[row]]
        last, precision = (_path_precision(match, part, view.row_idf) for part in (path[-1:], path))
        flags = ["whole"] if any((row, column.number) in match.whole for column in labels) else []
        if row in view.totals:
            flags += ["total", "total beside named"] if whole_labels & ~mask else ["total"]
        score = (
            match.row_weight(mask) * (0.6 + 0.4 * last) + 0.5 * ("whole" in flags) + 0.1 * precision
        )
        scored.append(Region(score, row, mask, last, precision, flags, " > ".join(path)))
    return _best_regions(match, "row", scored, match.row_weight, match.row_weight(match.matched))


def column_regions(match: Match) -> list[Region]:
    """The columns, label columns aside, whose headings match the question best, at most 8, by
    falling score, ties from left to right; columns without a match follow with scores of 0 or
    less."""
    data = [column for column in match.view.columns if not column.is_label]
    masks, triggers, scored = match.header_masks, match.question.triggers, []
    for column in data:
        mask = masks[column.number]
        last, path = (
            _path_precision(match, part, match.view.header_idf)
            for part in (column.spelt_path[-1:], column.spelt_path)
        )
        is_total = column.number in match.view.total_columns
        beside = [other for other in data if other.path[:-1] == column.path[:-1]]
        properties = {
            "of text": column.kind == "text",
            "unnamed": not mask,
            "focus": bool(column.words.intersection(match.question.focus[:1])),
            "percent" if "percent" in triggers else "percent unasked": column.has_percent,
            "change" if "difference" in triggers else "change unasked": column.is_change,
            "total": is_total,
            # Who names none of the parts asks for the whole.
            "total by default": is_total
            and not any(masks[other.number] & ~mask for other in beside),
        }
        flags = [name for name, holds in properties.items() if holds]
        score = match.header_weight(mask) * (0.6 + 0.4 * path) - 0.2 * ("of text" in flags)
        scored.append(Region(score, column.number, mask, last, path, flags, column.label))
    total = match.header_weight(
        match.matched & (union(region.mask for region in scored) | ~match.corner)
    )
    return _best_regions(match, "column", scored, match.header_weight, total)


def _path_precision(match: Match, path: Sequence[str], weigh: Callable[[str], float]) -> float:
    """The fraction, 0 to 1, of the words in a path of labels or headings that the question has,
    weighted by `weigh` (word → idf; 1 where that is 0).

    Function words do not count, unless alone; a word counts as well if the question has an acronym
    of it. 0 for a path without words.
    """
    words = dict.fromkeys(path_words(path))
    content = [word for word in words if not is_stop(word)] or list(words)
    # A question with GDP speaks of gross domestic product.
    spelt_out = {
        word
        for short, run in acronyms(content).items()
        if short in match.meant
        for word in run | {short}
    }
    weights = {word: weigh(word) or 1.0 for word in content}
    total = sum(weights.values())
    met = sum(
        weight for word, weight in weights.items() if word in match.meant or word in spelt_out
    )
    return met / total if total else 0.0


def _best_regions(
    match: Match, kind: str, scored: Iterable[Region], weigh: Callable[[int], float], total: float
) -> list[Region]:
    """The regions with the highest scores, at most 8, ties by number, with their features:
    strength, label and path precision (also whether 1), first place, and each flag (also "best": no
    lower score than the first), alone, with some triggers and with the question word.

    `kind` ("row" or "column") is the prefix of their names; strength is the weight of a region's
    words, by `weigh`, as a fraction of `total`.
    """
    question, regions = match.question, []
    ranked = sorted(scored, key=lambda region: (-region.score, region.number))[:REGIONS]
    for rank, region in enumerate(ranked):
        features: Features = [
            (f"{kind} strength", weigh(region.mask) / (total or 1.0)),
            (f"{kind} label precision", region.last),
            (f"{kind} path precision", region.path),
            (f"{kind} label whole", float(region.last > 0.999)),
            (f"{kind} path whole", float(region.path > 0.999)),
            (f"{kind} place 0", float(rank == 0)),
        ]
        for flag in (*region.flags, *(["best"] if region.score >= ranked[0].score - 1e-9 else [])):
            crossed = [
                *(trigger for trigger in question.triggers if trigger in _CROSSED_TRIGGERS),
                question.asked_by,
            ]
            features += [
                (f"{kind} {flag}", 1.0),
                *((f"{kind} {flag} & {trigger}", 1.0) for trigger in crossed),
            ]
        if "percent" in question.triggers and "percent" not in region.flags:
            features.append((f"{kind} not percent & percent", 1.0))
        regions.append(region._replace(block=tuple(features)))
    return regions
