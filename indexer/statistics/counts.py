"""A whole textbook's counts: the sentences of each name and term, paragraphs, sections and dates."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, islice
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np
from scipy.sparse import csr_array

from indexer.analysis import Analyser
from indexer.analysis.glossary import Glossary
from indexer.document import Document, Part
from indexer.engines.contract import Writer
from indexer.entities import Kind, Recogniser
from indexer.entities.aliases import NO_REDIRECTS, redirect_keys
from indexer.files.arrays import BoolArray, Int32Array, Int64Array
from indexer.languages.language import Language
from indexer.statistics.counting import NameCounter, PassageNotes, incidence, names_of, sentence_notes
from indexer.statistics.neighbours import NameNeighbours, add_neighbours, neighbours_by_name
from indexer.statistics.ragged import IdRun, OnesTable, Postings
from indexer.workers import batches

if TYPE_CHECKING:
    from indexer.statistics.counting import NameCounter

# Ways of cutting a book into passages: sentences, those with the sentences beside them, paragraphs, sections.


class Cut(NamedTuple):
    """`passages_of` turns a table of the sentences that hold something into one of the passages that do.

    Tables have a row for each name or term, 1 where it occurs, and columns in order. `sizes` are the passages' numbers
    of sentences.
    """

    passages_of: Callable[[csr_array], csr_array]
    sizes: Int64Array


def single(sentences: int) -> Cut:
    """Cut of a book by single sentences."""
    return Cut(lambda at: at, np.ones(sentences, np.int64))


def windows(paragraph_of: Int64Array) -> Cut:
    """Cut of a book by windows: every sentence with the one before and the one after it in its paragraph."""
    same = np.diff(paragraph_of) == 0
    edge = np.zeros(min(1, len(paragraph_of)), bool)
    has_before, has_after = np.concatenate((edge, same)), np.concatenate((same, edge))
    sizes = np.ones(len(paragraph_of), np.int64) + has_before + has_after
    return Cut(lambda at: _with_neighbours(at, has_before, has_after), sizes)


def groups(group_of: Int64Array) -> Cut:
    """Passages of sentences that follow each other: the number of the passage of each sentence, from 0, rising."""
    sizes = np.bincount(group_of)
    return Cut(lambda at: _group_columns(at, group_of, len(sizes)), sizes)


def _with_neighbours(at: csr_array, has_before: BoolArray, has_after: BoolArray) -> csr_array:
    """Occurrences with the columns before and after each, where `has_before` and `has_after` say that these belong to
    it."""
    rows, width = at.shape
    starts = np.arange(rows + 1, dtype=np.int64) * width
    places = np.repeat(starts[:-1], np.diff(at.indptr)) + at.indices
    before, after = places[has_before[at.indices]] - 1, places[has_after[at.indices]] + 1
    places = np.sort(np.concatenate((before, places, after)))
    places = places[np.diff(places, prepend=-1) > 0]
    ends = np.searchsorted(places, starts)
    return _ones(places - np.repeat(starts[:-1], np.diff(ends)), ends, width)


def _group_columns(at: csr_array, group_of: Int64Array, size: int) -> csr_array:
    """Joins columns into `size` groups (`group_of` maps columns to groups, in order): 1 wherever one of a group's has
    it."""
    columns = group_of[at.indices]
    new = np.ones(len(columns), bool)
    new[1:] = columns[1:] != columns[:-1]
    new[at.indptr[:-1][at.indptr[:-1] < len(new)]] = True
    return _ones(columns[new], np.concatenate(([0], np.cumsum(new)))[at.indptr], size)


def _ones(columns: Int64Array, ends: Int64Array, width: int) -> csr_array:
    """A table of ones with these columns, row after row; `ends` are the ends of the rows."""
    return csr_array((np.ones(len(columns)), columns, ends), (len(ends) - 1, width))


BLOCK = 15  # paragraphs that a section holds at most
_TOGETHER = 4_000  # paragraphs
_NUMBERS = 1_000_000  # of notes and terms that are in memory at a time


class BookCounts(NamedTuple):
    """A whole book: `names` and `terms` in the order of their keys; the sentences that hold each, in that order; which
    of them the paragraphs hold; the words right beside each name.

    `sentences`, `paragraphs` and `sections` are lengths in terms, in sentences and in paragraphs; `dates` has a row a
    date: its sentence, first and last year; `size` counts terms with repeats; `aliases` lead to keys of `names`;
    `doc_ids` are the paragraphs'.
    """

    names: list[str]
    at_names: Iterable[Int32Array]
    names_held: OnesTable
    beside: NameNeighbours
    terms: list[str]
    at_terms: Iterable[Int32Array]
    terms_held: OnesTable
    kinds: Mapping[str, Kind]
    aliases: Mapping[str, str]
    dates: Int32Array
    sentences: Int32Array
    paragraphs: list[int]
    sections: list[int]
    size: int
    doc_ids: list[IdRun]


class _Counts:
    """The sentences that hold each column, and which columns the paragraphs hold; passages come in order."""

    def __init__(self, width: int) -> None:
        self._width = width
        self.at = Postings(width)
        self.held = OnesTable(width)

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
) -> BookCounts:
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
    # The book's names under their full forms, sorted; for each that was counted its column, or -1.
    full = [names.full.get(name) for name in vocabulary.mentions]
    keys = sorted(set(filter(None, full)))
    column = {key: number for number, key in enumerate(keys)}
    columns = np.array([-1 if key is None else column[key] for key in full], np.int32)
    del vocabulary, sentences_of  # of a long book they are large
    of_names, columns = _Counts(len(keys)), columns[name_of_note]
    words, numbers = counter.words()
    beside = neighbours_by_name(keys, np.zeros(0, np.int32), words, np.zeros((0, 2), np.int32))
    for passages in counter.passages(_NUMBERS):
        own = columns[passages.notes]
        beside = add_neighbours(beside, neighbours_by_name(keys, own, words, numbers[passages.beside].reshape(-1, 2)))
        of_names.see(own, passages.notes_in_sentence, passages.paragraphs)  # last, for it sorts the columns in place
    return BookCounts(
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
    """Turns occurrences by sentence into occurrences by paragraph: 1 wherever one of a paragraph's sentences has the
    name or term."""
    end = 0
    columns, widths = [np.zeros(0, np.int32)], [np.zeros(1, np.int32)]
    for lengths in batches(paragraphs, _TOGETHER):  # some at a time: sums of all would take twice the memory
        ends = np.cumsum([0, *lengths], dtype=np.int32)
        start, end = end, end + int(ends[-1])
        ones, sentences = np.ones(ends[-1], np.float32), np.arange(ends[-1], dtype=np.int32)
        held = csr_array((ones, sentences, ends), (len(lengths), ends[-1])) @ at[start:end]
        columns.append(held.indices)
        widths.append(np.diff(held.indptr))
    found, all_ends = np.concatenate(columns), np.cumsum(np.concatenate(widths))
    return csr_array((np.ones(len(found), np.int8), found, all_ends.astype(np.int32)), (len(paragraphs), at.shape[1]))


# Makes the part `names` while a textbook is indexed: what its passages tell is counted, then written as documents.

NAMES = Part("names", (), ("name", "term"))
PACKAGES = ("numpy", "scipy")  # by which it is counted
_BATCH = 2000


class NameDerivation:
    """Makes the part `names` of what was noted of a textbook's passages while they were indexed.

    `part` is the main part. After a resumed build, whose first sources nobody noted, all
    that was written is read again. `redirects` gives the (alias, name) pairs that a build wrote, of a wiki's titles.
    """

    def __init__(
        self,
        language: Language,
        glossary: Glossary,
        part: str,
        redirects: Callable[[Writer], Iterable[tuple[str, str]]] | None = None,
    ) -> None:
        self._language = language
        self._glossary = glossary
        self._part = part
        self._counter = new_counter()
        self._redirects = redirects
        self._seen_all = True

    def see(self, notes: object) -> None:
        """Count the notes of a batch: a list of `PassageNotes`, None where an earlier build wrote them."""
        if notes is None:
            self._seen_all = False
        else:
            self._counter.see(cast("list[PassageNotes]", notes))

    def join(self, counter: NameCounter) -> None:
        """Take in what another process counted of the notes of its batches."""
        self._counter.join(counter)

    def documents(self, writer: Writer) -> Iterator[dict[str, list[Document]]]:
        """The documents, some thousand at a time; to be called when all sources are written."""
        if not self._seen_all:
            self._counter = _recount(writer, self._part, self._language, self._glossary)
        redirects = self._redirects(writer) if self._redirects else ()
        documents = name_documents(self._counter, self._language, self._glossary, redirects)
        while batch := list(islice(documents, _BATCH)):
            yield {NAMES.name: batch}


def name_documents(
    counter: NameCounter, language: Language, glossary: Glossary, redirects: Iterable[tuple[str, str]]
) -> Iterator[Document]:
    """The documents of all that was counted; `redirects` are the (alias, name) pairs of a wiki's titles."""
    from indexer.statistics.part import encode_book

    own = glossary.names()
    recogniser, analyser = language.recogniser(glossary), language.analyser(glossary.terms())
    book = book_of(counter, recogniser, analyser, own, redirect_keys(redirects, recogniser))
    return encode_book(book, language)


def new_counter() -> NameCounter:
    """Makes the counter of notes of a worker process."""
    from indexer.statistics.counting import NameCounter

    return NameCounter()


def _recount(writer: Writer, part: str, language: Language, glossary: Glossary) -> NameCounter:
    """The counts of all that was written to the main part, sentences or paragraphs."""
    analysis, names = language.analyser(glossary.terms()), language.recogniser(glossary)
    counter = new_counter()
    written = writer.searcher(part).scan()
    for doc_id, group in groupby(written, key=lambda found: (found.keys.get("paragraph") or (found.doc_id,))[0]):
        documents = list(group)
        title = (documents[0].keys.get("title") or ("",))[0]
        texts = [document.text for document in documents]
        sentences = texts if part == "sentences" else analysis.sentences(texts[0])
        counter.see([passage_notes(doc_id, title, sentences, analysis, names)])
    return counter


def passage_notes(
    doc_id: str, title: str, sentences: Sequence[str], analysis: Analyser, names: Recogniser
) -> PassageNotes:
    """The notes of a paragraph of these sentences; those without terms are in no index and left out."""
    noted = (sentence_notes(sentence, analysis.terms(sentence), names) for sentence in sentences)
    return PassageNotes(doc_id, title, [each for each in noted if each.terms])
