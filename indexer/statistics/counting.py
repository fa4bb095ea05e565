"""Corpus statistics of a textbook, counted while it is indexed: entities, terms, neighbours, sections and dates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, chain, groupby, islice
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np
from scipy.sparse import csr_array

from indexer.analysis.analyser import Analyser
from indexer.analysis.glossary import Glossary
from indexer.document import Document
from indexer.entities import Kind, Mention, Recogniser
from indexer.entities.aliases import NO_REDIRECTS, aliases, kinds_of, redirect_keys
from indexer.files.arrays import Int32Array
from indexer.languages.language import Language
from indexer.statistics.part import NAMES, BookCounts, count_neighbours, encode_book, neighbour_words
from indexer.statistics.ragged import IdRun, Numbers, OnesTable, Postings, join_runs, run_of

if TYPE_CHECKING:
    from indexer.engines.writing import Writer

_COMMON = 0.1  # share of a word's sentences that have it as a name: up to this it is not a name


class Names(NamedTuple):
    """The named entities of a textbook: `full` maps each key to the key that it counts under; `kinds` maps keys to
    kinds; `aliases` maps alias keys, also without mentions, to keys."""

    full: Mapping[str, str]
    kinds: Mapping[str, Kind]
    aliases: Mapping[str, str]


def names_of(
    mentions: Mapping[str, int],
    sure: Mapping[str, int],
    cues: Mapping[tuple[str, Kind], int],
    words: Mapping[str, int],
    recogniser: Recogniser,
    analysis: Analyser,
    glossary: Sequence[str] = (),
    redirects: Mapping[str, str] = NO_REDIRECTS,
) -> Names:
    """Selects the named entities of a textbook from its counts, with their kinds and aliases.

    The counts: `mentions` of each key, those of them that are surely names (not only by a sentence's capital letter),
    mentions for which a kind was suggested by (key, kind), and sentences that contain each term (`words`). A key counts
    if it is surely a name often enough compared with the sentences that contain it as a word, or is in the glossary; so
    a word mostly in lower case (the War) is not a name. `redirects` maps alias keys to keys.
    """
    kept = {mention.key for name in glossary for mention in recogniser.mentions(name)}
    known = {}
    for key, often in mentions.items():
        # names of several words and dates are not words of lower case elsewhere
        terms = [] if " " in key or key.startswith("y:") else analysis.terms(key)
        as_word = words.get(terms[0], 0) if len(terms) == 1 else 0
        if key in kept or sure.get(key, 0) > _COMMON * as_word:
            known[key] = often
    suggested: dict[str, Counter[Kind]] = {}  # how often each kind was suggested for a name, where any was
    for (key, kind), often in cues.items():
        if key in known:
            suggested.setdefault(key, Counter())[kind] = often
    kinds = kinds_of(suggested)
    full = aliases(known, kinds, recogniser, redirects)
    return Names({key: full.get(key, key) for key in known}, kinds, full)


# Notes on a passage's names, made in the process that analyses its sentences.

KEY_LIMIT = 120  # characters; longer terms and names, mostly damage, are ignored


class NameNote(NamedTuple):
    """A name in a sentence: its key, whether it is surely a name, the kind suggested by its context, first and last
    year of a date."""

    key: str
    sure: bool
    cue: Kind | None
    span: tuple[int, int] | None


class SentenceNotes(NamedTuple):
    """Terms and names of a sentence, in order, repeats kept; names that are too long are left out.

    `beside` has two words for each name: the one right before and the one right after it.
    """

    terms: Sequence[str]
    names: Sequence[NameNote]
    beside: Sequence[str]


class PassageNotes(NamedTuple):
    """A paragraph's doc_id, the title of its section, and the notes of its sentences."""

    doc_id: str
    title: str
    sentences: Sequence[SentenceNotes]


def mentions_of(text: str, recogniser: Recogniser) -> list[Mention]:
    """The names of a sentence that are counted, in order."""
    return [mention for mention in recogniser.mentions(text) if len(mention.key) <= KEY_LIMIT]


def sentence_notes(text: str, terms: Sequence[str], recogniser: Recogniser) -> SentenceNotes:
    """Notes of a sentence: the given terms, its names as found by the recogniser, and the words beside them."""
    mentions = mentions_of(text, recogniser)
    names = [NameNote(each.key, each.sure, recogniser.cue(text, each), each.span) for each in mentions]
    beside = [word for each in mentions for word in neighbour_words(text, each.start, each.end)]
    return SentenceNotes(terms, names, beside)


def passage_notes(
    doc_id: str, title: str, sentences: Sequence[str], analysis: Analyser, names: Recogniser
) -> PassageNotes:
    """The notes of a paragraph of these sentences; those without terms are in no index and left out."""
    noted = (sentence_notes(sentence, analysis.terms(sentence), names) for sentence in sentences)
    return PassageNotes(doc_id, title, [each for each in noted if each.terms])


# Notes as numbers: a book of a million sentences does not fit in memory as text.

Value = TypeVar("Value", bound=Hashable)


class _Numbering(dict[Value, int]):
    """Dictionary that numbers values in order of first appearance, from 0; looking up a new value adds it."""

    def __missing__(self, key: Value) -> int:
        self[key] = len(self)
        return self[key]


class PassageBlock(NamedTuple):
    """Passages counted together: the first one's doc_id, the offset of their numbers in `Numbers` and the lengths of
    the five arrays there; paragraphs' lengths in sentences; runs of equal titles, as (title, paragraphs), and of
    doc_ids."""

    doc_id: str
    place: int
    sizes: tuple[int, ...]
    paragraphs: list[int]
    titles: list[tuple[str, int]]
    doc_ids: list[IdRun]


class NameCounter:
    """Counts the notes of a textbook's passages, which come in blocks in any order; it keeps numbers, not the text.

    `notes`, `terms` and `words` (right beside names) number the different values. The numbers of a long textbook are in
    a file. `saw_all` is False once an interrupted build wrote some of the passages.
    """

    def __init__(self) -> None:
        self.notes: _Numbering[NameNote] = _Numbering()
        self.terms: _Numbering[str] = _Numbering()
        self.words: _Numbering[str] = _Numbering()
        self.saw_all = True
        self._blocks: list[PassageBlock] = []
        self._numbers = Numbers()

    def see(self, passages: Sequence[PassageNotes] | None) -> None:
        """Counts consecutive passages, but for those without sentences; None says that an interrupted build wrote the
        passages."""
        self.saw_all &= passages is not None
        passages = [passage for passage in passages or () if passage.sentences]
        if not passages:
            return
        sentences = [sentence for passage in passages for sentence in passage.sentences]
        numbers = (
            *_number_values([sentence.names for sentence in sentences], self.notes),
            *_number_values([sentence.terms for sentence in sentences], self.terms),
            _number_values([sentence.beside for sentence in sentences], self.words)[0],
        )
        self._blocks.append(
            PassageBlock(
                passages[0].doc_id,
                self._numbers.append(np.concatenate(numbers)),
                tuple(map(len, numbers)),
                [len(passage.sentences) for passage in passages],
                _join_titles((passage.title, 1) for passage in passages),
                join_runs(run_of(passage.doc_id) for passage in passages),
            )
        )

    def join(self, other: NameCounter) -> None:
        """Adds the blocks that another counter has counted; that stays unchanged."""
        notes = np.array([self.notes[note] for note in other.notes], np.int32)
        terms = np.array([self.terms[term] for term in other.terms], np.int32)
        words = np.array([self.words[word] for word in other.words], np.int32)
        for block in other._blocks:
            noted, in_sentence, held, terms_in_sentence, beside = other._read(block)
            numbers = np.concatenate([notes[noted], in_sentence, terms[held], terms_in_sentence, words[beside]])
            self._blocks.append(block._replace(place=self._numbers.append(numbers)))

    def _read(self, block: PassageBlock) -> list[Int32Array]:
        """The five arrays of a block, as in `passages`."""
        return np.split(self._numbers.read(block.place, sum(block.sizes)), np.cumsum(block.sizes[:-1]))

    def passages(self, together: int) -> Iterator[tuple[list[Int32Array], list[int]]]:
        """Yields all passages in the order of their doc_ids, about `together` numbers at a time: five arrays, and the
        paragraphs' lengths in sentences.

        The arrays: the numbers of names' notes, sentence after sentence, and how many each sentence has; those of
        terms, and how many; the words right before and right after each note, alternately.
        """
        ordered = self.blocks()
        ends = accumulate(sum(block.sizes) for block in ordered)
        for _, group in groupby(zip(ends, ordered, strict=True), lambda pair: pair[0] // together):
            blocks = [block for _, block in group]
            arrays = [np.concatenate(each) for each in zip(*map(self._read, blocks), strict=True)]
            yield arrays, [length for block in blocks for length in block.paragraphs]

    def blocks(self) -> list[PassageBlock]:
        """What came together, in the order of the doc_ids."""
        return sorted(self._blocks, key=lambda block: block.doc_id)


def _number_values(lists: Sequence[Sequence[Value]], numbers: _Numbering[Value]) -> tuple[Int32Array, Int32Array]:
    """The numbers of all values, list after list, and the lengths of the lists."""
    values = np.fromiter(map(numbers.__getitem__, chain.from_iterable(lists)), np.int32)
    return values, np.fromiter(map(len, lists), np.int32)


def _join_titles(titles: Iterable[tuple[str, int]]) -> list[tuple[str, int]]:
    """Runs of titles, those made one that follow each other and are equal, with their number."""
    return [(title, sum(size for _, size in run)) for title, run in groupby(titles, itemgetter(0))]


# The whole book: its names are known once all is counted, so that the numbers are gone through twice.

SECTION = 15  # paragraphs that a section holds at most: what is further apart is about something else
_NUMBERS = 1_000_000  # of notes and terms that are in memory at a time


def book_of(
    counter: NameCounter,
    recogniser: Recogniser,
    analysis: Analyser,
    glossary: Sequence[str] = (),
    redirects: Mapping[str, str] = NO_REDIRECTS,
) -> BookCounts:
    """Corpus statistics of a textbook from its counter's notes; part of the numbers is in memory at a time.

    `glossary` are names that always count, `redirects` map alias keys to keys, as in `names_of`.
    """
    terms, place_of_term = _sorted_strings(counter.terms)
    words, place_of_word = _sorted_strings(counter.words)
    notes = list(counter.notes)
    years = np.array([note.span or (0, 0) for note in notes], np.int32).reshape(-1, 2)
    is_date = np.array([note.span is not None for note in notes], bool)
    often = np.zeros(len(notes), np.int64)
    at_terms, terms_held = Postings(len(terms)), OnesTable(len(terms))
    paragraphs, dates = list[int](), [np.zeros((0, 3), np.int32)]
    sentences = [np.zeros(0, np.int32)]
    for (noted, in_sentence, held, terms_in_sentence, _), lengths in counter.passages(_NUMBERS):
        _add_occurrences(at_terms, terms_held, place_of_term[held], terms_in_sentence, lengths)
        often += np.bincount(noted, minlength=len(notes))
        dated = np.flatnonzero(is_date[noted])
        sentence = np.searchsorted(np.cumsum(in_sentence), dated, "right").astype(np.int32)
        dates.append(np.column_stack([sentence + np.int32(sum(map(len, sentences))), years[noted[dated]]]))
        paragraphs += lengths
        sentences.append(terms_in_sentence)

    forms = sorted({note.key for note in notes})
    mentions, sure, cues = dict.fromkeys(forms, 0), dict.fromkeys(forms, 0), Counter[tuple[str, Kind]]()
    for note, times in zip(notes, often.tolist(), strict=True):
        mentions[note.key] += times
        sure[note.key] += note.sure * times
        if note.cue:
            cues[note.key, note.cue] += times
    sentences_of = dict(zip(terms, at_terms.often.tolist(), strict=True))
    found = names_of(mentions, sure, cues, sentences_of, recogniser, analysis, glossary, redirects)
    names = sorted(set(found.full.values()))
    row = {name: number for number, name in enumerate(names)}
    # the row of each note's name, -1 where that turned out not to be one
    name_of_note = np.array([row.get(found.full.get(note.key, ""), -1) for note in notes], np.int32)
    del mentions, sure, cues, sentences_of, row  # of a long book they are large

    at_names, names_held = Postings(len(names)), OnesTable(len(names))
    nobody, shape = np.zeros(0, np.int32), (len(names), len(words))
    before = after = count_neighbours(nobody, nobody, shape)
    for (noted, in_sentence, _, _, words_beside), lengths in counter.passages(_NUMBERS):
        of_names, beside = name_of_note[noted], place_of_word[words_beside].reshape(-1, 2)
        before = before + count_neighbours(of_names, beside[:, 0], shape)
        after = after + count_neighbours(of_names, beside[:, 1], shape)
        _add_occurrences(at_names, names_held, of_names, in_sentence, lengths)
    sections = list[int]()
    for _, size in _join_titles(run for block in counter.blocks() for run in block.titles):
        sections += [SECTION] * (size // SECTION) + [size % SECTION] * (size % SECTION > 0)
    return BookCounts(
        names=names,
        at_names=at_names,
        names_held=names_held,
        words=words,
        beside=(before, after),
        terms=terms,
        at_terms=at_terms,
        terms_held=terms_held,
        kinds=found.kinds,
        aliases=found.aliases,
        dates=np.concatenate(dates),
        sentences=np.concatenate(sentences),
        paragraphs=paragraphs,
        sections=sections,
        doc_ids=join_runs(run for block in counter.blocks() for run in block.doc_ids),
    )


def _sorted_strings(numbers: Mapping[str, int]) -> tuple[list[str], Int32Array]:
    """Sorts the strings, without those over the length limit; returns them and an array from a string's number to its
    index in the sorted list, -1 if left out."""
    strings = sorted(string for string in numbers if len(string) <= KEY_LIMIT)
    places = np.full(len(numbers), -1, np.int32)
    places[[numbers[string] for string in strings]] = np.arange(len(strings), dtype=np.int32)
    return strings, places


def _add_occurrences(
    at: Postings, held: OnesTable, columns: Int32Array, in_sentence: Int32Array, paragraphs: Sequence[int]
) -> None:
    """Adds passages to `at` (sentences that contain each column) and to `held` (columns that each paragraph contains).

    `columns` are the column indices in all sentences, one after another, `in_sentence` how many each sentence has;
    negative columns are left out. `paragraphs` are lengths in sentences.
    """
    kept = columns >= 0
    ends = np.concatenate([[0], np.cumsum(kept)])[np.concatenate([[0], np.cumsum(in_sentence)])]
    ones = np.ones(int(ends[-1]), np.int8)
    by_sentence = csr_array((ones, columns[kept], ends.astype(np.int32)), (len(in_sentence), held.shape[1]))
    by_sentence.sum_duplicates()
    by_sentence.data[:] = 1
    at.append(by_sentence)
    lengths = np.cumsum([0, *paragraphs], dtype=np.int32)
    sentences = np.arange(lengths[-1], dtype=np.int32)
    of_paragraph = csr_array((np.ones(lengths[-1], np.float32), sentences, lengths), (len(paragraphs), lengths[-1]))
    held.append(of_paragraph @ by_sentence)


# Makes the part `names` while a textbook is indexed: what its passages tell is counted, then written as documents.

_DOCUMENTS = 2000  # that are handed to the writer at a time


def derive_names(
    counter: NameCounter,
    language: Language,
    glossary: Glossary,
    part: str,
    redirects: Callable[[Writer], Iterable[tuple[str, str]]] | None,
    writer: Writer,
) -> Iterator[dict[str, list[Document]]]:
    """Yields the documents of the part `names`, some thousand at a time; to be called when all sources are written.

    `part` is the main part: all of it is read again if an interrupted build wrote some sources, whose notes were not
    counted. `redirects` reads the (alias, name) pairs of wiki titles that the build wrote.
    """
    recogniser, analyser = language.recogniser(glossary), language.analyser(glossary.terms())
    if not counter.saw_all:
        counter = NameCounter()
        # a paragraph is the run of sentences that have its doc_id as a key, or the document itself
        written = writer.searcher(part).scan()
        for doc_id, group in groupby(written, lambda each: (each.keys.get("paragraph") or (each.doc_id,))[0]):
            documents = list(group)
            title = (documents[0].keys.get("title") or ("",))[0]
            texts = [document.text for document in documents]
            sentences = texts if part == "sentences" else analyser.sentences(texts[0])
            counter.see([passage_notes(doc_id, title, sentences, analyser, recogniser)])
    keys = redirect_keys(redirects(writer) if redirects else (), recogniser)
    made = encode_book(book_of(counter, recogniser, analyser, glossary.names(), keys), language)
    while batch := list(islice(made, _DOCUMENTS)):
        yield {NAMES.name: batch}
