"""Local files as datasets of ir_datasets: `register` offers their docs, queries and qrels under a name.

Needs the extra `ir-datasets`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from indexer.files.errors import UserError
from indexer.files.versions import install_hint
from indexer.formats.datasearch import DatasetQuestion, read_collection, read_questions
from indexer.formats.labels import CandidateList, candidate_id
from indexer.formats.sentence_rows import is_sentence_file, read_sentence_file
from indexer.formats.table_rows import TableRow, is_table_file, read_table_lists
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

        def text_of(row: TableRow) -> str:
            """The caption, then a line a row."""
            return "\n".join([row.caption, *(" | ".join(line) for line in (row.header(), *row.rows()))])

        lists = read_table_lists(file, text_of).lists
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
    # The candidates in the order of the file are the input of a reranker.
    candidates = _part(BaseScoredDocs, scoreddocs_iter=lambda: iter(scored))
    parts = [_docs(lambda: docs, language), _queries(queries, language), candidates]
    return [*parts, _qrels(judged)] if any(each.gold is not None for each in lists) else parts


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

    return [_docs(read, language), _queries(queries, language), _qrels(qrels)]


def _part(base: type, **methods: Callable[..., Any]) -> Any:
    """A component of an ir_datasets dataset: an object of its base class with these methods."""
    return type(base.__name__, (base,), {name: staticmethod(method) for name, method in methods.items()})()


def _docs(read: Callable[[], list[TitledDoc]], language: str) -> Any:
    """Documents that are read once, when they are asked for."""
    docs = cache(read)
    return _part(
        BaseDocs,
        docs_iter=lambda: _Sliceable(docs()),
        docs_store=lambda field="doc_id", options=None: _Store(docs()),
        docs_cls=lambda: TitledDoc,
        docs_count=lambda: len(docs()),
        docs_lang=lambda: language,
    )


def _queries(queries: Sequence[GenericQuery], language: str) -> Any:
    return _part(
        BaseQueries,
        queries_iter=lambda: iter(queries),
        queries_cls=lambda: GenericQuery,
        queries_lang=lambda: language,
    )


def _qrels(judged: Sequence[TrecQrel]) -> Any:
    return _part(BaseQrels, qrels_iter=lambda: iter(judged), qrels_cls=lambda: TrecQrel, qrels_defs=lambda: RELEVANCE)


class _Sliceable(Iterator[TitledDoc]):
    """An iterator over documents that can be sliced, as ir_datasets asks: `docs_iter()[10:20]`."""

    def __init__(self, docs: Sequence[TitledDoc]) -> None:
        self._docs, self._rest = docs, iter(docs)

    def __next__(self) -> TitledDoc:
        return next(self._rest)

    def __getitem__(self, place: int | slice) -> Any:
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
