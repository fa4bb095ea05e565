"""BM25 with this project's analysers behind the interface that MTEB and BEIR give to models that
search by themselves: `index(corpus, …)` and `search(queries, …)`.

Neither package is imported. A task's documents and queries are rows (mappings, as of a `datasets`
table) with `id`, `text` and, of documents, `title`; BEIR's mappings of ids to rows, and of ids to
query texts, are taken too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from indexer import build_collection
from retriever.search import open_index

Corpus = Iterable[Mapping[str, Any]] | Mapping[str, Mapping[str, Any]]
Queries = Iterable[Mapping[str, Any]] | Mapping[str, str]
Scores = dict[str, dict[str, float]]


class BM25Search:
    """A searcher of MTEB (`mteb.models.SearchProtocol`) and BEIR (`search(corpus, queries,
    top_k)`).

    `language` is the code of the texts' language; None determines it by their letters: English is
    cut into stems, Japanese by MeCab, Chinese by jieba.
    """

    def __init__(self, language: str | None = None) -> None:
        self.language = language
        self.mteb_model_meta: Any = None
        self._folder: TemporaryDirectory[str] | None = None

    def index(self, corpus: Corpus, **_: Any) -> None:
        """Indexes a corpus in a temporary folder, in place of a corpus indexed before; further
        keyword arguments of MTEB are ignored."""
        self._folder = TemporaryDirectory(prefix="classical-qa-mteb-")
        build_collection(
            _documents(corpus), Path(self._folder.name) / "index", language=self.language
        )

    def search(
        self,
        *arguments: Any,
        top_k: int = 1000,
        top_ranked: Mapping[str, Iterable[str]] | None = None,
        **more: Any,
    ) -> Scores:
        """The scores of the `top_k` best documents of each query: `search(queries)` of MTEB after
        `index`, or `search(corpus, queries, top_k)` of BEIR; with `top_ranked` (query id to
        doc_ids, of MTEB's reranking tasks) of these documents alone. Documents without a term of
        the query are left out. Raises ValueError without an index."""
        further = [more[name] for name in ("corpus", "queries") if name in more]
        *corpora, queries = (*arguments[:2], *further)
        if len(arguments) > 2 and isinstance(arguments[2], int):
            top_k = arguments[2]
        if corpora:
            self.index(corpora[0])
        if self._folder is None:
            raise ValueError("no corpus: call index(corpus) first")
        with open_index(Path(self._folder.name) / "index") as index:
            if top_ranked is None:
                rankings = index.rank(_texts(queries), top_k)
                return {query_id: dict(ranking) for query_id, ranking in rankings.items()}
            scores: Scores = {}
            size = len(index.part())
            for query_id, text in _texts(queries).items():  # one by one: each ranks all documents
                candidates = frozenset(map(str, top_ranked.get(query_id, ())))
                (ranking,) = index.rank({query_id: text}, size).values()
                hits = (hit for hit in ranking if hit[0] in candidates)
                scores[query_id] = dict(islice(hits, top_k))
            return scores


def _documents(corpus: Corpus) -> Iterator[dict[str, str]]:
    """Yields the documents of a corpus as `build_collection` takes them: id, title ("" without) and
    text, else body, else ""."""
    rows = corpus.items() if isinstance(corpus, Mapping) else ((row["id"], row) for row in corpus)
    for doc_id, row in rows:
        title = str(row.get("title") or "")
        yield {
            "id": str(doc_id),
            "title": title,
            "text": str(row.get("text") or row.get("body") or ""),
        }


def _texts(queries: Queries) -> dict[str, str]:
    """The text of each query by its id."""
    if isinstance(queries, Mapping):
        return {str(query_id): text for query_id, text in queries.items()}
    return {str(row["id"]): str(row["text"]) for row in queries}
