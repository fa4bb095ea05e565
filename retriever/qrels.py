"""The gold of a ranking task's file by the doc_ids of the index that its candidates were put into."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from pathlib import Path
from typing import NamedTuple

from indexer.engines.contract import Index
from indexer.files.errors import UserError, bad_input
from indexer.files.messages import warn
from indexer.formats.labels import read_label
from indexer.formats.sentence_rows import is_sentence_file, read_sentence_file
from indexer.formats.table_rows import read_table_rows
from indexer.sources.tables.schema import StoredTable, decode_table
from retriever.queries import text_part


class Qrel(NamedTuple):
    """A judgement; `relevance` is 1 or 0."""

    query_id: str
    doc_id: str
    relevance: int


def collection_qrels(gold: str | Path, index: Index) -> list[Qrel]:
    """The gold of a ranking task's file as judgements of the index's documents, question by question; a document is
    relevant if one copy of it is.

    Questions are numbered as in `read_topics`. Warns of candidates that are not in the index. Raises UserError for a
    file without labels, and if the index contains none of its candidates.
    """
    is_table = index.metadata.kind == "tables"
    doc_ids: dict[Hashable, str] = {
        decode_table(document.payload) if is_table else document.text: document.doc_id
        for document in text_part(index, None).scan()
    }
    relevance: dict[tuple[str, str], int] = {}
    missing = 0
    for number, candidate, right in judged_tables(gold) if is_table else judged_sentences(gold):
        if candidate in doc_ids:
            key = (str(number), doc_ids[candidate])
            relevance[key] = max(relevance.get(key, 0), int(right))
        else:
            missing += 1
    if not relevance:
        raise UserError(f"the index {index.address} holds none of the candidates of {gold}: build it from that file")
    if missing:
        warn(f"{missing} candidates of {gold} are not in the index {index.address}: left out")
    return [Qrel(query_id, doc_id, right) for (query_id, doc_id), right in relevance.items()]


def judged_sentences(path: str | Path) -> Iterator[tuple[int, Hashable, bool]]:
    """Yields question number (from 1), sentence with white space folded, and label, for each candidate of a file.
    Raises UserError for a file without labels or of another form."""
    if not is_sentence_file(path):
        raise bad_input(path, None, "not a file of sentences", "expected a file of DBQA, SelQA, WikiQA or TrecQA")
    for number, each in enumerate(read_sentence_file(path).lists, 1):
        if each.gold is None:
            raise bad_input(path, None, f"question {number} has no gold", "expected a file with labels")
        for text, right in zip(each.candidates, each.gold, strict=True):
            yield number, " ".join(text.split()), bool(right)


def judged_tables(path: str | Path) -> Iterator[tuple[int, Hashable, bool]]:
    """Yields question number (from 1, by first occurrence), table and label, for each row of a TBQA file. Raises
    UserError without labels."""
    numbers: dict[str, int] = {}
    for row in read_table_rows(path):
        if row.label is None:
            raise bad_input(path, row.line, "no label", "expected a file with labels")
        number = numbers.setdefault(row.question, len(numbers) + 1)
        right, _ = read_label(row.label, path, row.line)
        yield number, StoredTable(row.caption, row.attributes, row.cells), right
