"""Corpus statistics of an index as matrices over the entities and terms of an exam, in passages of
four sizes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, reduce
from typing import Literal

import numpy as np
from scipy.sparse import csr_array, diags_array, eye_array, vstack

from indexer.files.arrays import Float32Array, Float64Array, Int64Array
from indexer.statistics.part import CountedBook, NeighbourCounts
from retriever.bm25 import idf, term_score


def windows(paragraph_of: Int64Array) -> csr_array:
    """Cut of a book, (sentences, passages), by windows: one passage for each sentence, which also
    includes the sentences before and after it in its paragraph. `paragraph_of` is each sentence's
    paragraph number."""
    number = len(paragraph_of)
    single = csr_array(eye_array(number))
    if number < 2:
        return single
    beside = (np.diff(paragraph_of) == 0).astype(float)
    return csr_array(single + diags_array((beside, beside), offsets=(-1, 1), shape=single.shape))


def groups(group_of: Int64Array) -> csr_array:
    """Cut of a book, (sentences, passages), into runs of sentences; `group_of` is each sentence's
    passage number, rising from 0."""
    number = len(group_of)
    shape = (number, int(group_of.max(initial=-1)) + 1)
    return csr_array((np.ones(number), group_of, np.arange(number + 1)), shape)


def passages_of(at: csr_array, cut: csr_array) -> csr_array:
    """Turns a table with a 1 where a row's name or term occurs in a sentence into one of passages:
    1 where at least one sentence of a passage has it, columns in order. `cut` has a 1 where a
    passage (column) includes a sentence (row)."""
    passages = csr_array(at @ cut)
    passages.sort_indices()
    passages.data[:] = 1.0
    return passages


Unit = Literal["window", "sentence", "paragraph", "section"]


@dataclass(frozen=True, kw_only=True, eq=False)
class PassageTerms:
    """Passages of one unit with each term of the exam: `incidence`, (terms, passages), is 1 for a
    term in a passage. `number` (terms,) and `idf` are those of passages, `weights` (terms,
    passages) BM25 scores, sparse, a term counting once a passage. `lengths` (passages,) are in
    terms."""

    incidence: csr_array
    number: Int64Array
    idf: Float64Array
    weights: csr_array
    lengths: Float64Array


def passage_scores(unit: PassageTerms, terms: Int64Array) -> Float32Array:
    """BM25 scores of all passages, (passages,), for the different terms of these rows."""
    total = np.zeros(len(unit.lengths), np.float32)
    for term in terms.tolist():
        postings = slice(unit.weights.indptr[term], unit.weights.indptr[term + 1])
        np.add.at(total, unit.weights.indices[postings], unit.weights.data[postings])
    return total


def highest(scores: Float32Array | Float64Array, depth: int) -> Int64Array:
    """Indices of the `depth` greatest scores, greatest first, ties by index; there must be at least
    `depth` scores."""
    # Not `argpartition`, whose choice among equal scores depends on the processor.
    least = np.partition(scores, -depth)[-depth]
    above = np.flatnonzero(scores > least)
    level = np.flatnonzero(scores == least)[: depth - len(above)]
    return np.concatenate((above[np.argsort(-scores[above], kind="stable")], level))


@dataclass(frozen=True, kw_only=True, eq=False)
class PassageUnit:
    """Entities and terms of the exam in one unit of passage: sentences, windows, paragraphs or
    sections. `names`, (entities, passages), is 1 for an entity in a passage; `size` is the number
    of passages, `name_counts` (entities,) the number with each entity. `cut`, (sentences,
    passages), has the sentences of each passage, `at_terms`, (terms, sentences), those of each
    term, which have `sentence_size` terms each."""

    names: csr_array
    size: int
    name_counts: Float64Array
    cut: csr_array
    at_terms: csr_array
    sentence_size: float

    @cached_property
    def terms(self) -> PassageTerms:
        """The terms of the passages, weighted by BM25: a term counts once in a passage, each
        sentence has the mean number of terms, because an index does not store sentence lengths."""
        incidence = passages_of(self.at_terms, self.cut)
        sizes = np.bincount(self.cut.indices, minlength=self.size)
        lengths = np.cumsum([0.0, *np.full(int(sizes.max(initial=0)), self.sentence_size)])[sizes]
        number = np.diff(incidence.indptr).astype(np.int64)
        rarity = idf(len(lengths), number.astype(float))
        rows = np.repeat(np.arange(incidence.shape[0]), number)
        once = np.ones(len(rows))
        average = max(float(lengths.mean()), 1e-9) if len(lengths) else 1.0
        scores = term_score(rarity[rows], once, lengths[incidence.indices], average * once)
        weights = (scores.astype(np.float32), incidence.indices, incidence.indptr)
        return PassageTerms(
            incidence=incidence,
            number=number,
            idf=rarity,
            weights=csr_array(weights, incidence.shape),
            lengths=lengths,
        )

    @cached_property
    def beside(self) -> csr_array:
        """The number of passages with both of two entities, (entities, entities)."""
        return csr_array(self.names @ self.names.T)


def passages_with(unit: PassageUnit, name: int) -> Int64Array:
    """The numbers of the passages with the entity of row `name`, rising."""
    return np.asarray(unit.names.indices[unit.names.indptr[name] : unit.names.indptr[name + 1]])


def passages_with_both(unit: PassageUnit, name: int, other: int) -> Int64Array:
    """The numbers of the passages with the entities of rows `name` and `other`, rising."""
    return np.intersect1d(passages_with(unit, name), passages_with(unit, other), assume_unique=True)


def holds(unit: PassageUnit, name: int, passages: Int64Array) -> Float64Array:
    """1.0 for each of the passage numbers `passages` that contains the entity of row `name`, else
    0.0; (passages,)."""
    return np.isin(passages, passages_with(unit, name)).astype(np.float64)


@dataclass(frozen=True, kw_only=True, eq=False)
class EntityCounts:
    """Entities and terms of an exam in an index: `book`, as stored, with further entities (phrases)
    after it.

    `keys`, `kinds` and `beside` (the counts of the words right before and after an entity) are by
    row, `extra` has the sentences of each further entity. `dates_of`, sparse (paragraphs, dates),
    is 1 for a date in a paragraph; `different_dates` are the distinct (first year, last year),
    sorted, and the index of each date's in these. `sentence_size` is the mean number of terms of a
    sentence. `cuts` are those of the units. `phrases` and `units` are caches.
    """

    book: CountedBook
    keys: list[str]
    kinds: list[str]
    beside: Mapping[int, NeighbourCounts]
    dates_of: csr_array
    different_dates: tuple[Float64Array, Int64Array]
    paragraph_of: Int64Array
    sentence_size: float
    cuts: Mapping[str, csr_array]
    extra: list[Int64Array] = field(default_factory=list)
    phrases: dict[frozenset[int], int] = field(default_factory=dict)
    units: dict[str, PassageUnit] = field(default_factory=dict)


def entity_counts(book: CountedBook) -> EntityCounts:
    """The counts of a book, cut into windows (every sentence with the one before and the one after
    it in its paragraph), sentences, paragraphs and sections."""
    paragraph_of = np.repeat(np.arange(len(book.paragraphs)), book.paragraphs).astype(np.int64)
    section_of = np.repeat(np.arange(len(book.sections)), book.sections).astype(np.int64)
    sentences, dates = len(paragraph_of), book.dates
    cuts = {
        "window": windows(paragraph_of),
        "sentence": csr_array(eye_array(sentences)),
        "paragraph": groups(paragraph_of),
        "section": groups(section_of[paragraph_of]),
    }
    in_paragraphs = (np.ones(len(dates)), (paragraph_of[dates[:, 0]], np.arange(len(dates))))
    years, which = np.unique(dates[:, 1:].astype(float), axis=0, return_inverse=True)
    return EntityCounts(
        book=book,
        keys=list(book.names),
        kinds=list(book.kinds),
        beside=dict(enumerate(book.beside)),
        dates_of=csr_array(in_paragraphs, (len(book.paragraphs), len(dates))),
        different_dates=(years, which),
        paragraph_of=paragraph_of,
        sentence_size=max(1, book.size) / max(1, sentences),
        cuts=cuts,
    )


def phrase_row(counts: EntityCounts, terms: frozenset[int]) -> int:
    """Adds an entity for the sentences that contain all terms of these rows and returns its row,
    the same for the same terms; −1 if no sentence does, and for no terms. Its key is the terms in
    quotes. Must be called before any unit is used."""
    if terms not in counts.phrases:
        rows, at_terms = sorted(terms), counts.book.at_terms
        sentences = [at_terms.indices[at_terms.indptr[t] : at_terms.indptr[t + 1]] for t in rows]
        at = reduce(np.intersect1d, sentences) if sentences else np.zeros(0, np.int64)
        counts.phrases[terms] = len(counts.keys) if len(at) else -1
        if len(at):
            names = list(counts.book.term_row)
            counts.extra.append(np.asarray(at, np.int64))
            counts.keys.append(f"“{' '.join(names[term] for term in rows)}”")
            counts.kinds.append("other")
    return counts.phrases[terms]


def unit_of(counts: EntityCounts, name: Unit) -> PassageUnit:
    """The unit of this name, built once; its entities are those of the index, then added
    phrases."""
    if name not in counts.units:
        cut = counts.cuts[name]
        names = counts.book.at_names
        if counts.extra:
            indptr, columns = np.cumsum([0, *map(len, counts.extra)]), np.concatenate(counts.extra)
            extra = csr_array(
                (np.ones(len(columns)), columns, indptr), (len(counts.extra), cut.shape[0])
            )
            names = csr_array(vstack([names, extra]))
        names = passages_of(names, cut)
        counts.units[name] = PassageUnit(
            names=names,
            size=names.shape[1],
            name_counts=np.diff(names.indptr).astype(float),
            cut=cut,
            at_terms=counts.book.at_terms,
            sentence_size=counts.sentence_size,
        )
    return counts.units[name]


def values_at(matrix: csr_array, rows: Int64Array, columns: Int64Array) -> Float64Array:
    """matrix[rows[i], columns[i]] for each i, 0 where nothing is stored; the matrix must not store
    a cell twice."""
    used, rows = np.unique(rows, return_inverse=True)
    matrix = csr_array(matrix[used])
    matrix.sort_indices()
    width = matrix.shape[1]
    cells = (
        np.repeat(np.arange(len(used), dtype=np.int64), np.diff(matrix.indptr)) * width
        + matrix.indices
    )
    if not len(cells):
        return np.zeros(len(rows))
    looked_for = rows * width + columns
    at = np.minimum(np.searchsorted(cells, looked_for), len(cells) - 1)
    return np.where(cells[at] == looked_for, matrix.data[at], 0.0)
