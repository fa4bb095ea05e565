"""Corpus statistics of a textbook, counted while it is indexed: entities, terms, neighbours,
sections and dates."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import accumulate, chain, groupby, islice
from sys import intern
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from indexer.engines.contract import Document
from indexer.entities import KINDS, Kind
from indexer.entities.aliases import NO_REDIRECTS, names_of, redirect_keys
from indexer.files.arrays import Int32Array
from indexer.languages.language import Language
from indexer.statistics.forms import (
    EVERY,
    LAYOUT,
    NAME,
    NAMES,
    ROWS,
    TERM,
    VECTORS,
    VERSION,
    WORD,
    IdRun,
    encode_block,
    join_runs,
    run_of,
)
from indexer.statistics.lsa import vectors_of
from indexer.statistics.notes import KEY_LIMIT, NameNote, PassageNotes
from indexer.statistics.ragged import (
    Numbers,
    Occurrences,
    add_occurrences,
    column_blocks,
)

if TYPE_CHECKING:
    from indexer.analysis.analyser import Analyser, Recogniser
    from indexer.analysis.glossary import Glossary
    from indexer.engines.writing import Writer

# Notes as numbers: a book of a million sentences does not fit in memory as text.


class PassageBlock(NamedTuple):
    """Passages counted together: the first one's doc_id, the offset of their numbers in `Numbers`
    and the lengths of the five arrays there; paragraphs' lengths in sentences and titles; runs of
    doc_ids."""

    doc_id: str
    offset: int
    sizes: tuple[int, ...]
    paragraphs: list[int]
    titles: list[str]
    doc_ids: list[IdRun]


def _numbering() -> defaultdict[Any, int]:
    """A dict that numbers the values that are looked up in it, from 0 in order of first look-up."""
    numbers = defaultdict[Any, int]()
    numbers.default_factory = numbers.__len__
    return numbers


@dataclass
class NameCounter:
    """Counts the notes of a textbook's passages, which come in blocks; it keeps numbers, not the
    text.

    `notes`, `terms` and `words` (right beside names) number the different values, from 0.
    """

    notes: dict[NameNote, int] = field(default_factory=_numbering)
    terms: dict[str, int] = field(default_factory=_numbering)
    words: dict[str, int] = field(default_factory=_numbering)
    blocks: list[PassageBlock] = field(default_factory=list)
    numbers: Numbers = field(default_factory=Numbers)

    def count(self, passages: Sequence[PassageNotes]) -> None:
        """Adds consecutive passages, but for those without sentences, as a block: the numbers of
        their names, terms and words beside names, how many each sentence has, and the passages'
        lengths, titles and doc_ids; no block if no passage is left."""
        passages = [passage for passage in passages if passage.sentences]
        if not passages:
            return
        sentences = [sentence for passage in passages for sentence in passage.sentences]
        arrays: list[Int32Array] = []
        noted: tuple[tuple[dict[Any, int], list[Sequence[Any]]], ...] = (
            (self.notes, [sentence.names for sentence in sentences]),
            (self.terms, [sentence.terms for sentence in sentences]),
            (self.words, [sentence.beside for sentence in sentences]),
        )
        for numbers, lists in noted:
            lengths = np.fromiter(map(len, lists), np.int32, len(lists))
            values = map(numbers.__getitem__, chain.from_iterable(lists))
            arrays += [np.fromiter(values, np.int32, int(lengths.sum())), lengths]
        del arrays[-1]  # each name has two words
        self.blocks.append(
            PassageBlock(
                passages[0].doc_id,
                self.numbers.append(np.concatenate(arrays)),
                tuple(map(len, arrays)),
                [len(passage.sentences) for passage in passages],
                [intern(passage.title) for passage in passages],
                join_runs(run_of(passage.doc_id) for passage in passages),
            )
        )


# The whole book: its names are known once all is counted, so that the numbers are gone through
# twice.

SECTION = (
    15  # paragraphs that a section holds at most: what is further apart is about something else
)
_NUMBERS = 1_000_000  # of notes and terms that are in memory at a time


class _BlockNumbers(NamedTuple):
    """The numbers of some blocks, joined.

    `paragraphs` are the paragraphs' lengths in sentences; `notes` the numbers of names' notes,
    `notes_in_sentence` how many each sentence has; `terms` and `terms_in_sentence` those of terms;
    `words_beside` are the words right before and after each note, by turns.
    """

    paragraphs: list[int]
    notes: Int32Array
    notes_in_sentence: Int32Array
    terms: Int32Array
    terms_in_sentence: Int32Array
    words_beside: Int32Array


def book_documents(
    counter: NameCounter,
    language: Language,
    recogniser: Recogniser,
    analysis: Analyser,
    glossary: Sequence[str] = (),
    redirects: Mapping[str, str] = NO_REDIRECTS,
) -> Iterator[Document]:
    """Yields the documents that store a textbook's statistics; `glossary` are names that always
    count, `redirects` map alias keys to keys, as in `names_of`.

    Terms and words of more than 120 characters are left out. `layout`: lengths of sentences in
    terms, of paragraphs in sentences and of sections (neighbours of equal title, at most 15) in
    paragraphs, the dates with their sentences, the number of terms, the paragraphs' doc_ids in
    runs. `names:N`, 128 names, found by each of them and by their aliases:
    kinds, their sentences, and the words right before and after them. `words:N`: how often each of
    128 words occurs right beside names of each kind. `terms:N`: the sentences that contain each of
    128 terms. `vectors:N`: blocks of paragraph vectors, all found by the name `vectors:`.
    """
    blocks = sorted(counter.blocks, key=lambda block: block.doc_id)
    ends = accumulate(sum(block.sizes) for block in blocks)
    parts = [
        [n for n, _ in group]
        for _, group in groupby(enumerate(ends), lambda end: end[1] // _NUMBERS)
    ]

    def read(part: list[int]) -> _BlockNumbers:
        """The numbers of the blocks at some positions."""
        some = [blocks[number] for number in part]
        numbers = [counter.numbers.read(block.offset, sum(block.sizes)) for block in some]
        arrays = [
            np.split(read, np.cumsum(block.sizes[:-1]))
            for read, block in zip(numbers, some, strict=True)
        ]
        paragraphs = [length for block in some for length in block.paragraphs]
        return _BlockNumbers(paragraphs, *map(np.concatenate, zip(*arrays, strict=True)))

    terms, place_of_term = _sorted_strings(counter.terms)
    words, place_of_word = _sorted_strings(counter.words)
    notes = list(counter.notes)
    years = np.array([note.span or (0, 0) for note in notes], np.int32).reshape(-1, 2)
    is_date = np.array([note.span is not None for note in notes], bool)
    often = np.zeros(len(notes), np.int64)
    of_terms = Occurrences(np.zeros(len(terms), np.int64))
    sentences, dates = [np.zeros(0, np.int32)], [np.zeros((0, 3), np.int32)]
    for part in map(read, parts):
        dated = np.flatnonzero(is_date[part.notes])
        at = np.searchsorted(np.cumsum(part.notes_in_sentence), dated, "right")
        sentence = (at + of_terms.sentences).astype(np.int32)
        dates.append(np.column_stack([sentence, years[part.notes[dated]]]))
        often += np.bincount(part.notes, minlength=len(notes))
        sentences.append(part.terms_in_sentence)
        add_occurrences(
            of_terms, place_of_term[part.terms], part.terms_in_sentence, part.paragraphs
        )

    sentences_of_terms = dict(zip(terms, of_terms.often.tolist(), strict=True))
    book_names = _find_names(
        notes,
        often.tolist(),
        sentences_of_terms,
        recogniser,
        analysis,
        glossary,
        redirects,
    )
    del sentences_of_terms  # of a long book it is large
    names, kinds = book_names.names, book_names.kinds

    of_names = Occurrences(np.zeros(len(names), np.int64))
    nobody, shape = np.zeros(0, np.int32), (len(names), len(words))
    before = after = count_neighbours(nobody, nobody, shape)
    for part in map(read, parts):
        names_noted = book_names.of_note[part.notes]
        beside = place_of_word[part.words_beside].reshape(-1, 2)
        before = before + count_neighbours(names_noted, beside[:, 0], shape)
        after = after + count_neighbours(names_noted, beside[:, 1], shape)
        add_occurrences(of_names, names_noted, part.notes_in_sentence, part.paragraphs)

    layout = _book_layout(blocks, language, np.concatenate(sentences), np.concatenate(dates))
    yield Document(LAYOUT, "", {}, {}, layout)
    # vectors are computed, outside Python's lock, while the other documents are taken
    with ThreadPoolExecutor(1) as pool:
        computing = pool.submit(vectors_of, [of_names, of_terms])
        yield from _name_documents(book_names, of_names, words, (before, after))
        counts = neighbours_by_kind(names, words, (before, after), kinds)
        beside_names = list(counts)
        for number, start in enumerate(range(0, len(counts), ROWS)):
            block = beside_names[start : start + ROWS]
            payload = encode_block(counts=np.array([counts[word] for word in block]))
            yield Document(f"words:{number:06}", "", {}, {WORD: block}, payload)
        for number, table in enumerate(column_blocks(of_terms, ROWS)):
            keys = {TERM: terms[number * ROWS : (number + 1) * ROWS]}
            yield Document(f"terms:{number:06}", "", {}, keys, encode_block(sentences=table))
        for number, rows in enumerate(computing.result()):
            payload = encode_block(rows=rows.astype("<f2"))
            yield Document(f"{VECTORS}{number:06}", "", {}, {NAME: (VECTORS,)}, payload)


def _name_documents(
    book_names: _BookNames,
    of_names: Occurrences,
    words: Sequence[str],
    beside: tuple[csr_array, csr_array],
) -> Iterator[Document]:
    """Yields the documents of the names. A document's keys are its names, in order, and then their
    aliases; `alias_of` has the row of the name of each alias. `beside` are two tables, counts of
    the words before and after names (a row is a name, a column one of `words`)."""
    aliases: dict[str, list[str]] = defaultdict(list)
    for alias, key in sorted(book_names.aliases.items()):
        aliases[key].append(alias)
    for number, at in enumerate(column_blocks(of_names, ROWS)):
        rows = slice(number * ROWS, (number + 1) * ROWS)
        names = book_names.names[rows]
        also = [(alias, row) for row, name in enumerate(names) for alias in aliases.get(name, ())]
        before, after = (side[rows] for side in beside)
        used = np.union1d(before.indices, after.indices)
        payload = encode_block(
            kinds=[book_names.kinds.get(name, "other") for name in names],
            alias_of=[row for _, row in also],
            sentences=at,
            words=[words[word] for word in used.tolist()],
            before=before[:, used],
            after=after[:, used],
        )
        keys = {NAME: [*names, *(alias for alias, _ in also)]}
        yield Document(f"names:{number:06}", "", {}, keys, payload)


class _BookNames(NamedTuple):
    """The names of a book: `names` in order; `of_note`, the row of each note's name, -1 where that
    turned out not to be one; the kind of each name; the key that each alias means."""

    names: list[str]
    of_note: Int32Array
    kinds: Mapping[str, Kind]
    aliases: Mapping[str, str]


def _find_names(
    notes: Sequence[NameNote],
    often: Sequence[int],
    sentences_of_terms: Mapping[str, int],
    recogniser: Recogniser,
    analysis: Analyser,
    glossary: Sequence[str],
    redirects: Mapping[str, str],
) -> _BookNames:
    """Decides which notes are names by the counts of the whole book (`names_of`): the names sorted,
    and of each note the position of its name among them, −1 for none."""
    mentions, sure, cues = Counter[str](), Counter[str](), Counter[tuple[str, Kind]]()
    for note, times in zip(notes, often, strict=True):
        mentions[note.key] += times
        sure[note.key] += note.sure * times
        if note.cue:
            cues[note.key, note.cue] += times
    full, kinds, aliases = names_of(
        mentions, sure, cues, sentences_of_terms, recogniser, analysis, glossary, redirects
    )
    names = sorted(set(full.values()))
    row = {name: number for number, name in enumerate(names)}
    of_note = [row.get(full.get(note.key, ""), -1) for note in notes]
    return _BookNames(names, np.array(of_note, np.int32), kinds, aliases)


def _book_layout(
    blocks: Sequence[PassageBlock], language: Language, lengths: Int32Array, dates: Int32Array
) -> str:
    """The payload of the document `layout` (see `book_documents`); `lengths` are those of the
    book's sentences in terms, rows of `dates` a sentence, first and last year."""
    sections = list[int]()
    for _, run in groupby(chain.from_iterable(block.titles for block in blocks)):
        size = len(list(run))
        sections += [SECTION] * (size // SECTION) + [size % SECTION] * (size % SECTION > 0)
    return encode_block(
        version=VERSION,
        language=language.code,
        terms=int(lengths.sum(dtype=np.int64)),
        sentences=lengths,
        paragraphs=np.array([size for block in blocks for size in block.paragraphs], np.int64),
        sections=np.array(sections, np.int64),
        dates=dates,
        doc_ids=join_runs(run for block in blocks for run in block.doc_ids),
    )


def _sorted_strings(numbers: Mapping[str, int]) -> tuple[list[str], Int32Array]:
    """The sorted strings, without those of more than `KEY_LIMIT` (120) characters, and an array
    that maps a string's number to its index in them, -1 if it is left out."""
    strings = sorted(string for string in numbers if len(string) <= KEY_LIMIT)
    places = np.full(len(numbers), -1, np.int32)
    places[[numbers[string] for string in strings]] = np.arange(len(strings), dtype=np.int32)
    return strings, places


def count_neighbours(names: Int32Array, words: Int32Array, shape: tuple[int, int]) -> csr_array:
    """Table of `shape` of how often each word (column) is beside each name (row); mention i has row
    `names[i]` and column `words[i]`, and is left out if the row is negative."""
    mask = names >= 0
    counts = csr_array((np.ones(int(mask.sum()), np.int32), (names[mask], words[mask])), shape)
    counts.sum_duplicates()
    return counts


def neighbours_by_kind(
    names: Sequence[str],
    words: Sequence[str],
    beside: Sequence[csr_array],
    kinds: Mapping[str, Kind],
) -> dict[str, Int32Array]:
    """Maps each word to its counts right before names of each of `KINDS`, followed by those right
    after them, and `EVERY` to the sums over all words; words without counts are left out.

    `beside` are two tables, counts before and after names (rows names, columns words). Names
    without a kind are of the kind `other`.
    """
    kind = np.array([KINDS.index(kinds.get(name, "other")) for name in names], np.int32)
    of_kind = count_neighbours(kind, np.arange(len(kind), dtype=np.int32), (len(KINDS), len(kind)))
    counts = np.vstack([(of_kind @ side).toarray() for side in beside]).T
    counts = np.vstack((counts, counts.sum(axis=0))).astype(np.int32)
    return {word: row for word, row in zip([*words, EVERY], counts, strict=True) if row.any()}


# Makes the part `names` while a textbook is indexed: what its passages tell is counted, then
# written as documents.

_DOCUMENTS = 50  # that are handed to the writer at a time


def derive_names(
    counter: NameCounter,
    language: Language,
    glossary: Glossary | None,
    redirects: Callable[[Writer], Iterable[tuple[str, str]]] | None,
    writer: Writer,
) -> Iterator[dict[str, list[Document]]]:
    """Yields the documents of the part `names`, some at a time, each time as {`names`: documents},
    when all sources are written. `redirects` reads the (alias, name) pairs of wiki titles that the
    build wrote."""
    recogniser, analyser = (
        language.recogniser(glossary),
        language.analyser(glossary.terms() if glossary else {}, books=True),
    )
    keys = redirect_keys(redirects(writer), recogniser) if redirects else NO_REDIRECTS
    documents = book_documents(
        counter, language, recogniser, analyser, glossary.names() if glossary else (), keys
    )
    while batch := list(islice(documents, _DOCUMENTS)):
        yield {NAMES.name: batch}
