"""The part `names` of a textbook index: what is counted over a whole book as documents, and what an exam reads."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from indexer.document import Document
from indexer.engines.contract import Searcher
from indexer.entities import KINDS, Kind
from indexer.files.arrays import Float64Array, Int64Array
from indexer.languages.language import Language
from indexer.statistics.counts import BookCounts
from indexer.statistics.lsa import vectors_of
from indexer.statistics.neighbours import (
    NeighbourCounts,
    decode_neighbours,
    decode_word,
    encode_neighbours,
    encode_word,
    neighbours_by_kind,
)
from indexer.statistics.ragged import (
    IdRun,
    OnesTable,
    Vectors,
    decode_halves,
    decode_numbers,
    decode_rising,
    encode_halves,
    encode_numbers,
    encode_rising,
)

# The names of each paragraph of a book, with their kinds: blocks of paragraphs as documents of the part `names`.

BLOCK = 64  # paragraphs of a document


class ParagraphNames(NamedTuple):
    """Names in the order of their keys; `at` has a row a paragraph of the book, 1 where a name (column) occurs in it.

    Paragraphs that were not asked for hold none.
    """

    keys: list[str]
    kinds: list[Kind]
    at: csr_array


def encode_paragraph_names(at: OnesTable, keys: Sequence[str], kinds: Mapping[str, Kind]) -> Iterator[Document]:
    """A document a block: its names and their kinds, how many each paragraph holds, and which. Keys are in order."""
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
        yield Document(_doc_id(start // BLOCK), "", {}, {}, json.dumps(payload, ensure_ascii=False))


def decode_paragraph_names(searcher: Searcher, paragraphs: Int64Array, size: int) -> ParagraphNames:
    """Names of these paragraphs of a book of `size` paragraphs, read from the index in one look-up."""
    wanted = np.unique(paragraphs)
    blocks, starts = np.unique(wanted // BLOCK, return_index=True)
    found = searcher.lookup("doc_id", [_doc_id(block) for block in blocks.tolist()])
    kind_of: dict[str, int] = {}
    held: list[tuple[list[str], Int64Array]] = []
    sizes = np.zeros(size, np.int64)
    for documents, own in zip(found, np.split(wanted, starts)[1:], strict=True):
        block = _ParagraphBlock(json.loads(documents[0].payload), own % BLOCK)
        kind_of.update(block.kinds)
        sizes[own] = block.sizes
        held.append((list(block.kinds), block.held))
    keys = sorted(kind_of)
    number = {key: place for place, key in enumerate(keys)}
    columns = [np.array([number[key] for key in names], np.int64)[places] for names, places in held]
    column = np.concatenate([np.zeros(0, np.int64), *columns])
    at = csr_array((np.ones(len(column)), column, np.concatenate(([0], np.cumsum(sizes)))), (size, len(keys)))
    return ParagraphNames(keys, [KINDS[kind_of[key]] for key in keys], at)


class _ParagraphBlock:
    """Some paragraphs of a block: their names with the kinds, how many each holds, and which, as places among these."""

    def __init__(self, payload: Mapping[str, Any], paragraphs: Int64Array) -> None:
        sizes = decode_numbers(payload["sizes"])
        wanted = np.zeros(len(sizes), bool)
        wanted[paragraphs] = True
        there, self.held = np.unique(decode_numbers(payload["held"])[np.repeat(wanted, sizes)], return_inverse=True)
        self.sizes = sizes[paragraphs]
        names, kinds = payload["names"], payload["kinds"]
        self.kinds = {names[place]: int(kinds[place]) for place in there.tolist()}


def _doc_id(block: int) -> str:
    return f"p:{block:06}"


VERSION = 8  # of what these documents hold
_LAYOUT = "layout"
_VECTORS = "vectors:"  # the key of the documents with the paragraphs' vectors; no name has a colon there
_BLOCK = 4000  # paragraphs whose vectors a document holds


class OtherVersionError(Exception):
    """The names of an index were counted by another version of the program."""


class CountedBook(NamedTuple):
    """Stored statistics of some names and terms, and of the whole book.

    `at_names` has a row a name and a column a sentence of the book, 1 where the name occurs there; so has `at_terms`.
    `name_row` leads from keys and aliases to rows, `term_row` from terms. `beside` has the words right before and after
    each name; `words` says of words how often they occur before (first row) and after names of each kind. `paragraphs`
    and `sections` are lengths in sentences and in paragraphs; `dates` has a row a date: its sentence, first and last
    year; `size` counts all terms of the book with repeats; `vectors` has a row a paragraph; `doc_ids` are the
    paragraphs'.
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
    """The sentences of a book that hold some terms: `at` has a row a term and a column a sentence, 1 where it is there.

    `row` leads from a term to its row; terms that the book does not have are left out. `sentences` and `paragraphs` are
    lengths in terms and in sentences.
    """

    row: dict[str, int]
    at: csr_array
    sentences: Int64Array
    paragraphs: Int64Array


def encode_book(book: BookCounts, language: Language) -> Iterator[Document]:
    """The documents of a book, the same on every engine.

    `layout`: the lengths of sentences in terms, of paragraphs in sentences and of sections in paragraphs (at most 15,
    equal titles), the dates with their sentences, the number of terms in sentences, the paragraphs' doc_ids in runs.
    `n:KEY`, a name: kind, the sentences that hold it, and the words right before and after it; it is found by its
    aliases too.
    `t:TERM`: the sentences that hold a term. `b:WORD`: how often a word occurs right beside names of each kind.
    `vectors:N`: the vectors of paragraphs, all found by the name `vectors:`. `p:N`: the names of some paragraphs.
    Vectors are computed, outside Python's lock, while the others are taken.
    """
    # The document with a book's sections, paragraphs and sentences.
    layout = {
        "version": VERSION,
        "language": language.code,
        "terms": book.size,
        "sentences": encode_numbers(book.sentences),
        "paragraphs": encode_numbers(np.array(book.paragraphs, np.int64)),
        "sections": encode_numbers(np.array(book.sections, np.int64)),
        "dates": encode_numbers(book.dates.reshape(-1)),
        "doc_ids": book.doc_ids,
    }
    yield _document(_LAYOUT, {}, json.dumps(layout))
    with ThreadPoolExecutor(1) as pool:
        vectors = pool.submit(vectors_of, [book.names_held, book.terms_held])
        yield from encode_paragraph_names(book.names_held, book.names, book.kinds)
        others = _others(book.aliases)
        for row, (key, sentences) in enumerate(zip(book.names, book.at_names, strict=True)):
            payload = f"{book.kinds.get(key, 'other')} {encode_rising(sentences)} {encode_neighbours(book.beside, row)}"
            yield _document(f"n:{key}", {"name": (key, *others.get(key, ()))}, payload)
        beside = neighbours_by_kind(book.beside, book.kinds)
        for word, counts in zip(beside.words, beside.counts, strict=True):
            yield _document(f"b:{word}", {}, encode_word(counts))
        for term, sentences in zip(book.terms, book.at_terms, strict=True):
            yield _document(f"t:{term}", {"term": (term,)}, encode_rising(sentences))
        yield from _vector_documents(vectors.result())


def _vector_documents(vectors: Vectors) -> Iterator[Document]:
    """The documents of the paragraphs' vectors."""
    for number, start in enumerate(range(0, len(vectors), _BLOCK)):
        block = encode_halves(vectors[start : start + _BLOCK])
        yield _document(f"{_VECTORS}{number:06}", {"name": (_VECTORS,)}, block)


def _others(aliases: Mapping[str, str]) -> dict[str, list[str]]:
    """The aliases of each name that has some, sorted."""
    others: dict[str, list[str]] = defaultdict(list)
    for alias, key in sorted(aliases.items()):
        others[key].append(alias)
    return others


def decode_book(
    searcher: Searcher, names: Sequence[str], terms: Sequence[str], words: Sequence[str] = ()
) -> CountedBook:
    """Stored statistics of these names (by key or alias), terms, and neighbouring words; unknown ones are missing.

    Two look-ups. Raises OtherVersionError when another version of the program counted them.
    """
    wanted = [_LAYOUT, *(f"t:{term}" for term in terms), *(f"b:{word}" for word in words)]
    found = searcher.lookup("doc_id", wanted)
    layout = _layout_of(found[0][0])
    blocks, *rows = searcher.lookup("name", [_VECTORS, *names])
    vectors = [decode_halves(block.payload) for block in sorted(blocks, key=lambda block: block.doc_id)]
    named = {document.doc_id: document for row in rows for document in row}
    of_names = [named[doc_id] for doc_id in sorted(named)]
    of_terms = [row[0] for row in found[1 : len(terms) + 1] if row]
    of_words = [row[0] for row in found[len(terms) + 1 :] if row]
    payloads = [document.payload.split(" ", 2) for document in of_names]
    paragraphs = decode_numbers(layout["paragraphs"])
    sentences = int(paragraphs.sum())
    return CountedBook(
        [_name(document) for document in of_names],
        [kind for kind, _, _ in payloads],
        _name_rows(of_names),
        _postings([held for _, held, _ in payloads], sentences),
        [decode_neighbours(beside) for _, _, beside in payloads],
        {document.doc_id.removeprefix("b:"): decode_word(document.payload) for document in of_words},
        {document.doc_id.removeprefix("t:"): row for row, document in enumerate(of_terms)},
        _postings([document.payload for document in of_terms], sentences),
        paragraphs,
        decode_numbers(layout["sections"]),
        decode_numbers(layout["dates"]).reshape(-1, 3),
        int(layout["terms"]),
        np.concatenate(vectors) if vectors else np.zeros((0, 0)),
        [IdRun(*run) for run in layout["doc_ids"]],
    )


def decode_kinds(searcher: Searcher, names: Sequence[str]) -> list[str]:
    """The kind of each name, given by key or alias, in the whole book; "" for one that the book does not have."""
    found = searcher.lookup("name", names)
    return [row[0].payload.partition(" ")[0] if row else "" for row in found]


def book_terms(searcher: Searcher) -> list[str]:
    """All terms of a book, sorted. Reads the whole part."""
    return sorted(one.doc_id.removeprefix("t:") for one in searcher.scan() if one.doc_id.startswith("t:"))


def decode_terms(searcher: Searcher, terms: Sequence[str]) -> CountedTerms:
    """The sentences that hold each of these terms. One look-up. Raises OtherVersionError as `decode_book`."""
    found = searcher.lookup("doc_id", [_LAYOUT, *(f"t:{term}" for term in terms)])
    layout = _layout_of(found[0][0])
    known = [(term, row[0].payload) for term, row in zip(terms, found[1:], strict=True) if row]
    sentences = decode_numbers(layout["sentences"])
    at = _postings([payload for _, payload in known], len(sentences))
    rows = {term: row for row, (term, _) in enumerate(known)}
    return CountedTerms(rows, at, sentences, decode_numbers(layout["paragraphs"]))


def _layout_of(document: Document) -> dict[str, Any]:
    """Layout of a book from the document of `_layout`. Raises OtherVersionError when another version of the program
    wrote it."""
    layout: dict[str, Any] = json.loads(document.payload)
    if layout.get("version") != VERSION:
        raise OtherVersionError(f"its names are of version {layout.get('version')}, expected {VERSION}")
    return layout


def decode_standing(
    searcher: Searcher, names: Sequence[str], sentences: int
) -> tuple[csr_array, list[NeighbourCounts]]:
    """The sentences that hold each of these names of the book, given by their keys, a row a name, and the words right
    before and after each. One look-up."""
    found = searcher.lookup("doc_id", [f"n:{name}" for name in names])
    payloads = [documents[0].payload.split(" ", 2) for documents in found]
    return _postings([held for _, held, _ in payloads], sentences), [decode_neighbours(each) for _, _, each in payloads]


def _document(doc_id: str, keys: dict[str, tuple[str, ...]], payload: str) -> Document:
    return Document(doc_id, "", {}, keys, payload)


def _name(document: Document) -> str:
    return document.doc_id.removeprefix("n:")


def _name_rows(documents: Sequence[Document]) -> dict[str, int]:
    """The row of each name by its aliases and by its key; where an alias is another name's key, it is that name's."""
    rows: dict[str, int] = {}
    for row, document in enumerate(documents):
        for key in document.keys["name"]:
            rows.setdefault(key, row)
    return rows | {_name(document): row for row, document in enumerate(documents)}


def _postings(texts: Sequence[str], sentences: int) -> csr_array:
    """Encoded sentences, a row a text, as a matrix of ones."""
    rows = [decode_rising(text) for text in texts]
    ends = np.cumsum([0, *map(len, rows)])
    columns = np.concatenate(rows) if rows else np.zeros(0, np.int64)
    return csr_array((np.ones(len(columns)), columns, ends), (len(rows), sentences))
