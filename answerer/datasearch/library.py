"""The tables of a dataset out of an index, made ready for questions."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from answerer.datasearch.view import View
from answerer.formats.datasearch import Question
from indexer.analysis import analyser
from indexer.document import Document
from indexer.engines.contract import Index, Query, QueryTerm
from indexer.sources.datasets import dataset_term, table_of
from indexer.sources.headers import Table

WHOLE_BLOCKS = 64
"""Blocks up to which all of a dataset is read; of a larger one the blocks that match a question best are."""

SEARCHED_BLOCKS = 16


class Dataset(NamedTuple):
    """A dataset as the index has it; `known` is False where the index has none of this id."""

    dataset_id: str
    title: str
    description: str
    views: tuple[View, ...]
    known: bool


def datasets_of(index: Index, questions: Sequence[Question]) -> Iterator[tuple[Dataset, list[Question]]]:
    """Every dataset that the questions are about, once, with its questions; one dataset is held at a time.

    A large dataset (`WHOLE_BLOCKS`) comes once for each of its questions, with the blocks that these match.
    """
    by_dataset: dict[str, list[Question]] = {}
    for question in questions:
        by_dataset.setdefault(question.dataset_id, []).append(question)
    ids = list(by_dataset)
    for start in range(0, len(ids), 100):
        some = ids[start : start + 100]
        described = index.part("datasets").lookup("doc_id", some)
        counts = index.part("tables").count([Query((QueryTerm("text", dataset_term(name)),)) for name in some])
        for name, found, count in zip(some, described, counts, strict=True):
            if count <= WHOLE_BLOCKS:
                documents = index.part("tables").lookup("dataset", [name])[0]
                yield _dataset(name, found, documents), by_dataset[name]
            else:
                for question in by_dataset[name]:
                    yield _dataset(name, found, _matching(index, question)), [question]


def _matching(index: Index, question: Question) -> list[Document]:
    """The blocks of a large dataset that match a question best, in their order; the first ones where none does."""
    terms = dict.fromkeys(analyser(question.language).terms(question.text))
    where = ("dataset", (question.dataset_id,))
    query = Query(
        (*(QueryTerm("text", term) for term in terms), QueryTerm("text", dataset_term(question.dataset_id))), where
    )
    hits = index.part("tables").search([query], SEARCHED_BLOCKS)[0]
    return sorted((hit.document for hit in hits), key=lambda document: document.doc_id)


def _dataset(dataset_id: str, described: Sequence[Document], documents: Sequence[Document]) -> Dataset:
    facts = json.loads(described[0].payload) if described else {}
    title, description = str(facts.get("title", "")), str(facts.get("description", ""))
    views = tuple(View(table, title) for table in joined_tables(documents))
    return Dataset(dataset_id, title, description, views, bool(described or documents))


def joined_tables(documents: Sequence[Document]) -> Iterator[Table]:
    """The tables of blocks in doc_id order, blocks of one table joined, a table that came before left out."""
    seen: set[tuple[tuple[str, ...], ...]] = set()
    for _, group in groupby(documents, key=lambda document: document.doc_id.rpartition("-")[0]):
        blocks = [table_of(document.payload) for document in group]
        table = blocks[0]._replace(rows=tuple(row for block in blocks for row in block.rows))
        if table.rows and table.rows not in seen:
            seen.add(table.rows)
            yield table
        elif not table.rows and (table.title or table.columns):
            yield table
