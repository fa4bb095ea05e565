"""Reading of stored corpus statistics (the part `names` of a textbook index) for exams, terms and
questions."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from indexer.engines.contract import Document
from indexer.files.arrays import Float64Array, Int64Array
from indexer.files.errors import UserError
from indexer.statistics.forms import (
    LAYOUT,
    NAMES,
    VECTORS,
    VERSION,
    IdRun,
    decode_halves,
    decode_numbers,
    decode_rising,
)

if TYPE_CHECKING:
    from indexer.engines.contract import Index, Searcher


class NeighbourCounts(NamedTuple):
    """Number of a name's mentions, and counts of each word right before them and right after
    them."""

    mentions: int
    before: dict[str, int]
    after: dict[str, int]


def decode_neighbours(text: str) -> NeighbourCounts:
    """Neighbour counts of a name from a text that `encode_neighbours` made."""
    before, after, *words = text.split(" ")
    ahead, behind = decode_numbers(before).tolist(), decode_numbers(after).tolist()
    first, others = words[: len(ahead)], words[len(ahead) :]
    return NeighbourCounts(
        sum(ahead), dict(zip(first, ahead, strict=True)), dict(zip(others, behind, strict=True))
    )


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
    """Reads the stored statistics of names (by key or alias), terms and neighbouring words in two
    look-ups; unknown ones are missing from the result. Raises UserError if another version of the
    program counted them."""
    searcher = index.part(NAMES.name)
    wanted = [LAYOUT, *(f"t:{term}" for term in terms), *(f"b:{word}" for word in words)]
    groups = searcher.lookup("doc_id", wanted)
    layout = _layout_of(groups[0][0], index)
    blocks, *rows = searcher.lookup("name", [VECTORS, *names])
    vectors = [
        decode_halves(block.payload) for block in sorted(blocks, key=lambda block: block.doc_id)
    ]
    documents = {document.doc_id.removeprefix("n:"): document for row in rows for document in row}
    documents = dict(sorted(documents.items()))
    # where an alias is another name's key, it is that name's
    name_row: dict[str, int] = {}
    for number, document in enumerate(documents.values()):
        for key in document.keys["name"]:
            name_row.setdefault(key, number)
    name_row |= {name: number for number, name in enumerate(documents)}
    payloads = [document.payload.split(" ", 2) for document in documents.values()]
    of_terms = [row[0] for row in groups[1 : len(terms) + 1] if row]
    of_words = [row[0] for row in groups[len(terms) + 1 :] if row]
    paragraphs = decode_numbers(layout["paragraphs"])
    sentences = int(paragraphs.sum())
    return CountedBook(
        names=list(documents),
        kinds=[kind for kind, _, _ in payloads],
        name_row=name_row,
        at_names=_occurrences([encoded for _, encoded, _ in payloads], sentences),
        beside=[decode_neighbours(beside) for _, _, beside in payloads],
        words={
            word.doc_id.removeprefix("b:"): decode_numbers(word.payload).reshape(2, -1)
            for word in of_words
        },
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
    """The kind of each name or alias in a book, by the document of the part `names` that lists it;
    "" for one that the book does not have."""
    rows = searcher.lookup("name", names)
    return [row[0].payload.partition(" ")[0] if row else "" for row in rows]


def book_terms(searcher: Searcher) -> list[str]:
    """All terms of a book, sorted. Reads the whole part."""
    return sorted(
        document.doc_id.removeprefix("t:")
        for document in searcher.scan()
        if document.doc_id.startswith("t:")
    )


def decode_terms(index: Index, terms: Sequence[str]) -> CountedTerms:
    """Reads the sentences that contain each of these terms in one look-up. Raises UserError if
    another version of the program counted them."""
    groups = index.part(NAMES.name).lookup("doc_id", [LAYOUT, *(f"t:{term}" for term in terms)])
    layout = _layout_of(groups[0][0], index)
    payloads = {term: row[0].payload for term, row in zip(terms, groups[1:], strict=True) if row}
    sentences = decode_numbers(layout["sentences"])
    at, rows = (
        _occurrences(list(payloads.values()), len(sentences)),
        {term: row for row, term in enumerate(payloads)},
    )
    paragraphs, sections = (decode_numbers(layout[name]) for name in ("paragraphs", "sections"))
    return CountedTerms(rows, at, sentences, paragraphs, sections)


def _layout_of(document: Document, index: Index) -> dict[str, Any]:
    """Decodes the layout document. Raises UserError if another version of the program wrote it."""
    layout: dict[str, Any] = json.loads(document.payload)
    if layout.get("version") != VERSION:
        version = f"its names are of version {layout.get('version')}, expected {VERSION}"
        raise UserError(
            f"the index {index.address} was built by another version ({version}): build it again"
        )
    return layout


def _occurrences(texts: Sequence[str], sentences: int) -> csr_array:
    """Table of ones from texts of `encode_rising`: a row for each text, a column for each
    sentence."""
    rows = [decode_rising(text) for text in texts]
    ends = np.cumsum([0, *map(len, rows)])
    columns = np.concatenate(rows) if rows else np.zeros(0, np.int64)
    return csr_array((np.ones(len(columns)), columns, ends), (len(rows), sentences))
