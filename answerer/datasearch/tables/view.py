"""A table made ready for questions: the words of cells and headings, numbers and dates of columns."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise
from math import prod
from typing import Literal

from answerer.datasearch.question.analysis import is_stop
from answerer.datasearch.question.words import acronym, acronyms, kinds_of, misspelt, path_words, shape, words
from indexer.analysis.years import spelt_across, spelt_out
from indexer.tables.table import Table
from indexer.tables.values import Value, column_values, parse_value

_LEAST_ROWS = 8
_MOST_COLUMNS = 10
_MOST_CROSSED = 6
_SPARSE = 2


def crossed(columns: Sequence[Sequence[str]]) -> tuple[int, ...]:
    """The places of the columns whose combinations the rows are: of each there is one row at most, and there are rows
    for half of them at least; of several such sets the smallest, then the first.

    `columns` are the cells of all columns that hold no figures. () where there is no such set, and where one of the
    columns is not written again and again: a date or a name tells the rows of other lists apart.
    """
    size = len(columns[0]) if columns else 0
    counts = [len(set(cells)) for cells in columns]
    if size < _LEAST_ROWS or any(count > size / 2 for count in counts):
        return ()
    for places in _sets([place for place, count in enumerate(counts) if count > 1][:_MOST_COLUMNS]):
        combined = prod(counts[place] for place in places)
        if size <= combined <= _SPARSE * size and _are_keys([columns[place] for place in places]):
            return places
    return ()


def _are_keys(columns: Sequence[Sequence[str]]) -> bool:
    return len(set(zip(*columns, strict=True))) == len(columns[0])


def _sets(places: Sequence[int]) -> Iterator[tuple[int, ...]]:
    for length in range(2, min(len(places), _MOST_CROSSED) + 1):
        yield from combinations(places, length)


ColumnKind = Literal["text", "number", "date", "mixed"]

_SPELT = 5_000
"""Words of labels and headings among which a misspelt one is looked for."""
TOTAL = re.compile(
    r"\b(?:grand |sub)?totals?\b|\ball\b|\bboth sexes\b|\boverall\b|\baverage\b|\bsum\b|合計|総数|総計"
    r"|(?<![会統設時家生推])計$|全国",
    re.IGNORECASE,
)
"""What calls a row, a cell or a column a total; 会計 and 設計 are none."""
_WHOLE = re.compile(r"(?:全国|全体|総数|総計|総額|総平均|平均|合計|計|全?世界|world)", re.IGNORECASE)
_IN_BRACKETS = re.compile(r"[（(][^（()）]*[)）]")
_PERCENT = re.compile(r"%|％|per ?cent|\brate\b|\bpct\b|割合|率", re.IGNORECASE)
_MONEY = re.compile(r"[$€£¥]|\bdollars?\b|\beuros?\b|円", re.IGNORECASE)
_CHANGE = re.compile(r"change|increase|decrease|growth|difference|増減|前年|変化", re.IGNORECASE)
_RANK = re.compile(
    r"^(?:#|no\.?|pos\.?|position|place|rank(?:ing)?|rk|seed|finish|順位)\W*$|rank|position|\bplace\b", re.IGNORECASE
)
_VALUE = re.compile(r"(?:(?:obs|observation|data)[_ ]?)?values?|数?値|実数", re.IGNORECASE)
_CODE = re.compile(r"[A-Za-z]{1,4}[-_/.]?\d+")
_COURSE = 3
_YEARS = "年"
_MEDALS = 3
_SPAN = re.compile(r"(?<!\d)(1[0-9]\d\d|20\d\d)\s*[–—-]\s*(1[0-9]\d\d|20\d\d|\d\d)(?!\d)")
_DIFFERENCE = re.compile(r"(-?\d+(?:\.\d+)?)\s*[–—−:-]\s*(-?\d+(?:\.\d+)?)")


@dataclass(frozen=True, slots=True)
class Series:
    """Numbers by which rows can be ordered: of a column as written, or made of it (`made` says how)."""

    column: int
    made: str
    numbers: tuple[float | None, ...]


class Column:
    """A column: its header path, words, and what its cells mean.

    `said` is the path and `read` are the cells with years of eras spelt out.
    """

    def __init__(
        self, number: int, path: tuple[str, ...], said: tuple[str, ...], cells: list[str], is_label: bool
    ) -> None:
        self.number = number
        self.path = path
        self.said = said
        self.header = " ".join(" ".join(path).split())
        found = frozenset(path_words(said))
        self.words = frozenset(word for word in found if not is_stop(word)) or found
        self.words |= {short for name in path if len(short := acronym(words(name))) > 2}
        self.is_change = bool(_CHANGE.search(self.header))
        self.has_money = bool(_MONEY.search(self.header))
        self.has_percent = bool(_PERCENT.search(self.header))
        self.cells = cells
        self.is_label = is_label
        self.read = list(map(spelt_out, cells)) if _YEARS in self.header else cells
        self.values = column_values(self.read)
        self.kind = self._kind()
        self.shape = shape(cells) if self.kind in ("text", "mixed") else str(self.kind)
        self.names_kinds = kinds_of(sorted(self.words))
        self.is_rank = bool(_RANK.search(self.header))
        if self.is_rank and self.kind == "number":
            self.values = _with_first_places(self.values)

    def _kind(self) -> ColumnKind:
        kinds = Counter(value.kind for value in self.values if value.kind not in ("blank", "missing"))
        total = sum(kinds.values())
        if not total:
            return "text"
        years = sum(value.year is not None and value.kind == "number" for value in self.values)
        if kinds["date"] + years >= 0.7 * total:
            return "date"
        if kinds["number"] + kinds["measure"] >= 0.7 * total:
            return "number"
        return "mixed" if kinds["text"] < 0.5 * total else "text"

    @cached_property
    def is_code(self) -> bool:
        """Whether the cells only number the rows: codes like C-003, no two alike, or 1, 2, 3 in order."""
        if len(self.cells) < 3 or self.distinct < len(self.cells):
            return False
        if self.kind == "number":
            return [value.number for value in self.values] == list(range(1, len(self.cells) + 1))
        return all(_CODE.fullmatch(cell) for cell in self.cells)

    @cached_property
    def course(self) -> str:
        """How figures or dates go down the column: rising, falling, level, up and down, or few where under three."""
        told = [value.moment if self.kind == "date" else value.number for value in self.values]
        known = [number for number in told if number is not None]
        if len(known) < _COURSE:
            return "few"
        steps = {(after > before) - (after < before) for before, after in pairwise(known)}
        return "up and down" if len(steps & {1, -1}) == 2 else {1: "rising", -1: "falling", 0: "level"}[sum(steps)]

    @property
    def called(self) -> str:
        """Its heading, else which column it is."""
        return self.header or f"column {self.number + 1}"

    @property
    def has_figures(self) -> bool:
        """Whether most cells are plain figures and no years, as those of a range of ages are not."""
        kinds = Counter("year" if value.year else value.kind for value in self.values)
        return self.kind == "number" and kinds["number"] > kinds.total() / 2

    @cached_property
    def distinct(self) -> int:
        return len(set(self.cells))

    @cached_property
    def series(self) -> tuple[Series, ...]:
        """The orders that this column gives: numbers, dates, differences of `a–b`, years that spans last."""
        found: list[Series] = []
        numbers = tuple(value.number for value in self.values)
        moments = tuple(value.moment for value in self.values)
        enough = max(2, len(self.values) // 3)
        if self.kind == "date" or sum(moment is not None for moment in moments) >= 2 * enough:
            found.append(Series(self.number, "date", moments))
        elif sum(number is not None for number in numbers) >= enough:
            found.append(Series(self.number, "", numbers))
        if not found or found[0].made == "":
            made = tuple(_difference(cell) for cell in self.cells)
            if sum(number is not None for number in made) >= enough:
                found.append(Series(self.number, "difference", made))
        spans = tuple(_span(cell) for cell in self.cells)
        if sum(number is not None for number in spans) >= enough:
            found.append(Series(self.number, "span", spans))
        return tuple(found)


def _with_first_places(values: list[Value]) -> list[Value]:
    """The places of a column with those of the first rows where they are blank, as where medals stood as pictures:
    up to three, and only where the next row counts on from them."""
    blank = next((row for row, value in enumerate(values) if value.kind != "blank"), len(values))
    if not 0 < blank <= min(_MEDALS, len(values) - 1) or values[blank].number != blank + 1:
        return values
    return [Value("number", float(place)) for place in range(1, blank + 1)] + values[blank:]


def _difference(cell: str) -> float | None:
    found = _DIFFERENCE.search(cell)
    difference = abs(float(found[1]) - float(found[2])) if found else math.inf
    return difference if math.isfinite(difference) else None


def _span(cell: str) -> float | None:
    """The years that spans like 1919–24, 1931–1937 last together; None without one."""
    total: float | None = None
    for found in _SPAN.finditer(cell):
        first, last = int(found[1]), int(found[2])
        last += first // 100 * 100 if last < 100 else 0
        if last >= first:
            total = (total or 0.0) + last - first
    return total


class View:
    """A table with the words of its rows and headers looked up by word.

    `title` is the dataset's, `file` what the table's file is called.
    """

    def __init__(self, table: Table, title: str = "", file: str = "") -> None:
        self.table = table
        self.file = file
        self.title_words = frozenset(words(f"{title} {table.title}"))
        self._around = self.title_words.union(*map(words, (*table.notes, file)))
        lasts = spelt_across([path[-1] if path else "" for path in table.columns])
        self.columns = [
            Column(
                number,
                path,
                (*path[:-1], lasts[number]) if path else (),
                [row[number] for row in table.rows],
                number < table.labels,
            )
            for number, path in enumerate(table.columns)
        ]
        self.size = len(table.rows)
        self.postings: dict[str, list[tuple[int, int]]] = {}
        self.joined: dict[tuple[int, int], str] = {}
        self._index_cells()
        self.header_counts = Counter(word for column in self.columns for word in column.words)
        texts = [column.number for column in self.columns if column.kind in ("text", "mixed")]
        texts = [number for number in texts if not self.columns[number].is_code] or texts
        self.first_text = texts[0] if texts else 0
        self.totals = self._named_totals() | self._summed_rows()

    def _index_cells(self) -> None:
        postings: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        skips_numbers = self.table.matrix
        for column in self.columns:
            for row, cell in enumerate(column.cells):
                if not cell or (skips_numbers and not column.is_label and column.values[row].kind == "number"):
                    continue
                found = words(column.read[row])
                self.joined[row, column.number] = " ".join(found)
                distinct = set(found)
                if column.is_label:
                    distinct.update(acronyms([word for word in found if not is_stop(word)]))
                    distinct.update({acronym(found)} - {""})
                for word in distinct:
                    postings[word].append((row, column.number))
        self.postings = dict(postings)

    @cached_property
    def measured(self) -> int | None:
        """The column of values of a list that says in its rows what is measured, some of it in several rows (country,
        indicator, year, value); None in other tables."""
        found = [one.number for one in self.columns if one.kind == "number" and _VALUE.fullmatch(one.header)]
        told = any(one.kind == "text" and 0 < one.distinct < self.size for one in self.columns)
        return found[0] if len(found) == 1 and told else None

    @cached_property
    def crossed(self) -> tuple[int, ...]:
        """The columns whose combinations the rows of a list of figures are (region, year, sex); () for other tables."""
        told = [column for column in self.columns if not column.has_figures]
        if self.table.matrix or len(told) == len(self.columns):
            return ()
        return tuple(told[place].number for place in crossed([column.cells for column in told]))

    @cached_property
    def abbreviated(self) -> frozenset[int]:
        """The columns of a list of statistics that say in fewer letters what another says: codes beside names."""
        told = [column for column in self.columns if self.crossed and not column.has_figures]
        letters = {column.number: sum(map(len, column.cells)) for column in told}
        longer = [(short, name) for short in letters for name in letters if letters[short] < letters[name]]
        return frozenset(
            short
            for short, name in longer
            if len(set(zip(self.columns[short].cells, self.columns[name].cells, strict=True)))
            == self.columns[short].distinct
            == self.columns[name].distinct
        )

    @cached_property
    def total_columns(self) -> frozenset[int]:
        """Columns of figures that are headed as totals, or are the sum of the others in most rows."""
        data = [column for column in self.columns if not column.is_label]
        named = {column.number for column in data if TOTAL.search(column.header)}
        if not 3 <= len(data) <= 60:
            return frozenset(named)
        sums = 0
        rows = 0
        first = data[0]
        for row in range(self.size):
            numbers = [column.values[row].number or 0.0 for column in data]
            if numbers[0] > 0:
                rows += 1
                sums += max(numbers[1:]) <= numbers[0] and 0.5 <= sum(numbers[1:]) / numbers[0] <= 1.02
        return frozenset(named | {first.number}) if rows and sums >= 0.7 * rows else frozenset(named)

    @cached_property
    def terms(self) -> tuple[Series, ...]:
        """How long it is from the dates of a column to those of the next (took office, left office); only of columns
        that date at least half of the rows, none backwards."""
        found = []
        for before, after in pairwise(self.columns):
            if before.kind != "date" or after.kind != "date":
                continue
            ends = [(a.moment, b.moment) for a, b in zip(before.values, after.values, strict=True)]
            made = tuple(None if a is None or b is None else b - a for a, b in ends)
            told = [number for number in made if number is not None]
            if len(told) >= max(2, self.size // 2) and min(told) >= 0 < max(told):
                found.append(Series(after.number, "span", made))
        return tuple(found)

    def _summed_rows(self) -> frozenset[int]:
        """The first or last row where it is the sum of the others in most columns of figures."""
        figures = [column for column in self.columns if column.kind == "number" and not column.is_label]
        if not 4 <= self.size <= 500 or not figures:
            return frozenset()
        found = []
        for row in (0, self.size - 1):
            sums = 0
            for column in figures:
                own = column.values[row].number or 0.0
                others = sum(value.number or 0.0 for value in column.values) - own
                sums += own > 0 and abs(others - own) <= 0.02 * own
            if sums >= max(1, 0.6 * len(figures)):
                found.append(row)
        return frozenset(found)

    def _named_totals(self) -> frozenset[int]:
        """The rows that are called totals; where most lie under a heading of that name, those that are themselves."""
        found = frozenset(row for row in range(self.size) if self._is_total(row))
        if self.table.labels < 2 or len(found) <= self.size / 2:
            return found
        last = self.columns[self.table.labels - 1].cells
        return frozenset(row for row in found if TOTAL.search(last[row]))

    def _is_total(self, row: int) -> bool:
        if _WHOLE.fullmatch("".join(self.columns[self.first_text].cells[row].split())):
            return True
        labels = self.columns[: max(1, self.table.labels)]
        return any(
            bool(TOTAL.search(column.cells[row])) and len(column.cells[row]) < 60 for column in labels[-1:] + labels[:1]
        )

    @cached_property
    def headings(self) -> frozenset[str]:
        """Every heading as its words, blanks between, what stands in brackets left out."""
        pieces = {_IN_BRACKETS.sub("", piece) for column in self.columns for piece in column.path}
        return frozenset(" ".join(words(piece)) for piece in pieces) - {""}

    @cached_property
    def shared_headings(self) -> frozenset[str]:
        """The headings but for years that stand under several others: units, the ends of intervals."""
        above: defaultdict[str, set[tuple[str, ...]]] = defaultdict(set)
        for column in self.columns:
            for level, heading in enumerate(column.path):
                above[heading].add(column.path[:level])
        several = (heading for heading, paths in above.items() if len(paths) > 1)
        return frozenset(heading for heading in several if parse_value(heading).year is None)

    @cached_property
    def has_signs(self) -> bool:
        """Whether its figures stand above and below zero, as changes and differences do."""
        numbers = [value.number for column in self.columns if not column.is_label for value in column.values]
        return any(number < 0 for number in numbers if number) and any(number > 0 for number in numbers if number)

    def speaks_of(self, word: str) -> bool:
        """Whether a word stands in the table or around it: in its title, its notes or its file's name."""
        return word in self._around or self.knows(word)

    def knows(self, word: str) -> bool:
        """Whether a word stands in a cell or heading."""
        return word in self.postings or word in self.header_counts

    def spelt(self, word: str) -> str:
        """The word of a label or heading that a word may be misspelt for; the word itself for none."""
        return misspelt(word, self._named) or word

    @cached_property
    def _named(self) -> frozenset[str]:
        """The words of labels and headings; none of a table with very many."""
        named = set(self.header_counts)
        named.update(
            word
            for word, places in self.postings.items()
            if any(column < max(1, self.table.labels) for _, column in places)
        )
        return frozenset(named) if len(named) <= _SPELT else frozenset()

    def row_idf(self, word: str) -> float:
        """How telling a word is among the rows: log((N + 1) / rows that hold it), 0 for an unknown word."""
        places = self.postings.get(word)
        return math.log((self.size + 1) / len({row for row, _ in places})) if places else 0.0

    def header_idf(self, word: str) -> float:
        """The same among the columns' headers."""
        count = self.header_counts.get(word, 0)
        return math.log((len(self.columns) + 1) / count) if count else 0.0
