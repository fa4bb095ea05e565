"""A table prepared for questions: the words of cells and headings, numbers and dates of columns."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from difflib import get_close_matches
from functools import cached_property
from itertools import combinations, pairwise
from math import prod
from typing import Literal, NamedTuple

from answerer.datasearch.question.analysis import is_stop
from answerer.datasearch.question.words import acronym, acronyms, kinds_of, path_words, shape, words
from indexer.analysis.years import spell_out_eras
from indexer.tables.table import Table
from indexer.tables.values import Value, parse_value

# Limits of a list of statistics, which `key_columns` recognises.
_LEAST_ROWS = 8  # in fewer rows the condition holds by chance
_MOST_COLUMNS = 10  # columns among which keys are looked for: bounds the number of combinations
_MOST_KEYS = 6  # key columns, likewise
_SPARSE = 2  # combinations for each row: half of them at least must have a row


def key_columns(columns: Sequence[Sequence[str]]) -> tuple[int, ...]:
    """The positions of the key columns (region, year, sex) of a list of statistics.

    Each combination of their values has at most one row, and at least half of the combinations have
    one; of several such sets the smallest is taken, then the first. Sets of 2 to 6 among the first
    10 columns with different cells are tried. `columns` are the cells of each column without
    figures. () without such a set, for fewer than 8 rows, and if some column has more different
    cells than half the rows: a date or a name identifies the rows of other lists.
    """
    size = len(columns[0]) if columns else 0
    counts = [len(set(cells)) for cells in columns]
    if size < _LEAST_ROWS or any(count > size / 2 for count in counts):
        return ()
    # A column of one text divides nothing.
    varied = [column for column, count in enumerate(counts) if count > 1][:_MOST_COLUMNS]
    for length in range(2, min(len(varied), _MOST_KEYS) + 1):
        for places in combinations(varied, length):
            combined = prod(counts[column] for column in places)
            rows = zip(*(columns[column] for column in places), strict=True)
            # Cheap test first: fewer combinations than rows cannot tell the rows apart.
            if size <= combined <= _SPARSE * size and len(set(rows)) == size:
                return places
    return ()


ColumnKind = Literal["text", "number", "date", "mixed"]

_SPELT = 5_000  # words of labels and headings among which a misspelt one is looked for
# letters of a word that may be misspelt: of shorter ones too many are like each other by chance
_SHORTEST = 5
_LIKE = 0.83  # difflib's ratio of two words of six letters with one other letter

# Words that mark a row, a cell or a column as a total; 会計 and 設計 do not.
TOTAL = re.compile(
    r"\b(?:grand |sub)?totals?\b|\ball\b|\bboth sexes\b|\boverall\b|\baverage\b|\bsum\b|合計|総数"
    r"|総計|(?<![会統設時家生推])計$|全国",
    re.IGNORECASE,
)
_WHOLE = re.compile(
    r"(?:全国|全体|総数|総計|総額|総平均|平均|合計|計|全?世界|world)", re.IGNORECASE
)
_PERCENT = re.compile(r"%|％|per ?cent|\brate\b|\bpct\b|割合|率", re.IGNORECASE)
_CHANGE = re.compile(r"change|increase|decrease|growth|difference|増減|前年|変化", re.IGNORECASE)
_RANK = re.compile(
    r"^(?:#|no\.?|pos\.?|position|place|rank(?:ing)?|rk|seed|finish|順位)\W*$|rank|position"
    r"|\bplace\b",
    re.IGNORECASE,
)
_VALUE = re.compile(r"(?:(?:obs|observation|data)[_ ]?)?values?|数?値|実数", re.IGNORECASE)
_COURSE = 3  # figures that a column needs to have a direction
_MOST = 0.7  # the share of cells that decides a column's kind
_MEDALS = 3  # first ranks that may be blank: gold, silver, bronze


class Series(NamedTuple):
    """The numbers of a column by which rows can be ordered; `kind` is "date" for dates, else ""."""

    column: int
    kind: str
    numbers: tuple[float | None, ...]


class TableColumn:
    """A column of a table: its header path, the words of its heading, and what its cells mean.

    `spelt_path` is the path with years of eras spelt out. `words` are the content words of the
    heading (all, if it has no other) and acronyms of it, `values` the meanings of the cells in
    order, blank first ranks filled in, `kind` that of 70 % of the filled cells (date, number), text
    for half of them, else mixed; `shape` is the form of most cells, `names_kinds` the kinds of
    thing that the heading names.
    """

    def __init__(
        self,
        number: int,
        path: tuple[str, ...],
        spelt_path: tuple[str, ...],
        cells: list[str],
        is_label: bool,
    ) -> None:
        self.number = number
        self.path = path
        self.spelt_path = spelt_path
        self.header = " ".join(" ".join(path).split())
        header_words = frozenset(path_words(spelt_path))
        # A heading of function words alone ("To") keeps them.
        self.words = frozenset(word for word in header_words if not is_stop(word)) or header_words
        self.words |= {short for name in path if len(short := acronym(words(name))) > 2}
        self.is_change = bool(_CHANGE.search(self.header))
        self.has_percent = bool(_PERCENT.search(self.header))
        self.cells = cells
        self.is_label = is_label
        self.values = list(map(parse_value, cells))
        self.kind: ColumnKind = "text"
        kinds = Counter(
            value.kind for value in self.values if value.kind not in ("blank", "missing")
        )
        # Whole numbers that may be years: a column of nothing else is one of dates.
        years = sum(value.year is not None and value.kind == "number" for value in self.values)
        if kinds["text"] < 0.5 * kinds.total():
            figures, most = kinds["number"] + kinds["measure"], _MOST * kinds.total()
            if kinds["date"] + years >= most:
                self.kind = "date"
            elif figures >= most:
                self.kind = "number"
            else:
                self.kind = "mixed"
        self.shape = shape(cells) if self.kind in ("text", "mixed") else str(self.kind)
        self.names_kinds = kinds_of(sorted(self.words))
        self.is_rank = bool(_RANK.search(self.header))
        if self.is_rank and self.kind == "number":
            # Ranks of the first rows are blank where medals are pictures: up to three, where the
            # next rank follows.
            blank = next(
                (row for row, value in enumerate(self.values) if value.kind != "blank"),
                len(self.values),
            )
            if (
                0 < blank <= min(_MEDALS, len(self.values) - 1)
                and self.values[blank].number == blank + 1
            ):
                self.values[:blank] = [Value("number", float(rank)) for rank in range(1, blank + 1)]

    @cached_property
    def course(self) -> str:
        """The direction of figures or dates down the column: rising (never falling), falling (never
        rising), level (all equal), up and down, or few (fewer than 3)."""
        figures = [value.moment if self.kind == "date" else value.number for value in self.values]
        numbers = [number for number in figures if number is not None]
        if len(numbers) < _COURSE:
            return "few"
        steps = {(after > before) - (after < before) for before, after in pairwise(numbers)}
        return (
            "up and down"
            if len(steps & {1, -1}) == 2
            else {1: "rising", -1: "falling", 0: "level"}[sum(steps)]
        )

    @property
    def label(self) -> str:
        """The heading, else `column N`, counted from 1."""
        return self.header or f"column {self.number + 1}"

    @property
    def has_figures(self) -> bool:
        """True for a column of numbers where more than half of all cells, blank ones too, are plain
        figures, not years and not ranges of ages."""
        kinds = Counter("year" if value.year else value.kind for value in self.values)
        return self.kind == "number" and kinds["number"] > kinds.total() / 2

    @cached_property
    def _usual(self) -> str:
        """The first cell that has a value; "" without any."""
        return next(
            (
                cell
                for cell, value in zip(self.cells, self.values, strict=True)
                if value.kind not in ("blank", "missing")
            ),
            "",
        )

    def like(self, row: int) -> str:
        """The cell by whose kind the answer of a row is judged: its own, or the column's first with
        a value where its own is a mark of a missing one. The mark is the right answer then."""
        return self._usual if self.values[row].kind == "missing" else self.cells[row]

    @cached_property
    def distinct(self) -> int:
        """The number of different cells."""
        return len(set(self.cells))

    @cached_property
    def series(self) -> Series | None:
        """The dates of this column, else its numbers, as a series to order rows by: the dates of a
        column of dates, or if two thirds of the cells (at least four) have one; else the numbers,
        if a third (at least two) have one; else None."""
        numbers = tuple(value.number for value in self.values)
        moments = tuple(value.moment for value in self.values)
        # A third: lists have gaps, and texts with a number here and there give no order.
        enough = max(2, len(self.values) // 3)
        if self.kind == "date" or len(moments) - moments.count(None) >= 2 * enough:
            return Series(self.number, "date", moments)
        return (
            Series(self.number, "", numbers)
            if len(numbers) - numbers.count(None) >= enough
            else None
        )


class View:
    """A table with an inverted index of the words of its cells and headings.

    `title` is the dataset's title, `file` the name of the table's file. `size` is the number of
    rows, `postings` maps a word to the (row, column) of its cells, or an acronym to those of
    labels, `joined` a cell to its words joined by blanks (both without blank cells and without the
    figures of statistics), `header_counts` a word to the number of headings with it; `first_text`
    is the number of the first column of text, 0 without one; `totals` are the numbers of rows of
    totals.
    """

    def __init__(self, table: Table, title: str = "", file: str = "") -> None:
        self.table = table
        self.file = file
        self.title_words = frozenset(words(f"{title} {table.title}"))
        self._around = self.title_words.union(*map(words, (*table.notes, file)))
        lasts = spell_out_eras([path[-1] if path else "" for path in table.columns])
        self.columns: list[TableColumn] = []
        for number, path in enumerate(table.columns):
            heading = (*path[:-1], lasts[number]) if path else ()
            cells = [row[number] for row in table.rows]
            self.columns.append(TableColumn(number, path, heading, cells, number < table.labels))
        self.size = len(table.rows)
        self.postings: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        self.joined: dict[tuple[int, int], str] = {}
        for column in self.columns:
            for row, cell in enumerate(column.cells):
                # Figures of a matrix are found by labels and headings; as words they would match by
                # chance.
                if not cell or (
                    table.matrix and not column.is_label and column.values[row].kind == "number"
                ):
                    continue
                cell_words = words(cell)
                self.joined[row, column.number] = " ".join(cell_words)
                distinct = set(cell_words)
                if column.is_label:
                    distinct.update(acronyms([word for word in cell_words if not is_stop(word)]))
                    distinct.update({acronym(cell_words)} - {""})
                for word in distinct:
                    self.postings[word].append((row, column.number))
        self.header_counts = Counter(word for column in self.columns for word in column.words)
        self.first_text = next(
            (column.number for column in self.columns if column.kind in ("text", "mixed")), 0
        )

    @cached_property
    def value_column(self) -> int | None:
        """The number of the column of values in a list whose rows say what is measured (country,
        indicator, year, value); None if there is not exactly one such heading, or no column of text
        repeats its cells."""
        numbers = [
            column.number
            for column in self.columns
            if column.kind == "number" and _VALUE.fullmatch(column.header)
        ]
        repeats = any(
            column.kind == "text" and 0 < column.distinct < self.size for column in self.columns
        )
        return numbers[0] if len(numbers) == 1 and repeats else None

    @cached_property
    def keys(self) -> tuple[int, ...]:
        """The numbers of the key columns of a list of statistics (region, year, sex); () for other
        tables, one with row labels or without columns of figures among them."""
        columns = [column for column in self.columns if not column.has_figures]
        if self.table.matrix or len(columns) == len(self.columns):
            return ()
        return tuple(
            columns[position].number
            for position in key_columns([column.cells for column in columns])
        )

    @cached_property
    def total_columns(self) -> frozenset[int]:
        """The numbers of the columns headed as totals, and, of 3 to 60 columns beside the labels,
        of the first if its figure is about the sum (50 to 102 %) of the others in at least 70 % of
        the rows where it is above 0."""
        data = [column for column in self.columns if not column.is_label]
        totals = {column.number for column in data if TOTAL.search(column.header)}
        # Of two columns either is as large as the other's sum; beyond 60 they are a series.
        if 3 <= len(data) <= 60:
            rows = [
                [column.values[row].number or 0.0 for column in data] for row in range(self.size)
            ]
            filled = [(first, parts) for first, *parts in rows if first > 0]
            # Half of the parts may be missing, and rounded parts exceed their sum a little.
            sums = sum(
                max(parts) <= first and 0.5 <= sum(parts) / first <= 1.02 for first, parts in filled
            )
            totals.update(
                column.number for column in data[:1] if filled and sums >= 0.7 * len(filled)
            )
        return frozenset(totals)

    @cached_property
    def totals(self) -> frozenset[int]:
        """The numbers of the rows labelled as totals, by the first column, the last label or the
        first text, shorter than 60 characters; of several labels, if these are more than half of
        the rows, only those whose last label says so."""
        if not self.columns:
            return frozenset()
        first, last = self.columns[0].cells, self.columns[max(1, self.table.labels) - 1].cells
        bare = ("".join(text.split()) for text in self.columns[self.first_text].cells)
        totals = {row for row, text in enumerate(bare) if _WHOLE.fullmatch(text)}
        for cells in (first, last):
            totals.update(
                row for row, text in enumerate(cells) if TOTAL.search(text) and len(text) < 60
            )
        # All industries as a heading over most rows makes none of them a total.
        too_many = self.table.labels > 1 and len(totals) > self.size / 2
        return frozenset(row for row in totals if not too_many or TOTAL.search(last[row]))

    def speaks_of(self, word: str) -> bool:
        """True for a word of the title, a note or the file's name, or one that the table
        `knows`."""
        return word in self._around or self.knows(word)

    def knows(self, word: str) -> bool:
        """True for a word of a cell (the figures of statistics aside) or heading, or an acronym of
        a label."""
        return word in self.postings or word in self.header_counts

    def correct(self, word: str) -> str:
        """The word of a label or heading, most like it (difflib's ratio of 0.83 or more), with its
        first letter and at most one letter longer or shorter, of which `word` may be a misspelling;
        else `word` itself, as for words of fewer than five letters or with others than a to z, and
        in tables of more than 5,000 words."""
        if len(word) < _SHORTEST or not (word.isascii() and word.isalpha()):
            return word
        near = [
            name for name in self._names if name[0] == word[0] and abs(len(name) - len(word)) < 2
        ]
        return next(iter(get_close_matches(word, near, 1, _LIKE)), word)

    @cached_property
    def _names(self) -> list[str]:
        """The words of labels (without any, of the first column) and headings, sorted; none if they
        are more than 5,000."""
        labels = max(1, self.table.labels)
        in_labels = (
            word
            for word, places in self.postings.items()
            if any(column < labels for _, column in places)
        )
        names = {*self.header_counts, *in_labels}
        return sorted(names) if len(names) <= _SPELT else []

    def row_idf(self, word: str) -> float:
        """The idf of a word over the rows: log((N + 1) / rows that hold it), 0 for an unknown
        word."""
        places = self.postings.get(word)
        return math.log((self.size + 1) / len({row for row, _ in places})) if places else 0.0

    def header_idf(self, word: str) -> float:
        """The idf of a word over the headings: log((columns + 1) / headings that have it), 0 for an
        unknown word."""
        count = self.header_counts.get(word, 0)
        return math.log((len(self.columns) + 1) / count) if count else 0.0
