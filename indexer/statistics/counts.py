"""A whole textbook's counts: the sentences of each name and term, paragraphs, sections and dates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from indexer.analysis import Analyser
from indexer.entities import Kind, Recogniser
from indexer.entities.aliases import NO_REDIRECTS
from indexer.files.arrays import Int32Array
from indexer.statistics.beside import BesideNames, added, beside_names
from indexer.statistics.counting import NameCounter, incidence
from indexer.statistics.doc_id_runs import Run
from indexer.statistics.spilled import Postings, Table
from indexer.statistics.vocabulary import Names, names_of
from indexer.workers import batches

BLOCK = 15  # paragraphs that a section holds at most
_TOGETHER = 4_000  # paragraphs
_NUMBERS = 1_000_000  # of notes and terms that are in memory at a time


class Standing(NamedTuple):
    """A whole book: `names` and `terms` in the order of their keys; the sentences that hold each, in that order; which
    of them the paragraphs hold; the words right beside each name.

    `sentences`, `paragraphs` and `sections` are lengths in terms, in sentences and in paragraphs; `dates` has a row a
    date: its sentence, first and last year; `size` counts terms with repeats; `aliases` lead to keys of `names`;
    `doc_ids` are the paragraphs'.
    """

    names: list[str]
    at_names: Iterable[Int32Array]
    names_held: Table
    beside: BesideNames
    terms: list[str]
    at_terms: Iterable[Int32Array]
    terms_held: Table
    kinds: Mapping[str, Kind]
    aliases: Mapping[str, str]
    dates: Int32Array
    sentences: Int32Array
    paragraphs: list[int]
    sections: list[int]
    size: int
    doc_ids: list[Run]


class _Counts:
    """The sentences that hold each column, and which columns the paragraphs hold; passages come in order."""

    def __init__(self, width: int) -> None:
        self._width = width
        self.at = Postings(width)
        self.held = Table(width)

    def see(self, columns: Int32Array, in_sentence: Int32Array, paragraphs: Sequence[int]) -> None:
        """Count passages: the columns of their sentences, those below 0 left out."""
        at = incidence(columns, in_sentence, self._width)
        self.at.append(at)
        self.held.append(in_paragraphs(paragraphs, at))


def book_of(
    counter: NameCounter,
    recogniser: Recogniser,
    analysis: Analyser,
    glossary: Sequence[str] = (),
    redirects: Mapping[str, str] = NO_REDIRECTS,
) -> Standing:
    """A whole book of all that was counted of it; see `names_of`. Of its numbers some are held in memory at a time."""
    terms, places = counter.terms()
    of_terms, often = _Counts(len(terms)), counter.notes_often(np.zeros(0, np.int32))
    paragraphs, dates, sentences, size = list[int](), [np.zeros((0, 3), np.int32)], 0, 0
    lengths = [np.zeros(0, np.int32)]
    for passages in counter.passages(_NUMBERS):
        of_terms.see(places[passages.terms], passages.terms_in_sentence, passages.paragraphs)
        often += counter.notes_often(passages.notes)
        dates.append(counter.dates(passages) + np.array([sentences, 0, 0], np.int32))
        paragraphs += passages.paragraphs
        lengths.append(passages.terms_in_sentence)
        sentences += len(passages.notes_in_sentence)
        size += len(passages.terms)
    sentences_of = dict(zip(terms, of_terms.at.often.tolist(), strict=True))
    vocabulary, name_of_note = counter.vocabulary(often.tolist(), sentences_of)
    names = names_of(vocabulary, recogniser, analysis, glossary, redirects)
    keys, columns = columns_of(vocabulary.mentions, names)
    del vocabulary, sentences_of  # of a long book they are large
    of_names, columns = _Counts(len(keys)), columns[name_of_note]
    words, numbers = counter.words()
    beside = beside_names(keys, np.zeros(0, np.int32), words, np.zeros((0, 2), np.int32))
    for passages in counter.passages(_NUMBERS):
        own = columns[passages.notes]
        beside = added(beside, beside_names(keys, own, words, numbers[passages.beside].reshape(-1, 2)))
        of_names.see(own, passages.notes_in_sentence, passages.paragraphs)  # last, for it sorts the columns in place
    return Standing(
        keys,
        of_names.at,
        of_names.held,
        beside,
        terms,
        of_terms.at,
        of_terms.held,
        names.kinds,
        names.aliases,
        np.concatenate(dates),
        np.concatenate(lengths),
        paragraphs,
        sections(counter.titles()),
        size,
        counter.doc_ids(),
    )


def columns_of(counted: Iterable[str], names: Names) -> tuple[list[str], Int32Array]:
    """The names of the book among those that were counted, under their full forms and sorted, and for each that was
    counted its column, or -1."""
    full = [names.full.get(name) for name in counted]
    keys = sorted(set(filter(None, full)))
    column = {key: number for number, key in enumerate(keys)}
    return keys, np.array([-1 if key is None else column[key] for key in full], np.int32)


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


def in_paragraphs(paragraphs: Sequence[int], at: csr_array) -> csr_array:
    """What stands in which sentences, by paragraphs: 1 wherever one of a paragraph's sentences has it."""
    end = 0
    columns, widths = [np.zeros(0, np.int32)], [np.zeros(1, np.int32)]
    for lengths in batches(paragraphs, _TOGETHER):  # some at a time: sums of all would take twice the room
        ends = np.cumsum([0, *lengths], dtype=np.int32)
        start, end = end, end + int(ends[-1])
        ones, sentences = np.ones(ends[-1], np.float32), np.arange(ends[-1], dtype=np.int32)
        held = csr_array((ones, sentences, ends), (len(lengths), ends[-1])) @ at[start:end]
        columns.append(held.indices)
        widths.append(np.diff(held.indptr))
    found, all_ends = np.concatenate(columns), np.cumsum(np.concatenate(widths))
    return csr_array((np.ones(len(found), np.int8), found, all_ends.astype(np.int32)), (len(paragraphs), at.shape[1]))
