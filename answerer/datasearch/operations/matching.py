"""Lexical matches of a question in a table, as bit masks over the question's content words."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property, partial
from math import log

from answerer.datasearch.question.analysis import AnalysedQuestion, spoken_orders
from answerer.datasearch.question.words import CountryName, alike, countries, words
from answerer.datasearch.tables.view import Series, TableColumn, View

# Features that belong together: name and value. Blocks are shared by derivations and scored once.
FeatureBlock = tuple[tuple[str, float], ...]

Features = list[tuple[str, float]]

SERIES_LIMIT = 8  # orders of rows that are tried at most; limits time
SHORT_NUMBER = 0.6  # factor on the weight of a number of one or two digits, which is in a cell by chance more often
_SHORT_CODE = 2  # letters of a code that may be a word as well (IT, AT, NO)


class Match:
    """Matches of the question's words in the rows, cells and headings of one table.

    A mask is an int with bit i set for the word `question.content[i]`. `row_masks` (row → mask) and `cell_masks` ((row,
    column) → mask) hold only what matches; `header_masks` has a mask for each column. `row_weights` and
    `header_weights` are the words' idf over rows and over headings, `weights` the larger of the two; `row_weight`,
    `header_weight` and `weight` sum them over a mask. `meant` are the question's words and their substitutes in this
    table: a word that the table lacks is looked for under its synonyms. `whole` are the (row, column) of the cells that
    the question contains verbatim.
    """

    def __init__(self, question: AnalysedQuestion, view: View) -> None:
        self.question = question
        self.view = view
        # Masks are whole numbers: their unions and intersections are the innermost steps of all that follows.
        self.row_masks: defaultdict[int, int] = defaultdict(int)
        self.cell_masks: defaultdict[tuple[int, int], int] = defaultdict(int)
        self.header_masks = [0] * len(view.columns)
        self.meant = set(question.words)
        self.row_weights: list[float] = []
        self.header_weights: list[float] = []
        for place, word in enumerate(question.content):
            self._place(word, 1 << place)
        for called in countries(question.words):
            self._place_country(called)
        # One character is in a question by chance: it counts in small tables alone.
        self.whole = {
            place
            for place in self.cell_masks
            if f" {view.joined[place]} " in question.joined and (len(view.joined[place]) > 1 or view.size < 60)
        }
        self._leave_to_headings()
        self.weights = [max(pair) for pair in zip(self.row_weights, self.header_weights, strict=True)]
        self.found = sum(1 << place for place, weight in enumerate(self.weights) if weight > 0)
        self.row_weight = cache(partial(_weight, self.row_weights))
        self.header_weight = cache(partial(_weight, self.header_weights))
        self.weight = cache(partial(_weight, self.weights))

    def _place(self, word: str, bit: int) -> None:
        """Adds one content word, with its `bit`, to weights and masks; a word that the table lacks by its synonym or
        correction."""
        view = self.view
        if word not in view.postings and word not in view.header_counts:
            # Sorted, for a set has another order in every process.
            word = next((other for other in sorted(alike(word)) if view.knows(other)), None) or view.correct(word)
        self.meant.add(word)
        self.row_weights.append(view.row_idf(word) * (SHORT_NUMBER if word[0].isdigit() and len(word) < 3 else 1.0))
        self.header_weights.append(view.header_idf(word))
        for row, column in view.postings.get(word, ()):
            self.row_masks[row] |= bit
            self.cell_masks[row, column] |= bit
        if view.header_counts.get(word):
            for column_view in view.columns:
                if word in column_view.words:
                    self.header_masks[column_view.number] |= bit

    def _place_country(self, called: CountryName) -> None:
        """Adds the words of a country's name in the question (`called.name`) to the masks of cells and headings that
        have the country's other names, if no cell and no heading has that name."""
        view, content = self.view, self.question.content
        said = called.name.split()
        places = [content.index(word) for word in said if word in content]
        # The table's own spelling wins: US beside American would be two countries to it.
        if not places or self._cells_with(called.name) or any(set(said) <= column.words for column in view.columns):
            return
        cells = sorted({cell for name in called.others for cell in self._cells_with(name)})
        bits = sum(1 << place for place in places)
        for cell in cells:
            self.row_masks[cell[0]] |= bits
            self.cell_masks[cell] |= bits
        heads = [column for column in view.columns if any(_heads(name, column) for name in called.others)]
        for head in heads:
            self.header_masks[head.number] |= bits
        for place in places:
            if cells:
                # The words of a name share the weight of one: United States is not better evidence than France.
                weight = log((view.size + 1) / len({row for row, _ in cells})) / len(places)
                self.row_weights[place] = max(self.row_weights[place], weight)
            if heads:
                weight = log((len(view.columns) + 1) / len(heads)) / len(places)
                self.header_weights[place] = max(self.header_weights[place], weight)

    def _cells_with(self, name: str) -> list[tuple[int, int]]:
        """The (row, column) of each cell that contains the words of `name` in sequence; a two-letter code must be the
        whole cell."""
        places, joined = self.view.postings.get(name.split()[0], ()), self.view.joined
        if len(name) == _SHORT_CODE:
            return [place for place in places if joined[place] == name]
        return [place for place in places if f" {name} " in f" {joined[place]} "]

    def _leave_to_headings(self) -> None:
        """Removes from the masks of a column's cells the words of its heading, except in cells that the question
        contains verbatim.

        Under the heading Dam, "dam" does not distinguish Aldon Dam from Cole Weir. Words left in no row get row weight
        0.
        """
        if not any(self.header_masks):
            return
        kept = 0
        # Rebuilt from the cells: another cell of the row may hold the same word.
        self.row_masks.clear()
        for place, mask in self.cell_masks.items():
            if place not in self.whole:
                mask &= ~self.header_masks[place[1]]
                self.cell_masks[place] = mask
            kept |= mask
            self.row_masks[place[0]] |= mask
        for number in range(len(self.row_weights)):
            if ~kept & 1 << number:
                self.row_weights[number] = 0.0

    @cached_property
    def series(self) -> list[Series]:
        """The series by which rows can be ordered, at most `SERIES_LIMIT`, by falling weight of the question's words in
        the column's heading, ties from right to left. In a list of statistics only columns of figures have one."""
        found = [
            (self.header_weight(self.header_masks[column.number]), column.number, column.series)
            for column in self.view.columns
            if column.series and (column.has_figures or not self.view.keys)
        ]
        # Figures that sum up a list are on its right.
        found.sort(key=lambda entry: (-entry[0], -entry[1]))
        return [series for _, _, series in found[:SERIES_LIMIT]]

    @cached_property
    def asks_for_order(self) -> bool:
        """True if a phrase of the question that asks for an order contains a word that the table lacks.

        A table with the heading Highest grade has both words of that phrase: there it does not ask for an order.
        """
        return any(not all(map(self.view.knows, words(text))) for _, text in spoken_orders(self.question))

    @cached_property
    def corner(self) -> int:
        """The mask of the question's words in the headings of label columns, which describe all rows or the whole
        table."""
        mask = 0
        for column in self.view.columns[: self.view.table.labels]:
            mask |= self.header_masks[column.number]
        return mask


def _weight(weights: Sequence[float], mask: int) -> float:
    return sum(weight for place, weight in enumerate(weights) if mask >> place & 1)


def _heads(name: str, column: TableColumn) -> bool:
    found = frozenset(name.split())
    return found == column.words if len(name) == _SHORT_CODE else found <= column.words


_ENDINGS = {
    "都道府県": re.compile(r"(?:北海道|東京都|京都府|大阪府|[^\s\d]{2,3}県)"),
    "県": re.compile(r"[^\s\d]{2,3}県"),
    "市区町村": re.compile(r"\S+[市区町村]"),
    "市町村": re.compile(r"\S+[市町村]"),
    "市": re.compile(r"\S+市"),
    "区": re.compile(r"\S+区"),
    "町": re.compile(r"\S+町"),
    "村": re.compile(r"\S+村"),
}
# Longest first: 市 would match the beginning of 市区町村.
_KIND = "|".join(sorted(_ENDINGS, key=len, reverse=True))
_ASKED = re.compile(
    rf"(?:どの|どこの)(?P<which>{_KIND})(?=[はがでのに])"
    rf"|(?<![\u3400-\u9fff])(?P<named>{_KIND})(?=は、?(?:どこ|どれ|何|[？?。]?$)|の(?:うち|中|なか)|で(?:最|一番)|を(?:教え|答え))"
)


def rows_of_kind(match: Match) -> tuple[int, ...]:
    """The numbers, ascending, of the rows labelled with a place of the kind that a question like どの市が最も… compares
    (市: labels that end in 市).

    () if the question does not ask for such a kind, and unless at least two rows but not all are of that kind.
    """
    asked = _ASKED.search(match.question.text)
    if not asked:
        return ()
    ending = _ENDINGS[asked["which"] or asked["named"]]
    view = match.view
    for column in view.columns[: max(view.table.labels, view.first_text + 1)]:
        rows = tuple(row for row, cell in enumerate(column.cells) if ending.fullmatch(cell.strip()))
        if 1 < len(rows) < view.size:
            return rows
    return ()


_NEXT = 0.8  # factor on a word's weight for each word between it and the "or"
_LEAST = 0.3  # score that a side must exceed, in units of word weight


def both_sides(match: Match, masks: Mapping[int, int], weigh: Callable[[int], float]) -> tuple[float, int, int] | None:
    """The best match for each side of an "or" in the question, as (summed score, key for the left, key for the right).

    `masks` are the candidates: key (such as a row number) → mask of the question's words; `weigh` gives a mask's
    weight. The score of a key for a side is Σ weight × 0.8^d over that side's words in its mask, d words away from the
    "or"; ties go to the first key. None if the question has no "or", if no key scores above `_LEAST` for a side, or if
    one key is the best for both.
    """
    halves = match.question.halves
    if not halves:
        return None
    places = {word: place for place, word in enumerate(match.question.content)}
    picked: list[tuple[float, int]] = []
    # Halves come with the word next to the "or" first.
    for half in halves:
        nearness = {1 << places[word]: _NEXT**at for at, word in reversed(list(enumerate(half))) if word in places}
        scores = {
            key: sum(near * weigh(bit) for bit, near in nearness.items() if mask & bit) for key, mask in masks.items()
        }
        best = max(scores, key=lambda key: scores[key], default=None)
        if best is None or scores[best] <= _LEAST:
            return None
        picked.append((scores[best], best))
    (left_score, left), (right_score, right) = picked
    return (left_score + right_score, left, right) if left != right else None
