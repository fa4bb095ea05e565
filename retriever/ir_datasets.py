"""Local files as datasets of ir_datasets: `register` offers their docs, queries and qrels under a name.

Needs the extra `ir-datasets`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, overload

from indexer.files.errors import UserError
from indexer.files.versions import install_hint
from indexer.formats.datasearch import DatasetQuestion, read_collection, read_questions
from indexer.formats.labels import CandidateList, candidate_id, read_label
from indexer.formats.sentence_rows import is_sentence_file, read_sentence_file
from indexer.formats.table_rows import TableRow, is_table_file, read_table_rows
from indexer.ingest_report import IngestReport
from indexer.languages.registry import detect_language

try:
    import ir_datasets
    from ir_datasets.formats import BaseDocs, BaseQrels, BaseQueries, BaseScoredDocs, GenericQuery, GenericScoredDoc
    from ir_datasets.formats.trec import TrecQrel
    from ir_datasets.indices import Docstore
except ImportError as error:
    raise ImportError(f"{error}: {install_hint('ir-datasets')}") from error

RELEVANCE = {1: "right", 0: "not right"}


class TitledDoc(NamedTuple):
    """A document: a candidate sentence under its article's title ("" where the file has none), or a dataset."""

    doc_id: str
    title: str
    text: str

    def default_text(self) -> str:
        """The text to index."""
        return f"{self.title} {self.text}".strip()


def register(name: str, file: str | Path, *, collection: str | Path | None = None) -> Any:
    """Offer a local file to ir_datasets under a name, and load it: `ir_datasets.load(name)` gives it from now on.

    `file` is of DBQA, SelQA, WikiQA, TrecQA or TBQA: its docs are the questions' candidates (`scoreddocs` are those of
    each question in their order), named as `evaluation export` names them: question n, counted from 1, has n-0, n-1 ….
    With `collection` (Data Search) `file` holds its questions, the docs are the collection's datasets, and the one
    that a question is about is right. A file without labels has no qrels. Files are read when they are registered,
    a collection when its docs are asked for, and stay in memory. UserError for a name that is taken, and for files of
    other forms.
    """
    if name in iter(ir_datasets.registry):
        raise UserError(f"{name}: ir_datasets has a dataset of this name already; choose another")
    parts = candidate_parts(file) if collection is None else collection_parts(read_questions(file), Path(collection))
    ir_datasets.registry.register(name, ir_datasets.Dataset(*parts))
    return ir_datasets.load(name)


def candidate_parts(file: str | Path) -> list[Any]:
    """The components of an ir_datasets dataset from a file of candidates: docs, queries, scored docs, and qrels if a
    list has labels."""
    lists: Sequence[CandidateList]
    if is_sentence_file(file):
        lists = read_sentence_file(file).lists
    elif is_table_file(file):
        rows_of: dict[str, list[TableRow]] = {}
        for row in read_table_rows(file):
            rows_of.setdefault(row.question, []).append(row)
        lists = []
        for question, rows in rows_of.items():
            # The text of a table is its caption, then a line a row.
            lines = ([row.caption, *(" | ".join(line) for line in (row.header(), *row.rows()))] for row in rows)
            labels = [read_label(row.label, file, row.line)[0] for row in rows if row.label is not None]
            lists.append(CandidateList(question, tuple(map("\n".join, lines)), tuple(labels) if labels else None))
    else:
        expected = "a file of DBQA, SelQA, WikiQA, TrecQA or TBQA, or a collection= of Data Search"
        raise UserError(f"{file}: expected {expected}")
    language = detect_language("\n".join(each.question for each in lists)).code
    queries = [GenericQuery(str(number), each.question) for number, each in enumerate(lists, 1)]
    docs, scored, judged = [], [], []
    for number, each in enumerate(lists, 1):
        for place, text in enumerate(each.candidates):
            doc_id = candidate_id(number, place)
            docs.append(TitledDoc(doc_id, each.topic, text))
            scored.append(GenericScoredDoc(str(number), doc_id, -float(place)))  # in the order of the file
            if each.gold:
                judged.append(TrecQrel(str(number), doc_id, int(each.gold[place]), "0"))
    parts = [_Docs(lambda: docs, language), _Queries(queries, language), _Candidates(scored)]
    return [*parts, _Qrels(judged)] if any(each.gold is not None for each in lists) else parts


def collection_parts(questions: Sequence[DatasetQuestion], collection: Path) -> list[Any]:
    """The components of an ir_datasets dataset of Data Search: docs (the datasets of the file `collection`, read on
    demand), queries, and qrels, with each question's own dataset as its relevant document."""
    if not collection.is_file():
        raise UserError(f"{collection}: no such file; expected a collection of Data Search")
    language = detect_language("\n".join(each.text for each in questions)).code
    queries = [GenericQuery(each.question_id, each.text) for each in questions]
    qrels = [TrecQrel(each.question_id, each.dataset_id, 1, "0") for each in questions]

    def read() -> list[TitledDoc]:
        datasets = read_collection(collection, IngestReport())
        return [TitledDoc(each.dataset_id, each.title, each.description) for each in datasets]

    return [_Docs(read, language), _Queries(queries, language), _Qrels(qrels)]


class _Docs(BaseDocs):  # type: ignore[misc]  # untyped, as those below
    """Documents that are read once, when they are asked for."""

    def __init__(self, read: Callable[[], list[TitledDoc]], language: str) -> None:
        self._read = read
        self._language = language

    @cached_property
    def _docs(self) -> list[TitledDoc]:
        return self._read()

    def docs_iter(self) -> _Sliceable:
        return _Sliceable(self._docs)

    def docs_store(self, field: str = "doc_id", options: object = None) -> _Store:
        return _Store(self._docs)

    def docs_cls(self) -> type[TitledDoc]:
        return TitledDoc

    def docs_count(self) -> int:
        return len(self._docs)

    def docs_lang(self) -> str:
        return self._language


class _Sliceable(Iterator[TitledDoc]):
    """An iterator over documents that can be sliced, as ir_datasets asks: `docs_iter()[10:20]`."""

    def __init__(self, docs: Sequence[TitledDoc]) -> None:
        self._docs = docs
        self._rest = iter(docs)

    def __next__(self) -> TitledDoc:
        return next(self._rest)

    @overload
    def __getitem__(self, place: int) -> TitledDoc: ...
    @overload
    def __getitem__(self, place: slice) -> _Sliceable: ...
    def __getitem__(self, place: int | slice) -> TitledDoc | _Sliceable:
        return _Sliceable(self._docs[place]) if isinstance(place, slice) else self._docs[place]

    def __len__(self) -> int:
        return len(self._docs)


class _Store(Docstore):  # type: ignore[misc]
    """Documents by their ids; ids that no document has are left out."""

    def __init__(self, docs: Iterable[TitledDoc]) -> None:
        super().__init__(TitledDoc)
        self._by_id = {doc.doc_id: doc for doc in docs}

    def get_many_iter(self, doc_ids: Iterable[str]) -> Iterator[TitledDoc]:
        return (self._by_id[one] for one in doc_ids if one in self._by_id)


class _Queries(BaseQueries):  # type: ignore[misc]
    def __init__(self, queries: Sequence[GenericQuery], language: str) -> None:
        self._queries = queries
        self._language = language

    def queries_iter(self) -> Iterator[GenericQuery]:
        return iter(self._queries)

    def queries_cls(self) -> Any:
        return GenericQuery

    def queries_lang(self) -> str:
        return self._language


class _Qrels(BaseQrels):  # type: ignore[misc]
    def __init__(self, qrels: Sequence[TrecQrel]) -> None:
        self._qrels = qrels

    def qrels_iter(self) -> Iterator[TrecQrel]:
        return iter(self._qrels)

    def qrels_cls(self) -> Any:
        return TrecQrel

    def qrels_defs(self) -> dict[int, str]:
        return RELEVANCE


class _Candidates(BaseScoredDocs):  # type: ignore[misc]
    """Each question's candidates in the order of the file: the input of a reranker."""

    def __init__(self, scored: Sequence[GenericScoredDoc]) -> None:
        self._scored = scored

    def scoreddocs_iter(self) -> Iterator[GenericScoredDoc]:
        return iter(self._scored)
