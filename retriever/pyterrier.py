"""Transformers of PyTerrier: an index that retrieves, the texts of what was found, a trained ranker
that reranks.

They take and give PyTerrier's data frames, so that its operators and `pt.Experiment` work on them.
Needs the extra `pyterrier`.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

from indexer.engines import scoring
from indexer.files.errors import UserError
from indexer.files.messages import counted
from indexer.files.versions import install_hint
from indexer.formats.labels import CandidateList
from indexer.formats.trec_run import falling
from retriever.collection import SENTENCE_RANKINGS, rank_sentences
from retriever.learning.model import read_model
from retriever.ranking.ranker import score_by_model
from retriever.rm3 import Rm3
from retriever.search import Hit, OpenIndex, open_index
from retriever.weighting import Weighting

try:
    import pandas as pd
    import pyterrier as pt
except ImportError as error:
    raise ImportError(f"{error}: {install_hint('pyterrier')}") from error

Opened = OpenIndex | str | os.PathLike[str]

FOUND = ("docno", "score", "rank", "text", "source_id")


@dataclass(unsafe_hash=True)
class IndexRetriever(pt.Transformer):
    """Queries in (`qid`, `query`), the k best documents of each out (`docno`, `score`, `rank` from
    0, `text`, `source_id`: of a textbook the id in its file, "" without one; of a collection
    docno).

    `index` is an open index, or an address, which is opened at once and stays open. Scores are
    BM25's as `falling` gives them, the same from both engines; those of a collection are of its
    runs (`OpenIndex.rank`), by `weighting` and `rm3`. All queries of a frame are asked together,
    and their columns kept. A query of which nothing is found gives no row. UserError as of
    `open_index`, its `search` and its `rank`.
    """

    index: Opened
    k: int = 1000
    part: str | None = None
    weighting: Weighting | None = None
    rm3: Rm3 | None = None
    schematic: ClassVar[dict[str, str | None]] = {"label": "IndexRetriever", "help_url": None}

    def __post_init__(self) -> None:
        self.index = ensure_open(self.index)

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """The hits of each query, best first, in rows with the query's columns, docno, score, rank
        from 0, text and source_id; columns of these names that the queries have are replaced.
        Raises UserError for a missing query."""
        pt.validate.query_frame(inp, ["query"])
        if inp["query"].isna().any():
            raise UserError("a query has no text: drop the rows whose column query is empty")
        results = self._search_all([str(query) for query in inp["query"]]) if len(inp) else []
        rows = [row for row, hits in enumerate(results) for _ in hits]
        columns = [column for column in inp.columns if column not in FOUND]
        hits = [hit for ranking in results for hit in ranking]
        return (
            inp[columns]
            .iloc[rows]
            .reset_index(drop=True)
            .assign(
                docno=pd.Series([hit.doc_id for hit in hits], dtype=object),
                score=pd.Series(
                    # Rounded to the 5 significant digits on which the engines agree.
                    [
                        score
                        for ranking in results
                        for score in falling([scoring.round_score(hit.score) for hit in ranking])
                    ],
                    dtype="float64",
                ),
                rank=pd.Series(
                    [rank for ranking in results for rank in range(len(ranking))], dtype="int64"
                ),
                text=pd.Series([hit.text for hit in hits], dtype=object),
                source_id=pd.Series([hit.source_id for hit in hits], dtype=object),
            )
        )

    def _search_all(self, queries: Sequence[str]) -> Sequence[Sequence[Hit]]:
        """The hits of each query, best first: in a collection, or with a weighting or RM3, as
        `OpenIndex.rank` finds them, else by the engine's BM25."""
        index = ensure_open(self.index)
        if index.metadata.kind != "collection" and not (self.weighting or self.rm3):
            return index.search(queries, self.k, part=self.part, exact=True)
        rankings = index.rank(
            {str(number): query for number, query in enumerate(queries)},
            self.k,
            part=self.part,
            weighting=self.weighting,
            rm3=self.rm3,
        ).values()
        doc_ids = sorted({doc_id for ranking in rankings for doc_id, _ in ranking})
        pairs = zip(doc_ids, index.part(self.part).lookup("doc_id", doc_ids), strict=True)
        texts = {doc_id: documents[0].text for doc_id, documents in pairs}
        return [
            [Hit(doc_id, score, "", texts[doc_id], doc_id) for doc_id, score in ranking]
            for ranking in rankings
        ]

    def fuse_rank_cutoff(self, k: int) -> IndexRetriever:
        """The retriever that `% k` compiles to: the same index, asked for at most k documents."""
        return self if k >= self.k else replace(self, k=k)


@dataclass(unsafe_hash=True)
class IndexTexts(pt.Transformer):
    """Found documents in (`docno`), the same rows with their `text` out, looked up in an index: for
    documents of other retrievers, or without their text (the sum of two rankings keeps the left
    one's). `index` as of `IndexRetriever`."""

    index: Opened
    part: str | None = None
    schematic: ClassVar[dict[str, str | None]] = {"label": "IndexTexts", "help_url": None}

    def __post_init__(self) -> None:
        self.index = ensure_open(self.index)

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """The same rows with the column text, looked up by docno; raises UserError if the index
        lacks a document."""
        pt.validate.columns(inp, includes=["docno"])
        index = ensure_open(self.index)
        doc_ids = list(dict.fromkeys(inp["docno"]))
        results = index.part(self.part).lookup("doc_id", doc_ids)
        texts = {
            doc_id: documents[0].text
            for doc_id, documents in zip(doc_ids, results, strict=True)
            if documents
        }
        if missing := [doc_id for doc_id in doc_ids if doc_id not in texts]:
            raise UserError(
                f"the index {index.address} lacks {counted(len(missing), 'documents')}, the first "
                f"{missing[0]!r}"
            )
        return inp.assign(
            text=pd.Series(
                [texts[doc_id] for doc_id in inp["docno"]], index=inp.index, dtype=object
            )
        )


@dataclass(unsafe_hash=True)
class ModelReranker(pt.Transformer):
    """Documents in (`qid`, `query`, `docno`, `text`), the same rows with the scores and ranks of a
    trained ranker out.

    `model` is a file of `answerer train` for selqa (English sentences) or nlpcc-dbqa (Chinese
    ones). A query's rows are its list of candidates, in the order of the frame: features look at
    neighbours and places, so that the candidates of a data set belong in the order of their
    document, what an index found in the order of its ranks. Some features weigh words by how many
    questions of the frame have them, as they do in a test file: rank in one frame what you compare.
    A column `topic`, where there is one, is the title of the document that all of a query's
    candidates come from. Raises UserError for another file, for a missing text, and for a query of
    several texts or none.
    """

    model: str | os.PathLike[str]
    _task: str = field(init=False, repr=False)
    schematic: ClassVar[dict[str, str | None]] = {"label": "ModelReranker", "help_url": None}

    def __post_init__(self) -> None:
        self._task = read_model(os.fspath(self.model), *SENTENCE_RANKINGS).task

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """The same rows, in their order, with score and rank by the model, each query's rows as one
        list of candidates. Raises UserError for a row without text, and for a query (`qid`) of no
        text or several."""
        pt.validate.result_frame(inp, ["query", "text"])
        scores = pd.Series(0.0, index=inp.index, dtype="float64")
        if len(inp):
            lists = inp.groupby("qid", sort=False, dropna=False)
            ranking = rank_sentences(self._task, [candidates(rows) for _, rows in lists])
            rows_by_list = lists.ngroup().to_numpy().argsort(kind="stable")
            scores.iloc[rows_by_list] = score_by_model(ranking, os.fspath(self.model))[1]
        scored = inp.drop(columns=["score", "rank"], errors="ignore").assign(score=scores)
        return pt.model.add_ranks(scored)


def candidates(rows: pd.DataFrame) -> CandidateList:
    """The candidate list of one query, of its rows, with the topic of the first ("" without).
    Raises UserError for a missing text, and for several different query texts or none."""
    for docno, text in zip(rows["docno"], rows["text"], strict=True):
        if not isinstance(text, str):
            raise UserError(
                f"the document {docno!r} has lost its text: put IndexTexts(index) before the ranker"
            )
    first = rows.iloc[0]
    queries = [
        query for query in dict.fromkeys(rows["query"]) if isinstance(query, str)
    ]  # a sum leaves some without
    if len(queries) != 1:
        raise UserError(
            f"the query {first['qid']!r} has {len(queries)} different texts, expected one"
        )
    topic = first.get("topic", "")
    return CandidateList(
        queries[0], tuple(rows["text"]), topic="" if pd.isna(topic) else str(topic)
    )


def ensure_open(index: Opened) -> OpenIndex:
    """An index that is open already, or the one at an address, opened."""
    return index if isinstance(index, OpenIndex) else open_index(index)
