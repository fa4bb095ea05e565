"""Reads the tables of a dataset from an index; of a large one those blocks that match a question
best."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from answerer.datasearch.tables.view import View
from indexer.analysis.text import truncate_question
from indexer.engines.contract import Document, Index, Query, QueryTerm
from indexer.formats.datasearch import DatasetQuestion, readable
from indexer.sources.datasets.schema import (
    DATASET,
    DATASETS,
    TABLES,
    TEXT_FIELD,
    RowBlock,
    dataset_term,
    decode_block,
    decode_dataset,
    table_of_block,
)

# Blocks up to which a dataset is held whole, a choice that bounds memory and time: a million
# cells.
WHOLE_BLOCKS = 256
SEARCHED_BLOCKS = 64  # blocks of a larger dataset, those that match a question best


class LoadedDataset(NamedTuple):
    """A dataset read from the index, without text or tables if the index lacks this id.

    `unread` counts the blocks of a large dataset that do not match the question well enough to be
    read.
    """

    dataset_id: str
    title: str
    description: str
    views: tuple[View, ...]
    unread: int


def datasets_of(
    index: Index, questions: Sequence[DatasetQuestion]
) -> Iterator[tuple[LoadedDataset, list[DatasetQuestion]]]:
    """Yields every dataset that the questions are about, once, in the order of their first
    questions, with its questions; one dataset is held at a time. One that the index lacks has no
    views.

    A dataset of more than 256 blocks comes once for each of its questions, with only the 64 blocks
    that match the question best. Overlong questions are cut (`truncate_question`).
    """
    by_dataset: dict[str, list[DatasetQuestion]] = {}
    for question in questions:
        text = truncate_question(question.text, f"question {question.question_id}")
        by_dataset.setdefault(question.dataset_id, []).append(question._replace(text=text))
    tables, ids = index.part(TABLES.name), list(by_dataset)
    for start in range(0, len(ids), 100):
        some = ids[start : start + 100]
        described = index.part(DATASETS.name).lookup("doc_id", some)
        # Counted before anything is read: a large dataset would not fit into memory.
        counts = tables.count(
            [Query((QueryTerm(TEXT_FIELD, dataset_term(name)),)) for name in some]
        )
        for name, documents, count in zip(some, described, counts, strict=True):
            if count <= WHOLE_BLOCKS:
                yield (
                    _load(name, documents, tables.lookup(DATASET, [name])[0], count),
                    by_dataset[name],
                )
                continue
            for question in by_dataset[name]:
                # All blocks have the dataset's term: if none has a word of the question, the first
                # ones come.
                terms = dict.fromkeys(
                    [*question.language.analyser().terms(question.text), dataset_term(name)]
                )
                query = Query(
                    tuple(QueryTerm(TEXT_FIELD, term) for term in terms), (DATASET, (name,))
                )
                blocks = (hit.document for hit in tables.search([query], SEARCHED_BLOCKS)[0])
                yield (
                    _load(name, documents, sorted(blocks, key=lambda block: block.doc_id), count),
                    [question],
                )


def _load(
    dataset_id: str, described: Sequence[Document], documents: Sequence[Document], count: int
) -> LoadedDataset:
    """The dataset with the tables of these blocks (`documents`, in doc_id order), of `count` that
    it has.

    `described` has the dataset's document, or nothing. Of tables with equal rows only the first is
    kept, and one without rows only if it has a title or columns.
    """
    title, description = decode_dataset(described[0].payload) if described else ("", "")
    views, seen = [], set()
    for _, group in groupby(documents, key=lambda document: table_of_block(document.doc_id)):
        blocks: list[RowBlock] = [decode_block(document.payload) for document in group]
        table = blocks[0].table._replace(
            rows=tuple(row for block in blocks for row in block.table.rows)
        )
        # Portals give one table in several formats: csv beside xlsx.
        if table.rows not in seen if table.rows else table.title or table.columns:
            seen.add(table.rows)
            views.append(View(table, title, readable(blocks[0].file)))
    return LoadedDataset(dataset_id, title, description, tuple(views), count - len(documents))
