"""Reading of stored corpus statistics (the part `names` of a textbook index) for exams, terms and
questions."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array, vstack

from indexer.engines.contract import Document
from indexer.files.arrays import Float64Array, Int64Array
from indexer.files.errors import UserError
from indexer.statistics.forms import (
    LAYOUT,
    NAME,
    NAMES,
    TERM,
    VECTORS,
    VERSION,
    WORD,
    IdRun,
    decode_block,
)

if TYPE_CHECKING:
    from indexer.engines.contract import Index
    from indexer.engines.searching import Searcher


class NeighbourCounts(NamedTuple):
    """Number of a name's mentions, and counts of each word right before them and right after
    them."""

    mentions: int
    before: dict[str, int]
    after: dict[str, int]


class CountedBook(NamedTuple):
    """Stored statistics of some names and terms, and of the whole textbook.

    `at_names`, (names, sentences), is 1 where a name occurs, `at_terms` where a term does;
    `name_row` maps keys and aliases to rows, `term_row` terms. `kinds` and `beside` (words right
    before and after) are in the order of `names`; `words` maps a word to its counts before (first
    row) and after names of each kind. `paragraphs` and `sections` are lengths in sentences and in
    paragraphs. A date of `dates` is its sentence, first and last year; `size` counts all terms of
    the textbook with repeats; `vectors` and `doc_ids` are the paragraphs'.
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
    """The sentences that contain some terms: `at`, (terms, sentences), is 1 where a term occurs.
    `row` maps each term that occurs to its row; `sentences`, `paragraphs` and `sections` are
    lengths in terms, in sentences and in paragraphs."""

    row: dict[str, int]
    at: csr_array
    sentences: Int64Array
    paragraphs: Int64Array
    sections: Int64Array = np.zeros(0, np.int64)


def decode_book(
    index: Index, names: Sequence[str], terms: Sequence[str], words: Sequence[str] = ()
) -> CountedBook:
    """Reads the stored statistics of names (by key or alias), terms and neighbouring words; names
    come sorted, unknown names, terms and words are missing from the result. Raises UserError if
    another version of the program counted them."""
    searcher = index.part(NAMES.name)
    layout = _layout_of(index)
    vectors, *groups = searcher.lookup(NAME, [VECTORS, *names])
    keys_of: dict[str, list[str]] = {}
    kinds: list[str] = []
    beside, at_names = [], []
    for document, block in _blocks(groups):
        rows = _rows(document, block, names)
        keys_of |= {keys[0]: keys for keys in rows.values()}
        at_names.append(block["sentences"][list(rows)])
        kinds += [block["kinds"][row] for row in rows]
        beside += [_neighbours(block, row) for row in rows]
    # where an alias is another name's key, it is that name's
    name_row: dict[str, int] = {}
    for number, keys in enumerate(keys_of.values()):
        for key in keys:
            name_row.setdefault(key, number)
    name_row |= {name: number for number, name in enumerate(keys_of)}
    sentences = len(layout["sentences"])
    term_row, at_terms = _terms(searcher, terms, sentences)
    counts: dict[str, Int64Array] = {}
    for document, block in _blocks(searcher.lookup(WORD, words)):
        counts |= zip(document.keys[WORD], block["counts"].astype(np.int64), strict=True)
    rows_of_vectors = [block["rows"] for _, block in _blocks([vectors])]
    return CountedBook(
        names=list(keys_of),
        kinds=kinds,
        name_row=name_row,
        at_names=_stack(at_names, sentences),
        beside=beside,
        words={word: counts[word].reshape(2, -1) for word in words if word in counts},
        term_row=term_row,
        at_terms=at_terms,
        paragraphs=layout["paragraphs"].astype(np.int64),
        sections=layout["sections"].astype(np.int64),
        dates=layout["dates"].astype(np.int64),
        size=int(layout["terms"]),
        vectors=np.concatenate(rows_of_vectors or [np.zeros((0, 0))]).astype(np.float64),
        doc_ids=[IdRun(*run) for run in layout["doc_ids"]],
    )


def _blocks(groups: Sequence[Sequence[Document]]) -> Iterator[tuple[Document, dict[str, Any]]]:
    """Yields the different documents of a look-up, ordered by doc_id, each with the values of its
    payload."""
    documents = {document.doc_id: document for group in groups for document in group}
    for _, document in sorted(documents.items()):
        yield document, decode_block(document.payload)


def _rows(document: Document, block: dict[str, Any], names: Sequence[str]) -> dict[int, list[str]]:
    """The rows of a document of names whose key or alias is among `names`, ascending, with all of
    their keys, the name's first."""
    wanted, keys_of = set(names), dict[int, list[str]]()
    rows = [*range(len(block["kinds"])), *block["alias_of"]]
    for key, row in zip(document.keys[NAME], rows, strict=True):
        keys_of.setdefault(row, []).append(key)
    return {row: keys for row, keys in keys_of.items() if not wanted.isdisjoint(keys)}


def _neighbours(block: dict[str, Any], row: int) -> NeighbourCounts:
    """The name of a row: the number of its mentions, and the words right before and right after
    them with their counts."""
    sides = []
    for table in (block["before"], block["after"]):
        start, stop = table.indptr[row : row + 2]
        words = [block["words"][word] for word in table.indices[start:stop].tolist()]
        sides.append(dict(zip(words, table.data[start:stop].tolist(), strict=True)))
    return NeighbourCounts(sum(sides[0].values()), *sides)


def _terms(
    searcher: Searcher, terms: Sequence[str], sentences: int
) -> tuple[dict[str, int], csr_array]:
    """The rows of these terms, sorted, and a table of ones: a row for each that the book has, the
    sentences that contain it."""
    wanted, present, tables = set(terms), list[str](), []
    for document, block in _blocks(searcher.lookup(TERM, terms)):
        rows = {row: term for row, term in enumerate(document.keys[TERM]) if term in wanted}
        present += rows.values()
        tables.append(block["sentences"][list(rows)])
    return {term: row for row, term in enumerate(present)}, _stack(tables, sentences)


def _stack(tables: Sequence[csr_array], columns: int) -> csr_array:
    """The rows of tables below one another, in double precision; no rows without tables."""
    if not tables:
        return csr_array((0, columns))
    return csr_array(vstack(tables, format="csr"), dtype=np.float64)


def decode_kinds(searcher: Searcher, names: Sequence[str]) -> list[str]:
    """The kind of each name or alias in a book, in the order of `names`; of an alias that is a
    name's own key that name's, of one of several names that of the first by doc_id and row; "" for
    one that the book does not have."""
    of_names: dict[str, str] = {}
    of_aliases: dict[str, str] = {}
    for document, block in _blocks(searcher.lookup(NAME, names)):
        for row, (name, *aliases) in _rows(document, block, names).items():
            of_names[name] = block["kinds"][row]
            for alias in aliases:
                of_aliases.setdefault(alias, block["kinds"][row])
    kinds = of_aliases | of_names
    return [kinds.get(name, "") for name in names]


def book_terms(searcher: Searcher) -> list[str]:
    """All terms of a book, sorted. Reads the whole part."""
    return sorted(term for document in searcher.scan() for term in document.keys.get(TERM, ()))


def decode_terms(index: Index, terms: Sequence[str]) -> CountedTerms:
    """Reads the sentences that contain each of these terms, of which unknown ones are missing, and
    the lengths of all sentences, paragraphs and sections. Raises UserError if another version of
    the program counted them."""
    layout = _layout_of(index)
    row, at = _terms(index.part(NAMES.name), terms, len(layout["sentences"]))
    lengths = (layout[name].astype(np.int64) for name in ("sentences", "paragraphs", "sections"))
    return CountedTerms(row, at, *lengths)


def _layout_of(index: Index) -> dict[str, Any]:
    """The layout of the book. Raises UserError if another version of the program wrote it."""
    ((document,),) = index.part(NAMES.name).lookup("doc_id", [LAYOUT])
    stored = json.loads(document.payload).get("version")
    if stored != VERSION:
        raise UserError(
            f"the index {index.address} was built by another version (its names are of version "
            f"{stored}, expected {VERSION}): build it again"
        )
    return decode_block(document.payload)
