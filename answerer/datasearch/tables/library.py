"""The tables of a dataset out of an index, made ready for questions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, islice
from typing import NamedTuple

from answerer.datasearch.question.read import read_question
from answerer.datasearch.tables.large import Sieve, blocks_of
from answerer.datasearch.tables.view import View
from indexer.analysis.runs import bearable_question
from indexer.document import Document
from indexer.engines.contract import Index, Query, QueryTerm
from indexer.formats.datasearch_questions import Question
from indexer.formats.dataset_collection import readable
from indexer.sources.datasets.schema import (
    DATASET,
    DATASETS,
    TABLES,
    TEXT_FIELD,
    Block,
    dataset_term,
    decode_block,
    decode_dataset,
    table_of_block,
)

WHOLE_BLOCKS = 64
"""Blocks up to which a dataset is held whole; of a larger one the rows that a question may be about are."""

READ_BLOCKS = 2_500
"""Blocks of a dataset that are passed over at most; of the others only those that match a question best."""

SEARCHED_BLOCKS = 16


class Dataset(NamedTuple):
    """A dataset as the index has it; `known` is False where the index has none of this id.

    `unread` counts the blocks beyond READ_BLOCKS, of which only those that match a question best were read.
    """

    dataset_id: str
    title: str
    description: str
    views: tuple[View, ...]
    known: bool
    unread: int = 0


def datasets_of(index: Index, questions: Sequence[Question]) -> Iterator[tuple[Dataset, list[Question]]]:
    """Every dataset that the questions are about, once, with its questions; one dataset is held at a time.

    A large dataset (`WHOLE_BLOCKS`) comes once for each of its questions, with the rows that these may be about.
    Questions come without long runs.
    """
    by_dataset: dict[str, list[Question]] = {}
    for question in questions:
        text = bearable_question(question.text, f"question {question.question_id}")
        by_dataset.setdefault(question.dataset_id, []).append(question._replace(text=text))
    ids = list(by_dataset)
    for start in range(0, len(ids), 100):
        some = ids[start : start + 100]
        described = index.part(DATASETS.name).lookup("doc_id", some)
        counts = index.part(TABLES.name).count([Query((QueryTerm(TEXT_FIELD, dataset_term(name)),)) for name in some])
        for name, found, count in zip(some, described, counts, strict=True):
            if count <= WHOLE_BLOCKS:
                documents = index.part(TABLES.name).lookup(DATASET, [name])[0]
                yield _of_blocks(name, found, _distinct(_joined(documents))), by_dataset[name]
            else:
                yield from _large(index, name, found, by_dataset[name], count)


def _large(
    index: Index, name: str, described: Sequence[Document], asked: Sequence[Question], count: int
) -> Iterator[tuple[Dataset, list[Question]]]:
    """A large dataset for each of its questions, after one pass over its blocks for all of them."""
    read = [read_question(question.text) for question in asked]
    sieve = Sieve(read)
    for document in islice(blocks_of(index, name), READ_BLOCKS):
        sieve.add(document)
    if count > READ_BLOCKS:
        passed = {doc_id for table in sieve.tables.values() for _, doc_id in table.blocks}
        found = {document.doc_id: document for question in asked for document in _matching(index, question)}
        for doc_id in sorted(set(found) - passed):
            sieve.add(found[doc_id])
    for question, meant in zip(asked, read, strict=True):
        dataset = _of_blocks(name, described, _distinct(sieve.take(index, meant)))
        yield dataset._replace(unread=max(0, count - READ_BLOCKS)), [question]


def _matching(index: Index, question: Question) -> list[Document]:
    """The blocks of a dataset that match a question best, in their order; the first ones where none does."""
    terms = dict.fromkeys(question.language.analyser().terms(question.text))
    where = (DATASET, (question.dataset_id,))
    query = Query(
        (*(QueryTerm(TEXT_FIELD, term) for term in terms), QueryTerm(TEXT_FIELD, dataset_term(question.dataset_id))),
        where,
    )
    hits = index.part(TABLES.name).search([query], SEARCHED_BLOCKS)[0]
    return sorted((hit.document for hit in hits), key=lambda document: document.doc_id)


def _of_blocks(dataset_id: str, described: Sequence[Document], tables: Iterable[Block]) -> Dataset:
    title, description = decode_dataset(described[0].payload)[:2] if described else ("", "")
    views = tuple(View(one.table, title, readable(one.file)) for one in tables)
    return Dataset(dataset_id, title, description, views, bool(described or views))


def _joined(documents: Sequence[Document]) -> Iterator[Block]:
    """The tables of blocks in doc_id order, each as one block."""
    for _, group in groupby(documents, key=lambda document: table_of_block(document.doc_id)):
        blocks = [decode_block(document.payload) for document in group]
        rows = tuple(row for block in blocks for row in block.table.rows)
        yield blocks[0]._replace(table=blocks[0].table._replace(rows=rows))


def _distinct(tables: Iterable[Block]) -> Iterator[Block]:
    """Each table once, and none that has neither rows nor anything else."""
    seen: set[tuple[tuple[str, ...], ...]] = set()
    for one in tables:
        table = one.table
        if table.rows and table.rows not in seen:
            seen.add(table.rows)
            yield one
        elif not table.rows and (table.title or table.columns):
            yield one
