"""A whole textbook's counts: the sentences of each name and term, paragraphs, sections and dates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from scipy.sparse import csc_array, csr_array

from indexer.analysis import Analyser
from indexer.book.counting import Counted, incidence
from indexer.book.doc_id_runs import Run
from indexer.book.vocabulary import Names, names_of, vocabulary_of
from indexer.files.arrays import Int32Array
from indexer.names import Kind, Recogniser
from indexer.names.aliases import NO_REDIRECTS
from indexer.parallel import batches

BLOCK = 15  # paragraphs that a section holds at most
_TOGETHER = 4_000  # paragraphs


class Standing(NamedTuple):
    """A whole book: `names` and `terms` in the order of their keys, their columns the sentences that hold each.

    `paragraphs` and `sections` are lengths in sentences and in paragraphs; `dates` has a row a date: its sentence,
    first and last year; `size` counts terms with repeats; `aliases` lead to keys of `names`; `doc_ids` are the
    paragraphs'.
    """

    names: list[str]
    at_names: csc_array
    terms: list[str]
    at_terms: csc_array
    kinds: Mapping[str, Kind]
    aliases: Mapping[str, str]
    dates: Int32Array
    paragraphs: list[int]
    sections: list[int]
    size: int
    doc_ids: list[Run]


def standing(counted: Counted, names: Names) -> Standing:
    """A whole book, of all that was counted of it and the names that it has."""
    keys, at_names = names_at(counted, names)
    return Standing(
        keys,
        at_names,
        counted.terms,
        counted.at_terms,
        names.kinds,
        names.aliases,
        counted.dates,
        counted.paragraphs,
        sections(counted.titles),
        counted.size,
        counted.doc_ids,
    )


def book_of(
    counted: Counted,
    recogniser: Recogniser,
    analysis: Analyser,
    glossary: Sequence[str] = (),
    redirects: Mapping[str, str] = NO_REDIRECTS,
) -> Standing:
    """A whole book of all that was counted of it; see `names_of`."""
    return standing(counted, names_of(vocabulary_of(counted), recogniser, analysis, glossary, redirects))


def names_at(counted: Counted, names: Names) -> tuple[list[str], csc_array]:
    """The names among what was counted, under their full forms and sorted, and the sentences of each."""
    full = [names.full.get(name) for name in counted.names]
    keys = sorted(set(filter(None, full)))
    column = {key: number for number, key in enumerate(keys)}
    columns = np.array([-1 if key is None else column[key] for key in full], np.int32)
    return keys, incidence(columns[counted.mentions], counted.in_sentence, len(keys))


def sections(titles: Iterable[tuple[str, int]]) -> list[int]:
    """The lengths of sections in paragraphs: of runs of paragraphs with equal titles, at most 15 each."""
    lengths: list[int] = []
    before = None
    for title, size in titles:
        if title == before:
            joined = min(size, BLOCK - lengths[-1])
            lengths[-1] += joined
            size -= joined
        lengths += [BLOCK] * (size // BLOCK) + [size % BLOCK] * (size % BLOCK > 0)
        before = title
    return lengths


def sentences_of(matrix: csc_array, column: int) -> Int32Array:
    """The rows that hold a column, rising."""
    return np.asarray(matrix.indices[matrix.indptr[column] : matrix.indptr[column + 1]], np.int32)


def in_paragraphs(paragraphs: Sequence[int], at: csc_array) -> csr_array:
    """What stands in which sentences, by paragraphs: 1 wherever one of a paragraph's sentences has it."""
    rows, end = at.tocsr(), 0
    columns, widths = [np.zeros(0, np.int32)], [np.zeros(1, np.int32)]
    for lengths in batches(paragraphs, _TOGETHER):  # some at a time: sums of all would take twice the room
        ends = np.cumsum([0, *lengths], dtype=np.int32)
        start, end = end, end + int(ends[-1])
        ones, sentences = np.ones(ends[-1], np.float32), np.arange(ends[-1], dtype=np.int32)
        held = csr_array((ones, sentences, ends), (len(lengths), ends[-1])) @ rows[start:end]
        columns.append(held.indices)
        widths.append(np.diff(held.indptr))
    found, all_ends = np.concatenate(columns), np.cumsum(np.concatenate(widths))
    return csr_array((np.ones(len(found), np.int8), found, all_ends.astype(np.int32)), (len(paragraphs), at.shape[1]))
