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


class JudgedCandidate(NamedTuple):
    """A candidate of a question, numbered as `read_topics` does: a sentence with white space folded, or a table."""

    query_id: str
    candidate: Hashable
    right: bool


class Qrel(NamedTuple):
    """A judgement; `relevance` is 1 or 0."""

    query_id: str
    doc_id: str
    relevance: int


def collection_qrels(gold: str | Path, index: Index) -> list[Qrel]:
    """Judgements of the index's documents, question by question; a document is relevant if one copy of it is.

    Candidates that are not in the index are counted on stderr. UserError for a file without labels, and where the
    index holds none of its candidates.
    """
    documents = text_part(index, None).scan()
    is_table = index.metadata.kind == "tables"
    known = {decode_table(each.payload) if is_table else each.text: each.doc_id for each in documents}
    found: dict[tuple[str, str], bool] = {}
    missing = 0
    for one in _judged_tables(gold) if is_table else _judged_sentences(gold):
        doc_id = known.get(one.candidate)  # type: ignore[call-overload]  # a text or a table, as the index holds
        if doc_id is None:
            missing += 1
        else:
            found[one.query_id, doc_id] = found.get((one.query_id, doc_id), False) or one.right
    if not found:
        raise UserError(f"the index {index.address} holds none of the candidates of {gold}: build it from that file")
    if missing:
        warn(f"{missing} candidates of {gold} are not in the index {index.address}: left out")
    return [Qrel(query_id, doc_id, int(right)) for (query_id, doc_id), right in found.items()]


def _judged_sentences(path: str | Path) -> Iterator[JudgedCandidate]:
    """The labelled sentences of a file. Raises UserError without labels."""
    if not is_sentence_file(path):
        raise bad_input(path, None, "not a file of sentences", "expected a file of DBQA, SelQA, WikiQA or TrecQA")
    for number, one in enumerate(read_sentence_file(path).lists, 1):
        if one.gold is None:
            raise bad_input(path, None, f"question {number} has no gold", "expected a file with labels")
        for text, right in zip(one.candidates, one.gold, strict=True):
            yield JudgedCandidate(str(number), " ".join(text.split()), bool(right))


def _judged_tables(path: str | Path) -> Iterator[JudgedCandidate]:
    """The labelled tables of a file. Raises UserError without labels."""
    numbers: dict[str, int] = {}
    for row in read_table_rows(path):
        if row.label is None:
            raise bad_input(path, row.line, "no label", "expected a file with labels")
        number = numbers.setdefault(row.question, len(numbers) + 1)
        right, _ = read_label(row.label, path, row.line)
        yield JudgedCandidate(str(number), StoredTable(row.caption, row.attributes, row.cells), right)
