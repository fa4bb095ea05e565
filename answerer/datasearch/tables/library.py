"""Reads the tables of a dataset from an index; of a large one the rows that a question may be about."""

from __future__ import annotations

import heapq
import math
from array import array
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count, groupby, islice
from typing import NamedTuple

import numpy as np

from answerer.datasearch.question.analysis import AnalysedQuestion, NumberComparison, fulfils, read_question
from answerer.datasearch.question.words import alike, countries, path_words, words
from answerer.datasearch.tables.view import View
from indexer.analysis.text import truncate_question
from indexer.document import Document
from indexer.engines.contract import Index, Query, QueryTerm
from indexer.formats.datasearch import DatasetQuestion, readable
from indexer.sources.datasets.schema import (
    DATASET,
    DATASETS,
    FILES,
    TABLES,
    TEXT_FIELD,
    RowBlock,
    block_id,
    dataset_term,
    decode_block,
    decode_dataset,
    decode_file,
    table_id,
    table_of_block,
)
from indexer.tables.table import Table
from indexer.tables.values import parse_value

# Limits of what is kept of a large dataset for a question; they bound memory and time.
TAKEN_CELLS = 80_000  # cells, of all tables together
TAKEN_TABLES = 16  # tables, those with most of the question
ENDS = 100  # rows at the beginning and at the end of a table that are always kept
EXTREMES = 50  # rows with the largest and with the smallest figures, or dates, of every column that are always kept
COMPARED = 200  # rows that are kept for a comparison, by column
NEIGHBOURS = 50  # rows that match best of which the rows before and after are kept as well
_AT_ONCE = 16  # blocks that one request to the index reads


def blocks_of(index: Index, dataset_id: str) -> Iterator[Document]:
    """Yields the blocks of all tables of a dataset in order, read from the index `_AT_ONCE` at a time."""
    tables = index.part(TABLES.name)
    for file in index.part(FILES.name).lookup(DATASET, [dataset_id])[0]:
        for number in range(1, decode_file(file.payload).tables + 1):
            table = table_id(file.doc_id, number)
            for start in count(0, _AT_ONCE):
                ids = [block_id(table, block) for block in range(start, start + _AT_ONCE)]
                found = [document for documents in tables.lookup("doc_id", ids) for document in documents]
                yield from found
                # Numbers have no gaps: a block that is missing is the end.
                if len(found) < _AT_ONCE:
                    break


@dataclass
class ScannedTable:
    """A table of a scanned dataset without its cells: the numbers of its rows with words of the questions, and with
    extreme or compared figures.

    `size` is the number of rows so far, `blocks` has each block's first row and doc_id, `headed` the words of headings,
    title, notes and file name. `extremes` are, by column, the largest and the smallest (figure or date, −row).
    """

    file: str
    table: Table
    headed: frozenset[str]
    size: int = 0
    blocks: list[tuple[int, str]] = field(default_factory=list)
    postings: defaultdict[str, array[int]] = field(default_factory=lambda: defaultdict(lambda: array("q")))
    extremes: dict[int, list[list[tuple[float, int]]]] = field(default_factory=dict)
    compared: defaultdict[tuple[NumberComparison, int], list[int]] = field(default_factory=lambda: defaultdict(list))


def scan_block(
    tables: dict[str, ScannedTable], document: Document, wanted: set[str], comparisons: Sequence[NumberComparison]
) -> None:
    """Adds a block to its table in `tables` (by table id); the blocks of a table must come in their order. Of its words
    only those in `wanted` are kept: the words of all cells would not fit into memory."""
    block = decode_block(document.payload)
    name, rows = table_of_block(document.doc_id), block.table.rows
    if name not in tables:
        around = (block.table.title, *block.table.notes, readable(block.file))
        headed = frozenset(word for path in (*block.table.columns, around) for word in path_words(path))
        tables[name] = ScannedTable(block.file, block.table._replace(rows=()), headed)
    table = tables[name]
    table.blocks.append((table.size, document.doc_id))
    for number, row in enumerate(rows, table.size):
        # Intersected row by row, so that a row counts once for a word.
        for word in wanted & {word for cell in row for word in _cell_words(cell)}:
            table.postings[word].append(number)
    for column in range(len(block.table.columns)):
        found = []
        for number, row in enumerate(rows, table.size):
            value = parse_value(row[column])
            figure = value.moment if value.kind == "date" else value.number
            if figure is not None:
                # Of equal figures the upper row first, as in the whole table.
                found.append((figure, -number))
                for comparison in comparisons:
                    known = table.compared[comparison, column]
                    if len(known) < COMPARED and fulfils(value.moment, value.number, comparison):
                        known.append(number)
        largest, smallest = table.extremes.get(column, ([], []))
        table.extremes[column] = [
            heapq.nlargest(EXTREMES, largest + found),
            heapq.nsmallest(EXTREMES, smallest + found, key=lambda entry: (entry[0], -entry[1])),
        ]
    table.size += len(rows)


def take_rows(tables: Mapping[str, ScannedTable], index: Index, question: AnalysedQuestion) -> Iterator[RowBlock]:
    """Yields the tables with the highest sum of idf over the tables of the question's words in them, at most
    `TAKEN_TABLES`, sorted by id, each with only the rows that the question may be about; their cells are read from the
    index, at most about `TAKEN_CELLS` in all."""
    held = {
        name: {
            word
            for word in question.content
            if any(one in table.postings or one in table.headed for one in _forms(word))
        }
        for name, table in tables.items()
    }
    times = Counter(word for known in held.values() for word in known)
    weights = {name: sum(math.log((len(held) + 1) / times[word]) for word in held[name]) for name in held}
    chosen = sorted(sorted(weights, key=lambda name: -weights[name])[:TAKEN_TABLES])
    for table in map(tables.__getitem__, chosen):
        rows = tuple(_read(table, index, rows_for(table, question, TAKEN_CELLS // len(chosen))))
        yield RowBlock(table.file, 0, table.table._replace(rows=rows))


def rows_for(table: ScannedTable, question: AnalysedQuestion, cells: int) -> list[int]:
    """The numbers, ascending, of the rows that a question may be about.

    Always the rows at both ends, with extremes and with compared figures; and the rows with most of its words, at most
    `cells` cells, with the neighbours of the best. A word of more rows does not select any, but ranks those selected.
    """
    limit = cells // max(1, len(table.table.columns))
    scores, selective = np.zeros(table.size), np.zeros(table.size, bool)
    for word in question.content:
        places = [np.array(table.postings[form]) for form in _forms(word) if form in table.postings]
        if places:
            rows = np.unique(np.concatenate(places))
            scores[rows] += math.log((table.size + 1) / len(rows))
            # A word of nearly all rows would take all the places.
            selective[rows] |= len(rows) <= limit
    found = np.flatnonzero(selective)
    matching = found[np.argsort(-scores[found], kind="stable")][:limit].tolist()
    taken = {*range(min(ENDS, table.size)), *range(max(0, table.size - ENDS), table.size), *matching}
    taken.update(-row for ends in table.extremes.values() for end in ends for _, row in end)
    for comparison in question.comparisons:
        for column in range(len(table.table.columns)):
            taken.update(table.compared.get((comparison, column), ()))
    # Questions for what is before or after a row need it too.
    for row in matching[:NEIGHBOURS]:
        taken.update((row - 1, row + 1))
    return sorted(row for row in taken if 0 <= row < table.size)


def _read(table: ScannedTable, index: Index, rows: Sequence[int]) -> Iterator[tuple[str, ...]]:
    """Yields the cells of the rows with these numbers, which must ascend, from the blocks in the index."""
    part = index.part(TABLES.name)
    ends = [start for start, _ in table.blocks[1:]] + [table.size]
    # Block after block, so that one at a time is held.
    for (start, doc_id), end in zip(table.blocks, ends, strict=True):
        inside = rows[bisect_left(rows, start) : bisect_left(rows, end)]
        if inside:
            block = decode_block(part.lookup("doc_id", [doc_id])[0][0].payload)
            yield from (block.table.rows[row - start] for row in inside)


def _forms(word: str) -> tuple[str, ...]:
    """The words under which a table may have a question's word: the word, its synonyms, and other names of a
    country."""
    called = {part for country in countries((word,)) for name in country.others for part in name.split()}
    return (word, *sorted(alike(word) | called))


def _cell_words(cell: str) -> tuple[str, ...]:
    plain = cell.replace(",", "")
    # Most cells of large tables are figures: they need no folding.
    return (plain,) if plain.isdigit() and plain.isascii() else words(cell)


WHOLE_BLOCKS = 64  # blocks up to which a dataset is held whole; of a larger one only rows that a question may be about
READ_BLOCKS = 2_500  # blocks of a dataset that are read through at most; of the rest those that match a question best
SEARCHED_BLOCKS = 16  # blocks of the rest, for each question


class LoadedDataset(NamedTuple):
    """A dataset read from the index; `known` is False if the index lacks this id.

    `unread` counts the blocks beyond READ_BLOCKS, of which only those that match a question best were read.
    """

    dataset_id: str
    title: str
    description: str
    views: tuple[View, ...]
    known: bool
    unread: int = 0


def datasets_of(
    index: Index, questions: Sequence[DatasetQuestion]
) -> Iterator[tuple[LoadedDataset, list[DatasetQuestion]]]:
    """Yields every dataset that the questions are about, once, with its questions; one dataset is held at a time.

    A dataset of more than `WHOLE_BLOCKS` blocks comes once for each of its questions, with only the rows that the
    question may be about. Overlong questions are cut (`truncate_question`).
    """
    by_dataset: dict[str, list[DatasetQuestion]] = {}
    for question in questions:
        text = truncate_question(question.text, f"question {question.question_id}")
        by_dataset.setdefault(question.dataset_id, []).append(question._replace(text=text))
    ids = list(by_dataset)
    for start in range(0, len(ids), 100):
        some = ids[start : start + 100]
        described = index.part(DATASETS.name).lookup("doc_id", some)
        # Counted before anything is read: a large dataset would not fit into memory.
        counts = index.part(TABLES.name).count([Query((QueryTerm(TEXT_FIELD, dataset_term(name)),)) for name in some])
        for name, found, blocks in zip(some, described, counts, strict=True):
            if blocks <= WHOLE_BLOCKS:
                documents = index.part(TABLES.name).lookup(DATASET, [name])[0]
                yield _of_blocks(name, found, _distinct(_join_blocks(documents))), by_dataset[name]
            else:
                yield from _large(index, name, found, by_dataset[name], blocks)


def _large(
    index: Index, name: str, described: Sequence[Document], asked: Sequence[DatasetQuestion], count: int
) -> Iterator[tuple[LoadedDataset, list[DatasetQuestion]]]:
    """Yields a large dataset once for each of its questions, with the rows that the question may be about.

    The blocks are read in one pass for all questions. `described` has the dataset's document, or nothing; `count` is
    the number of its blocks.
    """
    read = [read_question(question.text) for question in asked]
    wanted = {form for question in read for word in question.content for form in _forms(word)}
    comparisons = list(dict.fromkeys(one for question in read for one in question.comparisons))
    tables: dict[str, ScannedTable] = {}
    for document in islice(blocks_of(index, name), READ_BLOCKS):
        scan_block(tables, document, wanted, comparisons)
    if count > READ_BLOCKS:
        # A block that the pass has seen must not be counted again.
        passed = {doc_id for table in tables.values() for _, doc_id in table.blocks}
        found = {document.doc_id: document for question in asked for document in _matching(index, question)}
        for doc_id in sorted(set(found) - passed):
            scan_block(tables, found[doc_id], wanted, comparisons)
    for question, meant in zip(asked, read, strict=True):
        dataset = _of_blocks(name, described, _distinct(take_rows(tables, index, meant)))
        yield dataset._replace(unread=max(0, count - READ_BLOCKS)), [question]


def _matching(index: Index, question: DatasetQuestion) -> list[Document]:
    """The blocks of the question's dataset that the index ranks best for it, at most `SEARCHED_BLOCKS`, in the order of
    their doc_ids; the first ones if none has a word of the question."""
    terms = dict.fromkeys(question.language.analyser().terms(question.text))
    where = (DATASET, (question.dataset_id,))
    query = Query(
        (*(QueryTerm(TEXT_FIELD, term) for term in terms), QueryTerm(TEXT_FIELD, dataset_term(question.dataset_id))),
        where,
    )
    hits = index.part(TABLES.name).search([query], SEARCHED_BLOCKS)[0]
    return sorted((hit.document for hit in hits), key=lambda document: document.doc_id)


def _of_blocks(dataset_id: str, described: Sequence[Document], tables: Iterable[RowBlock]) -> LoadedDataset:
    title, description = decode_dataset(described[0].payload)[:2] if described else ("", "")
    views = tuple(View(one.table, title, readable(one.file)) for one in tables)
    return LoadedDataset(dataset_id, title, description, views, bool(described or views))


def _join_blocks(documents: Sequence[Document]) -> Iterator[RowBlock]:
    """Yields each table as a single block with all its rows; `documents` are blocks in doc_id order."""
    for _, group in groupby(documents, key=lambda document: table_of_block(document.doc_id)):
        blocks = [decode_block(document.payload) for document in group]
        rows = tuple(row for block in blocks for row in block.table.rows)
        yield blocks[0]._replace(table=blocks[0].table._replace(rows=rows))


def _distinct(tables: Iterable[RowBlock]) -> Iterator[RowBlock]:
    """Yields the tables, of those with equal rows only the first; a table without rows only if it has a title or
    columns."""
    seen: set[tuple[tuple[str, ...], ...]] = set()
    for one in tables:
        table = one.table
        # Portals give one table in several formats: csv beside xlsx.
        if table.rows and table.rows not in seen:
            seen.add(table.rows)
            yield one
        elif not table.rows and (table.title or table.columns):
            yield one
