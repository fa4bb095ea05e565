"""Corpus statistics of an index as matrices over the names and terms of an exam."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from functools import cached_property
from itertools import pairwise

import numpy as np
from scipy.sparse import csr_array, vstack

from answerer.ntcir.multiple_choice.names.flat import values_at
from answerer.ntcir.multiple_choice.names.home.blocks import Blocks, block_of_each
from indexer.engines.contract import Index
from indexer.files.arrays import Float32Array, Float64Array, Int64Array
from indexer.files.errors import UserError
from indexer.statistics import cuts
from indexer.statistics.cuts import Cut
from indexer.statistics.neighbours import NeighbourCounts
from indexer.statistics.part import CountedBook, OtherVersionError
from indexer.statistics.ragged import doc_id_at
from retriever.bm25 import idf, term_score


@contextmanager
def counted_by_this_version(index: Index) -> Iterator[None]:
    """Turns names that another version of the program counted into one line for the user."""
    try:
        yield
    except OtherVersionError as error:
        raise UserError(f"the index {index.address} was built by another version ({error}): build it again") from None


class Terms:
    """Passages with each term of the exam: `held`, (terms, passages), is 1 for a term in a passage.

    `lengths` are those of the passages, in terms; every sentence counts the mean number of terms.
    `blocks` are those of the passages. Matrices are computed at first use.
    """

    def __init__(self, at: csr_array, cut: Cut, each: float, blocks: Blocks) -> None:
        self.cut = cut
        self.blocks = blocks
        self._at = at
        self._each = each
        self._best: dict[tuple[int, bytes, bytes], tuple[Int64Array, Float64Array]] = {}

    @cached_property
    def held(self) -> csr_array:
        return self.cut.passages_of(self._at)

    @cached_property
    def lengths(self) -> Float64Array:
        sums = np.cumsum(np.full(int(self.cut.sizes.max(initial=0)), self._each))
        return np.concatenate(([0.0], sums))[self.cut.sizes]

    @cached_property
    def number(self) -> Int64Array:
        """Document frequency: the number of passages with each term."""
        return np.diff(self.held.indptr).astype(np.int64)

    @cached_property
    def idf(self) -> Float64Array:
        return idf(len(self.lengths), self.number.astype(float))

    @cached_property
    def weights(self) -> csr_array:
        """BM25 weight of each term in each passage, terms in rows (a term counts once a sentence)."""
        rows = np.repeat(np.arange(self.held.shape[0]), self.number)
        once = np.ones(len(rows))
        average = max(float(self.lengths.mean()), 1e-9) if len(self.lengths) else 1.0
        scores = term_score(self.idf[rows], once, self.lengths[self.held.indices], average * once)
        return csr_array((scores.astype(np.float32), self.held.indices, self.held.indptr), self.held.shape)

    def scores(self, terms: Int64Array, less: Float64Array | None = None) -> Float32Array:
        """BM25 scores of all passages for these terms, each once, lowered by `less` of the block, but not below 0."""
        found = np.zeros(len(self.lengths), np.float32)
        weights = self.weights
        for term in terms.tolist():
            own = slice(weights.indptr[term], weights.indptr[term + 1])
            np.add.at(found, weights.indices[own], weights.data[own])
        return found if less is None else np.maximum(found - less.astype(np.float32)[self.blocks.of], 0)

    def best(self, terms: Int64Array, depth: int, less: Float64Array | None = None) -> tuple[Int64Array, Float64Array]:
        """The best passages and their scores, best first, equal scores in their order; made once for a depth."""
        key = depth, terms.tobytes(), b"" if less is None else less.tobytes()
        if key not in self._best:
            scores = self.scores(terms, less)
            top = highest(scores, depth)
            self._best[key] = top, scores[top].astype(np.float64)
        return self._best[key]


def highest(scores: Float32Array | Float64Array, depth: int) -> Int64Array:
    """The places of the `depth` highest scores, best first, equal ones in their order; needs at least `depth` scores.

    Avoids `argpartition`, whose choice among equal scores depends on the processor.
    """
    among = _with_highest(scores, depth)
    values = scores[among]
    least = np.partition(values, -depth)[-depth]
    above = np.flatnonzero(values > least)
    level = np.flatnonzero(values == least)[: depth - len(above)]
    return among[np.concatenate((above[np.argsort(-values[above], kind="stable")], level))]


def _with_highest(scores: Float32Array | Float64Array, depth: int) -> Int64Array:
    """Places in order that include those of the `depth` highest scores: a cheap preselection, in the worst case all."""
    greatest = scores.max()
    for share in (0.5, 0.25):
        places = np.flatnonzero(scores > share * greatest)
        if len(places) >= depth:
            return places
    return np.arange(len(scores))


class Unit:
    """Names and terms of the exam in one unit of passage: sentences, windows, paragraphs or sections of the book.

    `names`, (names, passages), is 1 for a name in a passage; `terms` has the same for terms.
    """

    def __init__(self, names: csr_array, terms: Terms) -> None:
        self.names = names
        self.terms = terms
        self.size = names.shape[1]
        self.name_counts = np.diff(names.indptr).astype(float)

    @cached_property
    def beside(self) -> csr_array:
        """The number of passages with both of two names, (names, names)."""
        return _sort_indices(self.names @ self.names.T)

    @cached_property
    def around(self) -> csr_array:
        """The number of passages with both a name and a term, (names, terms)."""
        return _sort_indices(self.names @ self.terms.held.T)

    @cached_property
    def words_with_name(self) -> Float64Array:
        """The terms of all passages that hold a name."""
        return np.asarray(self.names @ self.terms.lengths, float)

    def number(self, names: Int64Array, home: Float64Array | None) -> Float64Array:
        """The number of passages with each name, weighted by `home`, (names, blocks), if that is given."""
        return self.name_counts[names] if home is None else (self._number_by_block[names] * home).sum(axis=1)

    def number_beside(self, names: Int64Array, others: Int64Array, home: Float64Array | None) -> Float64Array:
        """The number of passages with both names of each pair, weighted by `home`, (pairs, blocks), if given."""
        if home is None:
            return values_at(self.beside, names, others)
        by_block = [values_at(beside, names, others) for beside in self._beside_by_block]
        return np.asarray((np.column_stack(by_block) * home).sum(axis=1))

    def number_of_all(self, home: Float64Array | None) -> Float64Array | int:
        """The number of all passages; with `home` weighted by it, one number a row."""
        return self.size if home is None else home @ self.terms.blocks.sizes

    @cached_property
    def _names_by_block(self) -> list[csr_array]:
        ends = np.concatenate(([0], np.cumsum(self.terms.blocks.sizes)))
        return [csr_array(self.names[:, start:end]) for start, end in pairwise(ends.tolist())]

    @cached_property
    def _number_by_block(self) -> Float64Array:
        return np.column_stack([np.diff(names.indptr) for names in self._names_by_block]).astype(float)

    @cached_property
    def _beside_by_block(self) -> list[csr_array]:
        return [_sort_indices(names @ names.T) for names in self._names_by_block]

    def passages_with(self, name: int) -> Int64Array:
        """The passages that hold a name, rising."""
        return np.asarray(self.names.indices[self.names.indptr[name] : self.names.indptr[name + 1]])

    def with_both(self, one: int, other: int) -> Int64Array:
        """The passages that hold two names, rising."""
        fewer, more = sorted((one, other), key=lambda name: self.name_counts[name])
        own = self.passages_with(fewer)
        return own[self.holds(more, own) > 0]

    def holds(self, name: int, passages: Int64Array) -> Float64Array:
        """1 for each of the passages that holds a name, else 0."""
        own = self.passages_with(name)
        if not len(own):
            return np.zeros(len(passages))
        places = np.minimum(np.searchsorted(own, passages), len(own) - 1)
        return np.asarray(own[places] == passages, np.float64)


class ExamCounts:
    """Names and terms of an exam in an index: `name_row` and `term_row` give their rows, by key and by term.

    `name_row` knows aliases. `dates` has a row a date: its sentence, first and last year. Units: `window` (three
    sentences of a paragraph), `paragraph`, `section`. `vectors` has a row a paragraph (`indexer.statistics.lsa`).
    `beside` gives the words right before and after names by their rows, `words` the counts of such words.
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
        self.paragraph_of = _numbers(book.paragraphs)
        self.section_of = _numbers(book.sections)[self.paragraph_of]
        self.sentences = len(self.paragraph_of)
        self.total_terms = max(1, book.size)
        self._names = book.at_names
        self._terms = book.at_terms
        self.term_share = np.diff(self._terms.indptr) / self.total_terms
        self.term_names = list(self.term_row)
        self._doc_ids = book.doc_ids
        self._phrases: dict[frozenset[int], int] = {}
        self._extra: list[Int64Array] = []
        blocks = block_of_each(book.doc_ids)
        of_sentences, first = blocks[self.paragraph_of], np.cumsum(book.sections) - book.sections
        by_name = {
            "window": (cuts.windows(self.paragraph_of), of_sentences),
            "sentence": (cuts.single(self.sentences), of_sentences),
            "paragraph": (cuts.groups(self.paragraph_of), blocks),
            "section": (cuts.groups(self.section_of), blocks[first]),
        }
        # The index does not store lengths of sentences: all count the mean.
        each = self.total_terms / max(1, self.sentences)
        number = int(blocks.max(initial=-1)) + 1
        self._of_terms = {
            name: Terms(self._terms, cut, each, Blocks(of, np.bincount(of, minlength=number)))
            for name, (cut, of) in by_name.items()
        }

    def doc_id_of(self, paragraph: int) -> str:
        """The doc_id of a paragraph by its number."""
        return doc_id_at(self._doc_ids, paragraph)

    def phrase_row(self, terms: frozenset[int]) -> int:
        """Adds a name for the sentences that contain all these terms and returns its row; -1 without such a sentence.

        Must be called before any unit is used. The same terms have the same row.
        """
        if terms not in self._phrases:
            self._phrases[terms] = self._add_phrase(sorted(terms))
        return self._phrases[terms]

    def _add_phrase(self, terms: list[int]) -> int:
        """The row of the new name; its key is the terms in quotation marks."""
        if not terms:
            return -1
        held = [self._terms.indices[self._terms.indptr[t] : self._terms.indptr[t + 1]] for t in terms]
        at = held[0]
        for other in held[1:]:
            at = np.intersect1d(at, other, assume_unique=True)
        if not len(at):
            return -1
        self._extra.append(np.asarray(at, np.int64))
        self.keys.append(f"“{' '.join(self.term_names[term] for term in terms)}”")
        self.kinds.append("other")
        return len(self.keys) - 1

    def with_names(
        self, keys: Sequence[str], kinds: Sequence[str], at: csr_array, beside: Sequence[NeighbourCounts]
    ) -> ExamCounts:
        """The same with further names, whose rows come after all others; `at` has the sentences of each."""
        wider = copy(self)
        wider.keys, wider.kinds = [*self.keys, *keys], [*self.kinds, *kinds]
        wider.beside = self.beside | dict(enumerate(beside, len(self.keys)))
        rows = [at.indices[at.indptr[row] : at.indptr[row + 1]] for row in range(len(keys))]
        wider._extra = [*self._extra, *(row.astype(np.int64) for row in rows)]
        for made in ("_all_names", "window", "sentence", "paragraph", "section"):
            wider.__dict__.pop(made, None)
        return wider

    @cached_property
    def _all_names(self) -> csr_array:
        """The names of the index, then the phrases and further names."""
        if not self._extra:
            return self._names
        indptr = np.concatenate(([0], np.cumsum([len(at) for at in self._extra])))
        columns = np.concatenate(self._extra)
        extra = csr_array((np.ones(len(columns)), columns, indptr), (len(self._extra), self.sentences))
        return csr_array(vstack([self._names, extra]))

    @cached_property
    def window(self) -> Unit:
        """Every sentence with the one before and the one after it in its paragraph."""
        return self._unit("window")

    @cached_property
    def sentence(self) -> Unit:
        return self._unit("sentence")

    @cached_property
    def paragraph(self) -> Unit:
        return self._unit("paragraph")

    @cached_property
    def section(self) -> Unit:
        return self._unit("section")

    def _unit(self, name: str) -> Unit:
        terms = self._of_terms[name]
        return Unit(terms.cut.passages_of(self._all_names), terms)

    def years_of(self, paragraphs: Int64Array) -> Float64Array:
        """Share of each span of `eras` that the dates of these paragraphs cover, (paragraphs, eras)."""
        dates, which = self._dates_of[paragraphs], self.different_dates[1]
        ones = (np.ones(len(dates.indices)), np.arange(len(dates.indices)), dates.indptr)
        spread = csr_array(ones, (len(paragraphs), len(dates.indices)))
        return np.asarray(spread @ self._era_shares[which[dates.indices]], float)

    @cached_property
    def _dates_of(self) -> csr_array:
        """The dates (columns) of each paragraph (rows)."""
        paragraphs = self.paragraph_of[self.dates[:, 0].astype(np.int64)]
        size = int(self.paragraph_of[-1]) + 1 if self.sentences else 0
        places = (paragraphs, np.arange(len(paragraphs)))
        return csr_array((np.ones(len(paragraphs)), places), (size, len(paragraphs)))

    @cached_property
    def different_dates(self) -> tuple[Float64Array, Int64Array]:
        """The first and last year of each different date, in order, and which of these each date of the book is."""
        first, last = self.dates[:, 1:].astype(np.int64).T
        least = last.min(initial=0)
        width = last.max(initial=0) - least + 1
        keys, which = np.unique(first * width + (last - least), return_inverse=True)
        return np.column_stack((keys // width, keys % width + least)).astype(float), which

    @cached_property
    def _era_shares(self) -> Float64Array:
        """The eras of each different date."""
        from answerer.ntcir.multiple_choice.names.eras import era_shares

        return era_shares(*self.different_dates[0].T)


def _numbers(sizes: Int64Array) -> Int64Array:
    """The number of the group that each member is in, from the sizes of the groups in order."""
    return np.repeat(np.arange(len(sizes)), sizes).astype(np.int64)


def _sort_indices(matrix: csr_array) -> csr_array:
    found = csr_array(matrix)
    found.sum_duplicates()
    found.sort_indices()
    return found
