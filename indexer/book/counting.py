"""Counting passages: what their notes tell of names and terms as numbers, never the text."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np
from scipy.sparse import csc_array, csr_array

from indexer.book.doc_id_runs import Run, add, joined
from indexer.book.notes import NameNote, PassageNotes
from indexer.files.arrays import Int32Array
from indexer.names import Kind

KEY_LIMIT = 120  # characters; longer terms and names are none


class Counted(NamedTuple):
    """What was counted of passages, in the order of their doc_ids: a whole book's, or one piece's of it.

    `names` and `terms` are sorted. `mentions` are the columns of the names sentence after sentence, `in_sentence` how
    many each has; `at_terms` has a row a sentence, 1 where it holds a term. `sure` says of each name how often it is
    one for sure, `cues` how often which kind was suggested. `dates` has a row a date: its sentence, first and last
    year. `paragraphs` are lengths in sentences, `titles` runs of equal ones with their lengths in paragraphs; `size`
    counts terms with repeats. `first` and `last` are the doc_ids of the first passages of its first and last block.
    """

    names: list[str]
    mentions: Int32Array
    in_sentence: Int32Array
    sure: Int32Array
    cues: Mapping[tuple[str, Kind], int]
    terms: list[str]
    at_terms: csc_array
    dates: Int32Array
    paragraphs: list[int]
    titles: list[tuple[str, int]]
    size: int
    doc_ids: list[Run]
    first: str
    last: str


_TOO_LONG = -1


class _Numbers(dict[str, int]):
    """Numbers given to strings in the order of their first coming; strings that are too long have none."""

    def __missing__(self, key: str) -> int:
        if len(key) > KEY_LIMIT:
            return _TOO_LONG
        self[key] = len(self)
        return self[key]


class _Block:
    """The passages that came together, as numbers: of names and terms sentence after sentence, and how many each."""

    def __init__(self, doc_id: str) -> None:
        self.doc_id = doc_id
        self.names, self.names_in_sentence = array("i"), array("i")
        self.terms, self.terms_in_sentence = array("i"), array("i")
        self.paragraphs: list[int] = []
        self.titles: list[str] = []
        self.dates = array("i")  # sentence, first and last year, one after the other
        self.doc_ids: list[Run] = []


class NameCounter:
    """Takes the notes of a book's passages in any blocks, each in order; holds numbers, never the text."""

    def __init__(self) -> None:
        self._blocks: list[_Block] = []
        self._names = _Numbers()
        self._terms = _Numbers()
        self._sure: Counter[int] = Counter()
        self._cues: Counter[tuple[str, Kind]] = Counter()
        self._size = 0

    def see(self, passages: Sequence[PassageNotes]) -> None:
        """Count passages that follow each other; those without sentences are none."""
        passages = [passage for passage in passages if passage.sentences]
        if not passages:
            return
        block = _Block(passages[0].doc_id)
        for passage in passages:
            block.paragraphs.append(len(passage.sentences))
            block.titles.append(passage.title)
            add(block.doc_ids, passage.doc_id)
            for sentence in passage.sentences:
                self._count_names(block, sentence.names)
                self._count_terms(block, sentence.terms)
        self._blocks.append(block)

    def _count_names(self, block: _Block, notes: Sequence[NameNote]) -> None:
        before = len(block.names)
        for key, sure, cue, span in notes:
            number = self._names[key]
            if number == _TOO_LONG:
                continue
            block.names.append(number)
            if sure:
                self._sure[number] += 1
            if cue:
                self._cues[key, cue] += 1
            if span:
                block.dates.extend((len(block.names_in_sentence), *span))
        block.names_in_sentence.append(len(block.names) - before)

    def _count_terms(self, block: _Block, terms: Sequence[str]) -> None:
        numbers = set(map(self._terms.__getitem__, terms))
        numbers.discard(_TOO_LONG)
        block.terms.extend(numbers)
        block.terms_in_sentence.append(len(numbers))
        self._size += len(terms)

    def counted(self) -> Counted:
        """All that was counted; to be asked for once, for what is held is handed over."""
        blocks = sorted(self._blocks, key=lambda block: block.doc_id)
        terms, places = _in_order(self._terms)
        held = _drained([block.terms for block in blocks])
        np.take(places, held, out=held)
        at_terms = incidence(held, _drained([block.terms_in_sentence for block in blocks]), len(terms))
        names, places = _in_order(self._names)
        mentions = _drained([block.names for block in blocks])
        np.take(places, mentions, out=mentions)
        dates = _dates(blocks)
        return Counted(
            names,
            mentions,
            _drained([block.names_in_sentence for block in blocks]),
            np.array([self._sure[self._names[name]] for name in names], np.int32),
            self._cues,
            terms,
            at_terms,
            dates,
            [length for block in blocks for length in block.paragraphs],
            _runs(title for block in blocks for title in block.titles),
            self._size,
            joined(block.doc_ids for block in blocks),
            blocks[0].doc_id if blocks else "",
            blocks[-1].doc_id if blocks else "",
        )


def count_notes(batches: Iterable[Sequence[PassageNotes]]) -> Counted:
    """What batches of notes tell."""
    counter = NameCounter()
    for notes in batches:
        counter.see(notes)
    return counter.counted()


def _in_order(numbers: Mapping[str, int]) -> tuple[list[str], Int32Array]:
    """The strings sorted, and for each number the place of its string among them."""
    strings = sorted(numbers)
    places = np.empty(len(strings), np.int32)
    places[[numbers[string] for string in strings]] = np.arange(len(strings), dtype=np.int32)
    return strings, places


def _drained(arrays: Sequence[array[int]]) -> Int32Array:
    """Arrays end to end; each is emptied, for together they are large."""
    found = np.empty(sum(map(len, arrays)), np.int32)
    end = 0
    for each in arrays:
        start, end = end, end + len(each)
        found[start:end] = each
        del each[:]
    return found


def _dates(blocks: Sequence[_Block]) -> Int32Array:
    """A row a date of all blocks: its sentence by the number in the book, its first and last year."""
    sizes = [len(block.names_in_sentence) for block in blocks]
    before = np.cumsum([0, *sizes])[:-1]
    in_block = [len(block.dates) // 3 for block in blocks]
    found = _drained([block.dates for block in blocks]).reshape(-1, 3)
    found[:, 0] += np.repeat(before, in_block).astype(np.int32)
    return found


def _runs(titles: Iterable[str]) -> list[tuple[str, int]]:
    """Titles that follow each other and are equal as one, with their number."""
    return [(title, sum(1 for _ in run)) for title, run in groupby(titles)]


def incidence(columns: Int32Array, in_row: Int32Array, width: int) -> csc_array:
    """Which column stands in which row, 1 each; columns below 0 are left out."""
    ends = np.concatenate([[0], np.cumsum(in_row)])
    kept = columns >= 0
    if not kept.all():
        ends = np.concatenate([[0], np.cumsum(kept)])[ends]
        columns = columns[kept]
    ones = np.ones(len(columns), np.int8)
    found = csr_array((ones, columns, ends.astype(np.int32)), (len(in_row), width))
    found.sum_duplicates()
    found.data[:] = 1
    return found.tocsc()
