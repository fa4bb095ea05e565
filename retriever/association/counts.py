"""Corpus statistics of an index as matrices over the entities and terms of an exam, in passages of four sizes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from functools import cached_property, partial
from itertools import groupby, pairwise
from typing import Literal

import numpy as np
from scipy.sparse import csr_array, diags_array, eye_array, vstack

from indexer.engines.contract import Index
from indexer.files.arrays import Float32Array, Float64Array, Int64Array
from indexer.files.errors import UserError
from indexer.statistics.forms import IdRun, doc_id_at
from indexer.statistics.part import CountedBook, NeighbourCounts, OtherVersionError
from retriever.bm25 import idf, term_score

_USUAL = 5_000  # paragraphs of a block: of a source that is longer, which may be many books in one file, it is a part
_LEAST = 2_500  # paragraphs of a block; co-occurrence counts of fewer are unreliable


@contextmanager
def counted_by_this_version(index: Index) -> Iterator[None]:
    """Context manager that turns the `OtherVersionError` of statistics counted by another version of the program into a
    UserError."""
    try:
        yield
    except OtherVersionError as error:
        raise UserError(f"the index {index.address} was built by another version ({error}): build it again") from None


def block_of_each(doc_ids: Sequence[IdRun]) -> Int64Array:
    """The block number of each paragraph, (paragraphs,), from 0: blocks are the sources, split or joined to some
    thousand paragraphs each. A source of more than 5,000 paragraphs is split into equal parts. A source of fewer than
    2,500 is joined with the next, the last with the one before."""
    sizes: list[int] = []
    for _, runs in groupby(doc_ids, key=lambda run: run.beginning):
        size = sum(run.size for run in runs)
        number = -(-size // _USUAL)
        for part in (size // number + (place < size % number) for place in range(number)):
            if sizes and sizes[-1] < _LEAST:
                sizes[-1] += part
            else:
                sizes.append(part)
    if len(sizes) > 1 and sizes[-1] < _LEAST:
        last = sizes.pop()
        sizes[-1] += last
    return np.repeat(np.arange(len(sizes)), sizes)


def windows(paragraph_of: Int64Array) -> csr_array:
    """Cut of a book, (sentences, passages), by windows: one passage for each sentence, which also includes the
    sentences before and after it in its paragraph. `paragraph_of` is each sentence's paragraph number."""
    number = len(paragraph_of)
    single = csr_array(eye_array(number))
    if number < 2:
        return single
    beside = (np.diff(paragraph_of) == 0).astype(float)
    return csr_array(single + diags_array((beside, beside), offsets=(-1, 1), shape=single.shape))


def groups(group_of: Int64Array) -> csr_array:
    """Cut of a book, (sentences, passages), into consecutive sentences; `group_of` is the number of each sentence's
    passage, ascending from 0."""
    number = len(group_of)
    shape = (number, int(group_of.max(initial=-1)) + 1)
    return csr_array((np.ones(number), group_of, np.arange(number + 1)), shape)


def passages_of(at: csr_array, cut: csr_array) -> csr_array:
    """Turns a table with a 1 where a row's name or term occurs in a sentence into one of passages: 1 where at least one
    sentence of a passage has it, columns in order. `cut` has a 1 where a passage (column) includes a sentence (row)."""
    passages = csr_array(at @ cut)
    passages.sort_indices()
    passages.data[:] = 1.0
    return passages


Unit = Literal["window", "sentence", "paragraph", "section"]


class PassageTerms:
    """Passages of one unit with each term of the exam: `incidence`, (terms, passages), is 1 for a term in a passage.
    `number` (terms,) and `idf` are those of passages, `weights` (terms, passages) BM25 scores, sparse, a term counting
    once a passage. `lengths` (passages,) are in terms: each sentence counts as `each`, the mean number of terms,
    because an index does not store sentence lengths. `block_of` is the block of each passage."""

    def __init__(self, at: csr_array, cut: csr_array, each: float, block_of: Int64Array) -> None:
        self._block_of = block_of
        self._best: dict[tuple[int, bytes, bytes], tuple[Int64Array, Float64Array]] = {}
        self.incidence = passages_of(at, cut)
        sizes = np.bincount(cut.indices, minlength=cut.shape[1])
        self.lengths = np.concatenate(([0.0], np.cumsum(np.full(int(sizes.max(initial=0)), each))))[sizes]
        self.number = np.diff(self.incidence.indptr).astype(np.int64)
        self.idf = idf(len(self.lengths), self.number.astype(float))
        rows = np.repeat(np.arange(self.incidence.shape[0]), self.number)
        once = np.ones(len(rows))
        average = max(float(self.lengths.mean()), 1e-9) if len(self.lengths) else 1.0
        scores = term_score(self.idf[rows], once, self.lengths[self.incidence.indices], average * once)
        self.weights: csr_array = csr_array(
            (scores.astype(np.float32), self.incidence.indices, self.incidence.indptr), self.incidence.shape
        )

    def scores(self, terms: Int64Array, less: Float64Array | None = None) -> Float32Array:
        """BM25 scores of all passages, (passages,), for the different terms of these rows; `less` (blocks,) is
        subtracted from the scores of each block, down to 0."""
        total = np.zeros(len(self.lengths), np.float32)
        for term in terms.tolist():
            held = slice(self.weights.indptr[term], self.weights.indptr[term + 1])
            np.add.at(total, self.weights.indices[held], self.weights.data[held])
        return total if less is None else np.maximum(total - less.astype(np.float32)[self._block_of], 0)

    def best(self, terms: Int64Array, depth: int, less: Float64Array | None = None) -> tuple[Int64Array, Float64Array]:
        """The numbers and scores of the `depth` best passages for the terms of these rows, best first, ties by number;
        `less` as in `scores`. Cached."""
        # The statements of a question, and a name and its rivals, often ask for the same terms.
        key = depth, terms.tobytes(), b"" if less is None else less.tobytes()
        if key not in self._best:
            scores = self.scores(terms, less)
            top = highest(scores, depth)
            self._best[key] = top, scores[top].astype(np.float64)
        return self._best[key]


def highest(scores: Float32Array | Float64Array, depth: int) -> Int64Array:
    """Indices of the `depth` greatest scores, greatest first, ties by index; there must be at least `depth` scores."""
    among = np.arange(len(scores))
    # Most scores are far from the highest: a cheap preselection.
    for share in (0.5, 0.25):
        places = np.flatnonzero(scores > share * scores.max())
        if len(places) >= depth:
            among = places
            break
    # Not `argpartition`, whose choice among equal scores depends on the processor.
    values = scores[among]
    least = np.partition(values, -depth)[-depth]
    above = np.flatnonzero(values > least)
    level = np.flatnonzero(values == least)[: depth - len(above)]
    return among[np.concatenate((above[np.argsort(-values[above], kind="stable")], level))]


class PassageUnit:
    """Entities and terms of the exam in one unit of passage: sentences, windows, paragraphs or sections. `names`,
    (entities, passages), is 1 for an entity in a passage; `terms` has the same for terms; `size` is the number of
    passages, `name_counts` (entities,) the number with each entity. Blocks are units of collection selection:
    `block_of` (passages,) is the number of each passage's block, rising, `block_sizes` (blocks,) their passages."""

    def __init__(
        self, names: csr_array, block_of: Int64Array, block_sizes: Int64Array, terms: Callable[[], PassageTerms]
    ) -> None:
        self.names = names
        self.block_of = block_of
        self.block_sizes = block_sizes
        self.size = names.shape[1]
        self.name_counts = np.diff(names.indptr).astype(float)
        self._terms = terms

    @cached_property
    def terms(self) -> PassageTerms:
        return self._terms()

    @cached_property
    def beside(self) -> csr_array:
        """The number of passages with both of two entities, (entities, entities)."""
        return sort_indices(self.names @ self.names.T)

    @cached_property
    def _by_block(self) -> list[tuple[csr_array, csr_array]]:
        """For each block `names`, and the number of passages with both of two entities."""
        ends = np.concatenate(([0], np.cumsum(self.block_sizes)))
        names = [csr_array(self.names[:, start:end]) for start, end in pairwise(ends.tolist())]
        return [(each, sort_indices(each @ each.T)) for each in names]

    def number(self, names: Int64Array, home: Float64Array | None) -> Float64Array:
        """The number of passages with each entity of the rows `names`; with `home` (one row an entity, one column a
        block) each passage counts with its block's weight."""
        if home is None:
            return self.name_counts[names]
        by_block = np.column_stack([np.diff(held.indptr) for held, _ in self._by_block]).astype(float)
        return np.asarray((by_block[names] * home).sum(axis=1))

    def number_beside(self, names: Int64Array, others: Int64Array, home: Float64Array | None) -> Float64Array:
        """The number of passages with both entities of each pair (names[i], others[i]), rows of `names`; with `home`
        (pairs, blocks) each passage counts with its block's weight."""
        if home is None:
            return values_at(self.beside, names, others)
        by_block = [values_at(beside, names, others) for _, beside in self._by_block]
        return np.asarray((np.column_stack(by_block) * home).sum(axis=1))

    def number_of_all(self, home: Float64Array | None) -> Float64Array | int:
        """The number of all passages; with `home` weighted by it, one number a row."""
        return self.size if home is None else home @ self.block_sizes

    def passages_with(self, name: int) -> Int64Array:
        """The passages that hold an entity, rising."""
        return np.asarray(self.names.indices[self.names.indptr[name] : self.names.indptr[name + 1]])

    def with_both(self, name: int, other: int) -> Int64Array:
        """The passages that hold two entities, rising."""
        fewer, more = sorted((name, other), key=lambda each: self.name_counts[each])
        passages = self.passages_with(fewer)
        return passages[self.holds(more, passages) > 0]

    def holds(self, name: int, passages: Int64Array) -> Float64Array:
        """1.0 for each of the passage numbers `passages` that contains the entity of row `name`, else 0.0;
        (passages,)."""
        held = self.passages_with(name)
        if not len(held):
            return np.zeros(len(passages))
        places = np.minimum(np.searchsorted(held, passages), len(held) - 1)
        return np.asarray(held[places] == passages, np.float64)


class EntityCounts:
    """Entities and terms of an exam in an index; `name_row` maps entity key (or alias) to row, `term_row` term to row.

    `dates` has a row a date: its sentence number, first and last year; `dates_of`, sparse (paragraphs, dates), is 1 for
    a date in a paragraph; `different_dates` are the distinct (first year, last year), sorted, and the index of each
    date's in these. Units: `window` (every sentence with the one
    before and the one after it in its paragraph), `sentence`, `paragraph`, `section`. `vectors` has a row a paragraph
    (`indexer.statistics.lsa`). `beside` maps an entity's row to the counts of the words right before and after it,
    `words` has the counts of such words.
    """

    def __init__(self, book: CountedBook) -> None:
        self.keys = list(book.names)
        self.kinds = list(book.kinds)
        self.name_row = book.name_row
        self.term_row = book.term_row
        self.vectors = book.vectors
        self.beside = dict(enumerate(book.beside))
        self.words = book.words
        self.dates = book.dates.astype(float)
        self.paragraph_of = np.repeat(np.arange(len(book.paragraphs)), book.paragraphs).astype(np.int64)
        section_of = np.repeat(np.arange(len(book.sections)), book.sections).astype(np.int64)
        self.sentences = len(self.paragraph_of)
        total = max(1, book.size)
        self._each = total / max(1, self.sentences)  # terms of a sentence
        self._names = book.at_names
        self._at_terms = book.at_terms
        self.term_share = np.diff(book.at_terms.indptr) / total
        self.term_names = list(self.term_row)
        self._doc_ids = book.doc_ids
        self._phrases: dict[frozenset[int], int] = {}
        self._extra: list[Int64Array] = []
        blocks = block_of_each(book.doc_ids)
        of_sentences, first = blocks[self.paragraph_of], np.cumsum(book.sections) - book.sections
        self._blocks = int(blocks.max(initial=-1)) + 1
        # For each unit its cut, and the block of each passage.
        self._cuts = {
            "window": (windows(self.paragraph_of), of_sentences),
            "sentence": (csr_array(eye_array(self.sentences)), of_sentences),
            "paragraph": (groups(self.paragraph_of), blocks),
            "section": (groups(section_of[self.paragraph_of]), blocks[first]),
        }
        paragraphs = self.paragraph_of[self.dates[:, 0].astype(np.int64)]
        places = (paragraphs, np.arange(len(paragraphs)))
        self.dates_of = csr_array((np.ones(len(paragraphs)), places), (len(book.paragraphs), len(paragraphs)))
        first_year, last_year = self.dates[:, 1:].astype(np.int64).T
        least = last_year.min(initial=0)
        width = last_year.max(initial=0) - least + 1
        keys, which = np.unique(first_year * width + (last_year - least), return_inverse=True)
        self.different_dates = np.column_stack((keys // width, keys % width + least)).astype(float), which
        self._terms: dict[str, PassageTerms] = {}
        self._units: dict[str, PassageUnit] = {}

    def doc_id_of(self, paragraph: int) -> str:
        """The doc_id of a paragraph by its number."""
        return doc_id_at(self._doc_ids, paragraph)

    def phrase_row(self, terms: frozenset[int]) -> int:
        """Adds an entity for the sentences that contain all terms of these rows and returns its row; −1 if no sentence
        does. Its key is the terms in quotation marks. The same terms return the same row. Must be called before any
        unit is used."""
        if terms in self._phrases:
            return self._phrases[terms]
        row = -1
        held = [self._at_terms.indices[self._at_terms.indptr[t] : self._at_terms.indptr[t + 1]] for t in sorted(terms)]
        at = held[0] if held else np.zeros(0, np.int64)
        for other in held[1:]:
            at = np.intersect1d(at, other, assume_unique=True)
        if len(at):
            row = len(self.keys)
            self._extra.append(np.asarray(at, np.int64))
            self.keys.append(f"“{' '.join(self.term_names[term] for term in sorted(terms))}”")
            self.kinds.append("other")
        self._phrases[terms] = row
        return row

    def with_names(
        self, keys: Sequence[str], kinds: Sequence[str], at: csr_array, beside: Sequence[NeighbourCounts]
    ) -> EntityCounts:
        """A copy with further entities, whose rows come after all others. `keys`, `kinds` (entity types) and `beside`
        have an entry for each; `at` is (entities, sentences), 1 for an entity in a sentence."""
        wider = copy(self)
        wider.keys, wider.kinds = [*self.keys, *keys], [*self.kinds, *kinds]
        wider.beside = self.beside | dict(enumerate(beside, len(self.keys)))
        rows = [at.indices[at.indptr[row] : at.indptr[row + 1]] for row in range(len(keys))]
        wider._extra = [*self._extra, *(row.astype(np.int64) for row in rows)]
        wider._units = {}
        return wider

    def unit(self, name: Unit) -> PassageUnit:
        """The unit of this name, built once; its entities are those of the index, then added phrases and names."""
        if name not in self._units:
            # Phrases and rivals come after the names of the index, in the order in which they were added.
            names = self._names
            if self._extra:
                indptr = np.concatenate(([0], np.cumsum([len(at) for at in self._extra])))
                columns = np.concatenate(self._extra)
                extra = csr_array((np.ones(len(columns)), columns, indptr), (len(self._extra), self.sentences))
                names = csr_array(vstack([names, extra]))
            cut, block_of = self._cuts[name]
            sizes = np.bincount(block_of, minlength=self._blocks)
            terms = partial(self._terms_in, name)
            self._units[name] = PassageUnit(passages_of(names, cut), block_of, sizes, terms)
        return self._units[name]

    def _terms_in(self, name: Unit) -> PassageTerms:
        """The terms in passages of the unit called `name`, computed once, also for copies with further entities."""
        if name not in self._terms:
            cut, block_of = self._cuts[name]
            self._terms[name] = PassageTerms(self._at_terms, cut, self._each, block_of)
        return self._terms[name]


def values_at(matrix: csr_array, rows: Int64Array, columns: Int64Array) -> Float64Array:
    """matrix[rows[i], columns[i]] for each i, 0 where nothing is stored; the matrix must have sorted column indices."""
    used, rows = np.unique(rows, return_inverse=True)
    matrix = matrix[used]
    width = matrix.shape[1]
    places = np.repeat(np.arange(len(used), dtype=np.int64), np.diff(matrix.indptr)) * width + matrix.indices
    if not len(places):
        return np.zeros(len(rows))
    looked_for = rows * width + columns
    at = np.minimum(np.searchsorted(places, looked_for), len(places) - 1)
    return np.where(places[at] == looked_for, matrix.data[at], 0.0)


def sort_indices(matrix: csr_array) -> csr_array:
    """A copy of a sparse matrix with duplicates summed and column indices sorted in each row."""
    sorted_matrix = csr_array(matrix)
    sorted_matrix.sum_duplicates()
    sorted_matrix.sort_indices()
    return sorted_matrix
