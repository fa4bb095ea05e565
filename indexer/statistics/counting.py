"""Counting passages: what their notes tell of names and terms as numbers, never the text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby
from operator import itemgetter
from typing import NamedTuple, TypeVar

import numpy as np
from scipy.sparse import csr_array

from indexer.analysis import Analyser
from indexer.entities import Kind, Mention, Recogniser
from indexer.entities.aliases import NO_REDIRECTS, aliases, kinds_of, with_redirects
from indexer.files.arrays import Int32Array, Int64Array
from indexer.statistics.neighbours import neighbour_words
from indexer.statistics.ragged import IdRun, Numbers, join_runs, run_of

# Counts of names and terms in a book, from which its names follow.

_COMMON = 0.1  # share of a word's sentences that have it as a name: up to this it is not a name


class Vocabulary(NamedTuple):
    """Counts of a vocabulary: of each name its mentions, the sure ones and the suggested kinds; of each term its
    sentences."""

    mentions: Mapping[str, int]
    sure: Mapping[str, int]
    cues: Mapping[tuple[str, Kind], int]
    words: Mapping[str, int]


class Names(NamedTuple):
    """The names of a book: `full` leads from every form to the one that it counts under; kinds; further aliases."""

    full: Mapping[str, str]
    kinds: Mapping[str, Kind]
    aliases: Mapping[str, str]


def names_of(
    vocabulary: Vocabulary,
    recogniser: Recogniser,
    analysis: Analyser,
    glossary: Sequence[str] = (),
    redirects: Mapping[str, str] = NO_REDIRECTS,
) -> Names:
    """The names of a book of this vocabulary.

    A name that occurs somewhere for sure (not by a sentence's capital letter only) counts wherever it occurs, and under
    its fullest form. A single word that is nearly always in lower case is not a name (the War), unless the glossary has
    it. `redirects` lead from keys to those of the names that they are aliases of.
    """
    kept = {mention.key for name in glossary for mention in recogniser.mentions(name)}
    known = {
        key: often
        for key, often in vocabulary.mentions.items()
        if key in kept or vocabulary.sure.get(key, 0) > _COMMON * _as_word(key, analysis, vocabulary.words)
    }
    cues: dict[str, Counter[Kind]] = {}  # how often each kind was suggested for a name, where any was
    for (key, kind), often in vocabulary.cues.items():
        if key in known:
            cues.setdefault(key, Counter())[kind] = often
    kinds = kinds_of(cues)
    full = with_redirects(aliases(known, kinds, recogniser), redirects, known, kinds)
    return Names({key: full.get(key, key) for key in known}, kinds, full)


def _as_word(key: str, analysis: Analyser, words: Mapping[str, int]) -> int:
    """Number of sentences in which a name of one word occurs as any word; 0 for longer names and dates."""
    terms = [] if " " in key or key.startswith("y:") else analysis.terms(key)
    return words.get(terms[0], 0) if len(terms) == 1 else 0


# Notes on a passage's names, made in the process that analyses its sentences.

KEY_LIMIT = 120  # characters; longer terms and names are ignored


class NameNote(NamedTuple):
    """A name in a sentence: its key, whether it is one for sure, the kind suggested here, the years of a date."""

    key: str
    sure: bool
    cue: Kind | None
    span: tuple[int, int] | None


class SentenceNotes(NamedTuple):
    """The terms and names of a sentence, in order, repeats kept; names that are too long are left out.

    `beside` has two words a name: those right before and right after it.
    """

    terms: Sequence[str]
    names: Sequence[NameNote]
    beside: Sequence[str]


class PassageNotes(NamedTuple):
    """A paragraph's sentences with terms, and the title of its section."""

    doc_id: str
    title: str
    sentences: Sequence[SentenceNotes]


def mentions_of(text: str, recogniser: Recogniser) -> list[Mention]:
    """The names of a sentence that are counted, in order."""
    return [mention for mention in recogniser.mentions(text) if len(mention.key) <= KEY_LIMIT]


def sentence_notes(text: str, terms: Sequence[str], recogniser: Recogniser) -> SentenceNotes:
    """The notes of one sentence that has these terms."""
    mentions = mentions_of(text, recogniser)
    names = [NameNote(each.key, each.sure, recogniser.cue(text, each), each.span) for each in mentions]
    beside = [word for each in mentions for word in neighbour_words(text, each.start, each.end)]
    return SentenceNotes(terms, names, beside)


Value = TypeVar("Value", bound=Hashable)


_NONE = np.zeros(0, np.int32)


class _Numbering(dict[Value, int]):
    """Numbers given to values in the order of their first coming."""

    def __missing__(self, key: Value) -> int:
        self[key] = len(self)
        return self[key]


class Passages(NamedTuple):
    """Passages that follow each other, as numbers: of notes and terms sentence after sentence, and how many each has;
    of the words right before and after each note, in turn; the lengths of paragraphs in sentences."""

    notes: Int32Array
    notes_in_sentence: Int32Array
    terms: Int32Array
    terms_in_sentence: Int32Array
    beside: Int32Array
    paragraphs: list[int]


class _PassageBlock(NamedTuple):
    """Passages that came together: where their numbers begin, and how many there are of each kind."""

    doc_id: str
    place: int
    sizes: tuple[int, ...]
    paragraphs: list[int]
    titles: list[tuple[str, int]]
    doc_ids: list[IdRun]


class NameCounter:
    """Takes the notes of a book's passages in any blocks, each in order; holds numbers, never the text.

    The numbers of a long book are in a file.
    """

    def __init__(self) -> None:
        self._blocks: list[_PassageBlock] = []
        self._numbers = Numbers()
        self._notes: _Numbering[NameNote] = _Numbering()
        self._terms: _Numbering[str] = _Numbering()
        self._words: _Numbering[str] = _Numbering()

    def see(self, passages: Sequence[PassageNotes]) -> None:
        """Count passages that follow each other; those without sentences are ignored."""
        passages = [passage for passage in passages if passage.sentences]
        if not passages:
            return
        sentences = [sentence for passage in passages for sentence in passage.sentences]
        numbers = (
            *_number_values([sentence.names for sentence in sentences], self._notes),
            *_number_values([sentence.terms for sentence in sentences], self._terms),
            _number_values([sentence.beside for sentence in sentences], self._words)[0],
        )
        self._blocks.append(
            _PassageBlock(
                passages[0].doc_id,
                self._numbers.append(np.concatenate(numbers)),
                tuple(map(len, numbers)),
                [len(passage.sentences) for passage in passages],
                _runs((passage.title, 1) for passage in passages),
                join_runs(run_of(passage.doc_id) for passage in passages),
            )
        )

    def join(self, other: NameCounter) -> None:
        """Count what another one did, too, of other blocks."""
        notes = np.array([self._notes[note] for note in other._notes], np.int32)
        terms = np.array([self._terms[term] for term in other._terms], np.int32)
        words = np.array([self._words[word] for word in other._words], np.int32)
        for block in other._blocks:
            noted, in_sentence, held, terms_in_sentence, beside = other._read(block)
            numbers = np.concatenate([notes[noted], in_sentence, terms[held], terms_in_sentence, words[beside]])
            self._blocks.append(block._replace(place=self._numbers.append(numbers)))

    def _read(self, block: _PassageBlock) -> list[Int32Array]:
        """The numbers of a block: its notes, how many each sentence has, the same of its terms, the words beside."""
        numbers = self._numbers.read(block.place, sum(block.sizes))
        return np.split(numbers, np.cumsum(block.sizes[:-1]))

    def passages(self, together: int) -> Iterator[Passages]:
        """All passages in the order of their doc_ids, about `together` numbers at a time."""
        waiting, size = list[_PassageBlock](), 0
        for block in self._sorted_blocks():
            waiting.append(block)
            size += sum(block.sizes)
            if size >= together:
                yield self._passages(waiting)
                waiting, size = [], 0
        if waiting:
            yield self._passages(waiting)

    def _passages(self, blocks: Sequence[_PassageBlock]) -> Passages:
        """Reads the notes of some blocks and joins them."""
        parts = zip([_NONE] * 5, *map(self._read, blocks), strict=True)
        notes, notes_in_sentence, terms, terms_in_sentence, beside = map(np.concatenate, parts)
        lengths = [length for block in blocks for length in block.paragraphs]
        return Passages(notes, notes_in_sentence, terms, terms_in_sentence, beside, lengths)

    def _sorted_blocks(self) -> list[_PassageBlock]:
        return sorted(self._blocks, key=lambda block: block.doc_id)

    def terms(self) -> tuple[list[str], Int32Array]:
        """The terms sorted, without those that are too long, and for each number the place of its term, or -1."""
        return _in_order(self._terms)

    def words(self) -> tuple[list[str], Int32Array]:
        """The words beside names, sorted, and for each number the place of its word."""
        return _in_order(self._words)

    def vocabulary(self, often: Sequence[int], words: Mapping[str, int]) -> tuple[Vocabulary, Int32Array]:
        """The vocabulary of all notes with their frequencies, the names sorted, and the neighbouring words; for each
        note the place of its name."""
        notes = list(self._notes)
        names = sorted({note.key for note in notes})
        mentions, sure, cues = dict.fromkeys(names, 0), dict.fromkeys(names, 0), Counter[tuple[str, Kind]]()
        for note, times in zip(notes, often, strict=True):
            mentions[note.key] += times
            sure[note.key] += note.sure * times
            if note.cue:
                cues[note.key, note.cue] += times
        column = {name: number for number, name in enumerate(names)}
        columns = np.array([column[note.key] for note in notes], np.int32)
        return Vocabulary(mentions, sure, cues, words), columns

    def notes_often(self, noted: Int32Array) -> Int64Array:
        """Frequency of each note among these."""
        return np.bincount(noted, minlength=len(self._notes))

    def dates(self, passages: Passages) -> Int32Array:
        """The dates of passages, a row each: its sentence, its first and last year."""
        years = np.array([note.span or (0, 0) for note in self._notes], np.int32).reshape(-1, 2)
        dates = np.flatnonzero(np.array([note.span is not None for note in self._notes], bool)[passages.notes])
        sentences = np.searchsorted(np.cumsum(passages.notes_in_sentence), dates, "right").astype(np.int32)
        return np.column_stack([sentences, years[passages.notes[dates]]])

    def titles(self) -> list[tuple[str, int]]:
        """Runs of paragraphs with equal titles, with their lengths."""
        return _runs(run for block in self._sorted_blocks() for run in block.titles)

    def doc_ids(self) -> list[IdRun]:
        """The paragraphs' doc_ids."""
        return join_runs(run for block in self._sorted_blocks() for run in block.doc_ids)


def _in_order(numbers: Mapping[str, int]) -> tuple[list[str], Int32Array]:
    """The strings sorted, without those that are too long, and for each number the place of its string, or -1."""
    strings = sorted(string for string in numbers if len(string) <= KEY_LIMIT)
    places = np.full(len(numbers), -1, np.int32)
    places[[numbers[string] for string in strings]] = np.arange(len(strings), dtype=np.int32)
    return strings, places


def _number_values(lists: Sequence[Sequence[Value]], numbers: _Numbering[Value]) -> tuple[Int32Array, Int32Array]:
    """The numbers of all values, list after list, and the lengths of the lists."""
    found = np.fromiter(map(numbers.__getitem__, chain.from_iterable(lists)), np.int32)
    return found, np.fromiter(map(len, lists), np.int32)


def _runs(titles: Iterable[tuple[str, int]]) -> list[tuple[str, int]]:
    """Runs of titles, those made one that follow each other and are equal, with their number."""
    return [(title, sum(size for _, size in run)) for title, run in groupby(titles, itemgetter(0))]


def incidence(columns: Int32Array, in_row: Int32Array, width: int) -> csr_array:
    """Incidence matrix of columns in rows, 1 each; columns below 0 are left out."""
    ends = np.concatenate([[0], np.cumsum(in_row)])
    kept = columns >= 0
    if not kept.all():
        ends = np.concatenate([[0], np.cumsum(kept)])[ends]
        columns = columns[kept]
    ones = np.ones(len(columns), np.int8)
    found = csr_array((ones, columns, ends.astype(np.int32)), (len(in_row), width))
    found.sum_duplicates()
    found.data[:] = 1
    return found
