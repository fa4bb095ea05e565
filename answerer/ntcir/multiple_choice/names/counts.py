"""What an index counted over its whole book, as matrices over the names and terms that an exam speaks of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from functools import cached_property

import numpy as np
from scipy.sparse import csr_array, vstack

from indexer.book.doc_id_runs import doc_id_at
from indexer.book.part import CountedBook, OtherVersionError
from indexer.engines.contract import Index
from indexer.files.arrays import Float64Array, Int64Array
from indexer.files.errors import UserError
from retriever.bm25 import idf, term_score


@contextmanager
def counted_by_this_version(index: Index) -> Iterator[None]:
    """Turns names that another version of the program counted into one line for the user."""
    try:
        yield
    except OtherVersionError as error:
        raise UserError(f"the index {index.address} was built by another version ({error}): build it again") from None


class Unit:
    """One way of cutting the book into passages: which of them hold each name and each term.

    `names` and `terms` have a row each name (term) of the exam and a column a passage: 1 where it stands there.
    """

    def __init__(self, names: csr_array, terms: csr_array, lengths: Float64Array) -> None:
        self.names = names
        self.terms = terms
        self.lengths = lengths
        self.size = len(lengths)
        self.name_counts = np.diff(names.indptr).astype(float)
        self.term_counts = np.diff(terms.indptr).astype(float)

    @cached_property
    def beside(self) -> csr_array:
        """How many passages hold both of two names."""
        return _sorted(self.names @ self.names.T)

    @cached_property
    def around(self) -> csr_array:
        """How many passages hold both a name and a term."""
        return _sorted(self.names @ self.terms.T)

    @cached_property
    def words_with_name(self) -> Float64Array:
        """The terms of all passages that hold a name."""
        return np.asarray(self.names @ self.lengths, float)

    @cached_property
    def idf(self) -> Float64Array:
        return idf(self.size, self.term_counts)

    @cached_property
    def weights(self) -> csr_array:
        """BM25 weight of each term in each passage, terms in rows (a term counts once a sentence)."""
        rows = np.repeat(np.arange(self.terms.shape[0]), np.diff(self.terms.indptr))
        once = np.ones(len(rows))
        average = max(float(self.lengths.mean()), 1e-9) if self.size else 1.0
        scores = term_score(self.idf[rows], once, self.lengths[self.terms.indices], average * once)
        return csr_array((scores.astype(np.float32), self.terms.indices, self.terms.indptr), self.terms.shape)


class Counts:
    """Names and terms of an exam in an index: `name_row` and `term_row` give their rows, by key and by term.

    `name_row` knows aliases. `dates` has a row a date: its sentence, first and last year. Units: `window` (three
    sentences of a paragraph), `paragraph`, `section`. `vectors` has a row a paragraph (`indexer.book.vectors`).
    """

    def __init__(self, book: CountedBook) -> None:
        self.keys = list(book.names)
        self.kinds = list(book.kinds)
        self.name_row = book.name_row
        self.term_row = book.term_row
        self.vectors = book.vectors
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

    def doc_id_of(self, paragraph: int) -> str:
        """The doc_id of a paragraph by its number."""
        return doc_id_at(self._doc_ids, paragraph)

    def phrase_row(self, terms: frozenset[int]) -> int:
        """The row of a new name that stands where all these terms stand in one sentence; -1 where they never do.

        To be asked before any unit is used. The same terms have the same row.
        """
        if terms not in self._phrases:
            self._phrases[terms] = self._add_phrase(sorted(terms))
        return self._phrases[terms]

    def _add_phrase(self, terms: list[int]) -> int:
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

    def with_names(self, keys: Sequence[str], kinds: Sequence[str], at: csr_array) -> Counts:
        """The same with further names, whose rows come after all others; `at` has the sentences of each."""
        wider = copy(self)
        wider.keys, wider.kinds = [*self.keys, *keys], [*self.kinds, *kinds]
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
        same = np.flatnonzero(np.diff(self.paragraph_of) == 0)
        own = np.arange(self.sentences)
        rows = np.concatenate((own, same, same + 1))
        columns = np.concatenate((own, same + 1, same))
        return self._unit(csr_array((np.ones(len(rows)), (rows, columns)), (self.sentences, self.sentences)))

    @cached_property
    def sentence(self) -> Unit:
        return self._unit(csr_array((np.ones(self.sentences), (np.arange(self.sentences),) * 2), (self.sentences,) * 2))

    @cached_property
    def paragraph(self) -> Unit:
        return self._unit(_grouping(self.paragraph_of))

    @cached_property
    def section(self) -> Unit:
        return self._unit(_grouping(self.section_of))

    def _unit(self, of_unit: csr_array) -> Unit:
        """`of_unit`: a row a sentence, a column a passage, 1 where the passage has the sentence."""
        lengths = of_unit.T @ np.full(self.sentences, self.total_terms / max(1, self.sentences))
        return Unit(_ones(self._all_names @ of_unit), _ones(self._terms @ of_unit), np.asarray(lengths, float))

    @cached_property
    def years_of_paragraph(self) -> csr_array:
        """How much of each span of `eras` the dates of a paragraph cover: a row a paragraph, a column an era."""
        from answerer.ntcir.multiple_choice.names.eras import ERAS, era_shares

        sentences = self.dates[:, 0].astype(int)
        shares = era_shares(self.dates[:, 1], self.dates[:, 2])
        size = int(self.paragraph_of[-1]) + 1 if self.sentences else 0
        spread = csr_array(
            (np.ones(len(sentences)), (self.paragraph_of[sentences], np.arange(len(sentences)))), (size, len(sentences))
        )
        return csr_array((spread @ shares).reshape(size, ERAS))


def _numbers(sizes: Int64Array) -> Int64Array:
    """The number of the group that each member is in, from the sizes of the groups in order."""
    return np.repeat(np.arange(len(sizes)), sizes).astype(np.int64)


def _grouping(group_of: Int64Array) -> csr_array:
    size = int(group_of[-1]) + 1 if len(group_of) else 0
    return csr_array((np.ones(len(group_of)), (np.arange(len(group_of)), group_of)), (len(group_of), size))


def _ones(matrix: csr_array) -> csr_array:
    """The same places, each 1, columns in order."""
    found = _sorted(matrix)
    found.data = np.ones(len(found.data))
    return found


def _sorted(matrix: csr_array) -> csr_array:
    found = csr_array(matrix)
    found.sum_duplicates()
    found.sort_indices()
    return found
