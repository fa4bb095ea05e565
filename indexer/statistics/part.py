"""The part `names` of a textbook index: corpus statistics as documents, and what an exam reads of them."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from indexer.document import Document, Part
from indexer.entities import KINDS, Kind
from indexer.files.arrays import Float64Array, Int32Array, Int64Array
from indexer.languages.language import Language
from indexer.statistics.lsa import vectors_of
from indexer.statistics.ragged import (
    IdRun,
    OnesTable,
    decode_halves,
    decode_numbers,
    decode_rising,
    encode_halves,
    encode_numbers,
    encode_rising,
)

if TYPE_CHECKING:
    from indexer.engines.contract import Searcher

NAMES = Part("names", (), ("name", "term"))
PACKAGES = ("numpy", "scipy")  # by which it is counted
VERSION = 8  # of what these documents hold: the next number wherever their form changes
BLOCK = 64  # paragraphs whose names a document holds
_BLOCK = 4000  # paragraphs whose vectors a document holds
_LAYOUT = "layout"
_VECTORS = "vectors:"  # the key of the documents with the paragraphs' vectors; no name has a colon there


# Left and right neighbours of names: a word on either side, or a character in languages without blanks.

EDGE = "<edge>"
"""Neighbour of a name that begins or ends its text; no word, for words have no such signs."""
EVERY = "<every>"
"""A word that stands for all: as often before and after names of a kind as such names are mentioned."""

_REACH = 60  # characters that a word has at most
_UNPARTED = "\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f"  # kana and Han
_WORD = re.compile(rf"\s*([^\W{_UNPARTED}]+|\S)")


def neighbour_words(text: str, start: int, end: int) -> tuple[str, str]:
    """The words, or characters, right before and right after text[start:end], in lower case; `EDGE` where there is not
    any."""
    before = _WORD.match(text[max(0, start - _REACH) : start][::-1])
    after = _WORD.match(text[end : end + _REACH])
    return before[1][::-1].lower() if before else EDGE, after[1].lower() if after else EDGE


class NeighbourCounts(NamedTuple):
    """Number of a name's mentions, and counts of each word right before them and right after them."""

    mentions: int
    before: dict[str, int]
    after: dict[str, int]


def count_neighbours(names: Int32Array, words: Int32Array, shape: tuple[int, int]) -> csr_array:
    """Table of `shape` of how often each word (column) is beside each name (row); mention i has row `names[i]` and
    column `words[i]`, and is left out if the row is negative."""
    kept = names >= 0
    counts = csr_array((np.ones(int(kept.sum()), np.int32), (names[kept], words[kept])), shape)
    counts.sum_duplicates()
    return counts


def neighbours_by_kind(
    names: Sequence[str], words: Sequence[str], beside: Sequence[csr_array], kinds: Mapping[str, Kind]
) -> dict[str, Int32Array]:
    """Maps each word to its counts right before names of each of `KINDS`, followed by those right after them; key
    `EVERY` has the sums over all words.

    `beside` are two tables, counts before and after names (rows names, columns words). Names that `kinds` lacks count
    as `other`; words without counts are left out.
    """
    kind = np.array([KINDS.index(kinds.get(name, "other")) for name in names], np.int32)
    of_kind = count_neighbours(kind, np.arange(len(kind), dtype=np.int32), (len(KINDS), len(kind)))
    counts = np.vstack([(of_kind @ side).toarray() for side in beside]).T
    counts = np.vstack((counts, counts.sum(axis=0))).astype(np.int32)
    return {word: row for word, row in zip([*words, EVERY], counts, strict=True) if row.any()}


def encode_neighbours(words: Sequence[str], beside: Sequence[csr_array], row: int) -> str:
    """Neighbour counts of the name in `row` as a text for `decode_neighbours`: encoded counts before, encoded counts
    after, then the words of both."""
    found, counts = list[str](), list[str]()
    for side in beside:
        of_name = slice(side.indptr[row], side.indptr[row + 1])
        counts.append(encode_numbers(side.data[of_name]))
        found += [words[word] for word in side.indices[of_name].tolist()]
    return " ".join((*counts, *found))


def decode_neighbours(text: str) -> NeighbourCounts:
    """Neighbour counts of a name from a text that `encode_neighbours` made."""
    before, after, *words = text.split(" ")
    ahead, behind = decode_numbers(before).tolist(), decode_numbers(after).tolist()
    first, others = words[: len(ahead)], words[len(ahead) :]
    return NeighbourCounts(sum(ahead), dict(zip(first, ahead, strict=True)), dict(zip(others, behind, strict=True)))


# The documents of the part.


class OtherVersionError(Exception):
    """Raised when another version of the program counted the corpus statistics of an index."""


class BookCounts(NamedTuple):
    """Corpus statistics of a textbook. `names` and `terms` are sorted; `at_names` and `at_terms` have the ascending
    sentence numbers of each; `names_held` and `terms_held` have a row for each paragraph, 1 where it contains the name
    or term.

    `beside` are two tables (before, after) of how often each of `words` (columns) is right beside each name (rows).
    `kinds` maps names to kinds, `aliases` alias keys to names. `sentences`, `paragraphs` and `sections` are lengths in
    terms, in sentences and in paragraphs; `dates` has a row for each date: its sentence, first and last year; `doc_ids`
    are the paragraphs'.
    """

    names: list[str]
    at_names: Iterable[Int32Array]
    names_held: OnesTable
    words: list[str]
    beside: tuple[csr_array, csr_array]
    terms: list[str]
    at_terms: Iterable[Int32Array]
    terms_held: OnesTable
    kinds: Mapping[str, Kind]
    aliases: Mapping[str, str]
    dates: Int32Array
    sentences: Int32Array
    paragraphs: list[int]
    sections: list[int]
    doc_ids: list[IdRun]


def encode_book(book: BookCounts, language: Language) -> Iterator[Document]:
    """Yields the documents that store a textbook's statistics, the same on every engine.

    `layout`: lengths of sentences in terms, of paragraphs in sentences and of sections in paragraphs (at most 15, equal
    titles), the dates with their sentences, the number of terms in sentences, the paragraphs' doc_ids in runs. `n:KEY`,
    a name: kind, the sentences that contain it, and the words right before and after it; also found by its aliases.
    `t:TERM`: the sentences that contain a term. `b:WORD`: how often a word occurs right beside names of each kind.
    `vectors:N`: blocks of paragraph vectors, all found by the name `vectors:`. `p:N`: the names of a block of
    paragraphs.
    """
    layout = {
        "version": VERSION,
        "language": language.code,
        "terms": int(book.sentences.sum(dtype=np.int64)),
        "sentences": encode_numbers(book.sentences),
        "paragraphs": encode_numbers(np.array(book.paragraphs, np.int64)),
        "sections": encode_numbers(np.array(book.sections, np.int64)),
        "dates": encode_numbers(book.dates.reshape(-1)),
        "doc_ids": book.doc_ids,
    }
    yield Document(_LAYOUT, "", {}, {}, json.dumps(layout))
    aliases: dict[str, list[str]] = defaultdict(list)
    for alias, key in sorted(book.aliases.items()):
        aliases[key].append(alias)
    # vectors are computed, outside Python's lock, while the other documents are taken
    with ThreadPoolExecutor(1) as pool:
        computing = pool.submit(vectors_of, [book.names_held, book.terms_held])
        yield from encode_paragraph_names(book.names_held, book.names, book.kinds)
        for row, (key, sentences) in enumerate(zip(book.names, book.at_names, strict=True)):
            beside = encode_neighbours(book.words, book.beside, row)
            payload = f"{book.kinds.get(key, 'other')} {encode_rising(sentences)} {beside}"
            yield Document(f"n:{key}", "", {}, {"name": (key, *aliases.get(key, ()))}, payload)
        for word, counts in neighbours_by_kind(book.names, book.words, book.beside, book.kinds).items():
            yield Document(f"b:{word}", "", {}, {}, encode_numbers(counts))
        for term, sentences in zip(book.terms, book.at_terms, strict=True):
            yield Document(f"t:{term}", "", {}, {"term": (term,)}, encode_rising(sentences))
        vectors = computing.result()
    for number, start in enumerate(range(0, len(vectors), _BLOCK)):
        halves = encode_halves(vectors[start : start + _BLOCK])
        yield Document(f"{_VECTORS}{number:06}", "", {}, {"name": (_VECTORS,)}, halves)


class CountedBook(NamedTuple):
    """Stored statistics of some names and terms, and of the whole textbook.

    `at_names` has a row for each name and a column for each sentence, 1 where the name occurs; so has `at_terms`.
    `name_row` maps keys and aliases to rows, `term_row` terms. `kinds` and `beside` (words right before and after) are
    in the order of `names`; `words` maps a word to its counts before (first row) and after names of each kind.
    `paragraphs` and `sections` are lengths in sentences and in paragraphs; `dates` has a row for each date: its
    sentence, first and last year; `size` counts all terms of the textbook with repeats; `vectors` has a row for each
    paragraph; `doc_ids` are the paragraphs'.
    """

    names: list[str]
    kinds: list[str]
    name_row: dict[str, int]
    at_names: csr_array
    beside: list[NeighbourCounts]
    words: dict[str, Int64Array]
    term_row: dict[str, int]
    at_terms: csr_array
    paragraphs: Int64Array
    sections: Int64Array
    dates: Int64Array
    size: int
    vectors: Float64Array
    doc_ids: list[IdRun]


class CountedTerms(NamedTuple):
    """The sentences that contain some terms: `at` has a row for each term and a column for each sentence, 1 where it
    occurs.

    `row` maps a term to its row, terms that do not occur are missing. `sentences` and `paragraphs` are lengths in terms
    and in sentences.
    """

    row: dict[str, int]
    at: csr_array
    sentences: Int64Array
    paragraphs: Int64Array


def decode_book(
    searcher: Searcher, names: Sequence[str], terms: Sequence[str], words: Sequence[str] = ()
) -> CountedBook:
    """Reads the stored statistics of names (by key or alias), terms and neighbouring words in two look-ups; unknown
    ones are missing from the result.

    Raises OtherVersionError if another version of the program counted them.
    """
    wanted = [_LAYOUT, *(f"t:{term}" for term in terms), *(f"b:{word}" for word in words)]
    found = searcher.lookup("doc_id", wanted)
    layout = _layout_of(found[0][0])
    blocks, *rows = searcher.lookup("name", [_VECTORS, *names])
    vectors = [decode_halves(block.payload) for block in sorted(blocks, key=lambda block: block.doc_id)]
    named = {document.doc_id.removeprefix("n:"): document for row in rows for document in row}
    named = dict(sorted(named.items()))
    # where an alias is another name's key, it is that name's
    name_row: dict[str, int] = {}
    for number, document in enumerate(named.values()):
        for key in document.keys["name"]:
            name_row.setdefault(key, number)
    name_row |= {name: number for number, name in enumerate(named)}
    payloads = [document.payload.split(" ", 2) for document in named.values()]
    of_terms = [row[0] for row in found[1 : len(terms) + 1] if row]
    of_words = [row[0] for row in found[len(terms) + 1 :] if row]
    paragraphs = decode_numbers(layout["paragraphs"])
    sentences = int(paragraphs.sum())
    return CountedBook(
        names=list(named),
        kinds=[kind for kind, _, _ in payloads],
        name_row=name_row,
        at_names=_occurrences([held for _, held, _ in payloads], sentences),
        beside=[decode_neighbours(beside) for _, _, beside in payloads],
        words={word.doc_id.removeprefix("b:"): decode_numbers(word.payload).reshape(2, -1) for word in of_words},
        term_row={document.doc_id.removeprefix("t:"): row for row, document in enumerate(of_terms)},
        at_terms=_occurrences([document.payload for document in of_terms], sentences),
        paragraphs=paragraphs,
        sections=decode_numbers(layout["sections"]),
        dates=decode_numbers(layout["dates"]).reshape(-1, 3),
        size=int(layout["terms"]),
        vectors=np.concatenate(vectors) if vectors else np.zeros((0, 0)),
        doc_ids=[IdRun(*run) for run in layout["doc_ids"]],
    )


def decode_kinds(searcher: Searcher, names: Sequence[str]) -> list[str]:
    """The kind of each name, given by key or alias, in the whole book; "" for one that the book does not have."""
    found = searcher.lookup("name", names)
    return [row[0].payload.partition(" ")[0] if row else "" for row in found]


def book_terms(searcher: Searcher) -> list[str]:
    """All terms of a book, sorted. Reads the whole part."""
    return sorted(each.doc_id.removeprefix("t:") for each in searcher.scan() if each.doc_id.startswith("t:"))


def decode_terms(searcher: Searcher, terms: Sequence[str]) -> CountedTerms:
    """Reads the sentences that contain each of these terms in one look-up. Raises OtherVersionError if another version
    of the program counted them."""
    found = searcher.lookup("doc_id", [_LAYOUT, *(f"t:{term}" for term in terms)])
    layout = _layout_of(found[0][0])
    payloads = {term: row[0].payload for term, row in zip(terms, found[1:], strict=True) if row}
    sentences = decode_numbers(layout["sentences"])
    at, rows = _occurrences(list(payloads.values()), len(sentences)), {term: row for row, term in enumerate(payloads)}
    return CountedTerms(rows, at, sentences, decode_numbers(layout["paragraphs"]))


def decode_standing(
    searcher: Searcher, names: Sequence[str], sentences: int
) -> tuple[csr_array, list[NeighbourCounts]]:
    """Reads, in one look-up, a table with a row for each name (given by key, all stored) and a column for each of
    `sentences` sentences, 1 where it occurs, and the words right before and after each name."""
    found = searcher.lookup("doc_id", [f"n:{name}" for name in names])
    payloads = [documents[0].payload.split(" ", 2) for documents in found]
    at = _occurrences([held for _, held, _ in payloads], sentences)
    return at, [decode_neighbours(beside) for _, _, beside in payloads]


def _layout_of(document: Document) -> dict[str, Any]:
    """Decodes the layout document. Raises OtherVersionError if another version of the program wrote it."""
    layout: dict[str, Any] = json.loads(document.payload)
    if layout.get("version") != VERSION:
        raise OtherVersionError(f"its names are of version {layout.get('version')}, expected {VERSION}")
    return layout


def _occurrences(texts: Sequence[str], sentences: int) -> csr_array:
    """Decodes texts of `encode_rising` to a table of ones: a row for each text, a column for each of `sentences`
    sentences."""
    rows = [decode_rising(text) for text in texts]
    ends = np.cumsum([0, *map(len, rows)])
    columns = np.concatenate(rows) if rows else np.zeros(0, np.int64)
    return csr_array((np.ones(len(columns)), columns, ends), (len(rows), sentences))


# The names of each paragraph of a book, with their kinds: blocks of paragraphs as documents.


class ParagraphNames(NamedTuple):
    """Names of some paragraphs, sorted by key; `at` has a row for each paragraph of the textbook, 1 where a name
    (column) occurs. Rows of paragraphs that were not requested are empty."""

    keys: list[str]
    kinds: list[Kind]
    at: csr_array


def encode_paragraph_names(at: OnesTable, keys: Sequence[str], kinds: Mapping[str, Kind]) -> Iterator[Document]:
    """Yields a document for each block of paragraphs: its names and their kinds, how many names each paragraph has, and
    which. `keys` are the table's columns, sorted."""
    for start in range(0, at.shape[0], BLOCK):
        block = at[start : start + BLOCK]
        block.sort_indices()
        there, held = np.unique(block.indices, return_inverse=True)
        names = [keys[number] for number in there]
        payload = {
            "names": names,
            "kinds": "".join(str(KINDS.index(kinds.get(key, "other"))) for key in names),
            "sizes": encode_numbers(np.diff(block.indptr)),
            "held": encode_numbers(held),
        }
        yield Document(f"p:{start // BLOCK:06}", "", {}, {}, json.dumps(payload, ensure_ascii=False))


def decode_paragraph_names(searcher: Searcher, paragraphs: Int64Array, size: int) -> ParagraphNames:
    """Reads the names of the paragraphs with these numbers, of a textbook of `size` paragraphs, in one look-up."""
    wanted = np.unique(paragraphs)
    blocks, starts = np.unique(wanted // BLOCK, return_index=True)
    found = searcher.lookup("doc_id", [f"p:{block:06}" for block in blocks.tolist()])
    kind_of: dict[str, int] = {}
    held: list[tuple[list[str], Int64Array]] = []
    sizes = np.zeros(size, np.int64)
    for documents, of_block in zip(found, np.split(wanted, starts)[1:], strict=True):
        payload = json.loads(documents[0].payload)
        all_sizes = decode_numbers(payload["sizes"])
        is_wanted = np.isin(np.arange(len(all_sizes)), of_block % BLOCK)
        # of the block's names those in the wanted paragraphs, and which of these each paragraph holds
        numbers = decode_numbers(payload["held"])[np.repeat(is_wanted, all_sizes)]
        there, places = np.unique(numbers, return_inverse=True)
        names = [payload["names"][number] for number in there.tolist()]
        kind_of.update(zip(names, (int(payload["kinds"][number]) for number in there.tolist()), strict=True))
        sizes[of_block] = all_sizes[of_block % BLOCK]
        held.append((names, places))
    keys = sorted(kind_of)
    column = {key: place for place, key in enumerate(keys)}
    columns = [np.array([column[key] for key in names], np.int64)[places] for names, places in held]
    joined = np.concatenate([np.zeros(0, np.int64), *columns])
    at = csr_array((np.ones(len(joined)), joined, np.concatenate(([0], np.cumsum(sizes)))), (size, len(keys)))
    return ParagraphNames(keys, [KINDS[kind_of[key]] for key in keys], at)
