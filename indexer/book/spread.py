"""The part `names` made piece by piece: what each counted is spread by names and terms, and put together there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple
from zlib import crc32

import numpy as np
from scipy.sparse import csc_array, csr_array

from indexer.book.beside import (
    BesideKinds,
    BesideNames,
    beside_kinds,
    encode_beside,
    kinds_together,
    names_chosen,
    names_together,
)
from indexer.book.counting import Counted
from indexer.book.counts import in_paragraphs, names_at, sections
from indexer.book.doc_id_runs import Run, joined
from indexer.book.paragraph_names import encode_paragraph_names
from indexer.book.part import (
    Outline,
    aliases_of,
    layout_document,
    name_document,
    term_document,
    vector_documents,
    word_documents,
)
from indexer.book.spilled import Table
from indexer.book.vectors import vectors_of
from indexer.book.vocabulary import Names
from indexer.document import Document
from indexer.files.arrays import Int32Array, Int64Array
from indexer.languages.language import Language


class Frame(NamedTuple):
    """How a piece is cut: the few numbers of it that the whole book's outline is made of; fields as in `Counted`."""

    first: str
    last: str
    sentences: int
    paragraphs: list[int]
    titles: list[tuple[str, int]]
    dates: Int32Array
    size: int
    doc_ids: list[Run]


class Rows(NamedTuple):
    """Keys, and the sentences of a piece that hold each: `rows` up to its number in `ends`."""

    keys: list[str]
    ends: Int32Array
    rows: Int32Array


class Share(NamedTuple):
    """What a piece holds of the names, the terms and the words beside names that go to one bucket."""

    names: Rows
    terms: Rows
    beside: BesideNames
    words: BesideKinds


class Held(NamedTuple):
    """Which names and terms the paragraphs of a piece hold: sorted keys, and a table of ones."""

    keys: list[str]
    table: csr_array


def frame_of(counted: Counted) -> Frame:
    """The frame of a piece."""
    return Frame(
        counted.first,
        counted.last,
        len(counted.in_sentence),
        counted.paragraphs,
        counted.titles,
        counted.dates,
        counted.size,
        counted.doc_ids,
    )


def shares_of(counted: Counted, names: Names, buckets: int) -> list[Share]:
    """A piece's share of every bucket; a key is in the same bucket whatever piece holds it."""
    keys, at_names, beside = names_at(counted, names)
    words = beside_kinds(beside, names.kinds)
    found = []
    for named, termed, worded in zip(
        *(_of_buckets(each, buckets) for each in (keys, counted.terms, words.words)), strict=True
    ):
        share = _rows(keys, at_names, named), _rows(counted.terms, counted.at_terms, termed)
        of_words = BesideKinds([words.words[word] for word in worded.tolist()], words.counts[worded])
        found.append(Share(*share, names_chosen(beside, named), of_words))
    return found


def _of_buckets(keys: Sequence[str], buckets: int) -> list[Int64Array]:
    """The places of the keys of each bucket."""
    bucket = np.array([crc32(key.encode("utf-8", "surrogatepass")) % buckets for key in keys], np.int64)
    return [np.flatnonzero(bucket == number) for number in range(buckets)]


def _rows(keys: Sequence[str], at: csc_array, columns: Int64Array) -> Rows:
    part = at[:, columns]
    return Rows([keys[column] for column in columns.tolist()], part.indptr[1:].astype(np.int32), part.indices)


def bucket_documents(names: Names, offsets: Sequence[int], shares: Sequence[Share]) -> Iterator[Document]:
    """The documents of a bucket's names, terms and words: of the shares of all pieces, in their order.

    `offsets` are the numbers of sentences before each piece.
    """
    named = _put_together(offsets, [share.names for share in shares])
    others = aliases_of({alias: key for alias, key in names.aliases.items() if key in named})
    beside = names_together([share.beside for share in shares])
    for row, (key, sentences) in enumerate(sorted(named.items())):
        kind = names.kinds.get(key, "other")
        yield name_document(key, others.get(key, ()), kind, sentences, encode_beside(beside, row))
    yield from word_documents(kinds_together([share.words for share in shares]))
    for term, sentences in sorted(_put_together(offsets, [share.terms for share in shares]).items()):
        yield term_document(term, sentences)


def _put_together(offsets: Sequence[int], pieces: Sequence[Rows]) -> dict[str, Int64Array]:
    """The sentences of each key, by their numbers in the whole book."""
    found: dict[str, list[Int64Array]] = {}
    for offset, (keys, ends, rows) in zip(offsets, pieces, strict=True):
        start = 0
        for key, end in zip(keys, ends.tolist(), strict=True):
            found.setdefault(key, []).append(rows[start:end].astype(np.int64) + offset)
            start = end
    return {key: np.concatenate(each) for key, each in found.items()}


def outline_document(frames: Sequence[Frame], language: Language) -> Document:
    """The document that tells how the book is cut, of the frames of its pieces in their order."""
    offsets = np.cumsum([0, *(frame.sentences for frame in frames)])
    dates = [frame.dates + np.array([offset, 0, 0]) for frame, offset in zip(frames, offsets, strict=False)]
    outline = Outline(
        [length for frame in frames for length in frame.paragraphs],
        sections(run for frame in frames for run in frame.titles),
        np.concatenate(dates),
        sum(frame.size for frame in frames),
        joined(frame.doc_ids for frame in frames),
    )
    return layout_document(outline, language)


def held_in_paragraphs(counted: Counted, names: Names) -> tuple[Held, Held]:
    """The names and the terms that a piece's paragraphs hold."""
    keys, at_names, _ = names_at(counted, names)
    return (
        Held(keys, in_paragraphs(counted.paragraphs, at_names)),
        Held(counted.terms, in_paragraphs(counted.paragraphs, counted.at_terms)),
    )


def paragraph_documents(pieces: Sequence[tuple[Held, Held]], names: Names) -> Iterator[Document]:
    """The documents of the names and of the vectors of all pieces' paragraphs, in their order."""
    (keys, named), (_, worded) = (_below_each_other(each) for each in zip(*pieces, strict=True))
    yield from encode_paragraph_names(named, keys, names.kinds)
    yield from vector_documents(vectors_of([named, worded]))


def _below_each_other(pieces: Sequence[Held]) -> tuple[list[str], Table]:
    """The keys of all pieces, sorted, and one table of their paragraphs with these as columns."""
    keys = sorted(set().union(*(piece.keys for piece in pieces)))
    column = {key: number for number, key in enumerate(keys)}
    whole = Table(len(keys))
    for own, table in pieces:
        columns = np.array([column[key] for key in own], np.int32)
        whole.append(csr_array((table.data, columns[table.indices], table.indptr), (table.shape[0], len(keys))))
    return keys, whole
