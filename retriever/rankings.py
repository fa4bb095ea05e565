"""Rankings of many topics by doc_id and score alone: runs of thousands of hits, without texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from indexer.build import batches
from indexer.engines.contract import engine_term
from indexer.files.errors import UserError
from indexer.formats.trec_run import RUN_TAG, run_lines
from retriever.queries import counted_query, terms_of, text_part
from retriever.rm3 import Rm3, expanded_queries
from retriever.term_counts import term_counts_of
from retriever.weighting import Scorer, Weighting

if TYPE_CHECKING:
    import pandas

    from indexer.engines.contract import Index

BM25 = Weighting()


class Rankings(dict[str, Sequence[tuple[str, float]]]):
    """The rankings of topics by their ids, in the order in which they were asked: (doc_id, score)
    of the documents of each, best first."""

    def to_trec(self, tag: str = RUN_TAG) -> str:
        """A TREC run of all topics under the name `tag`; scores fall in single precision too, so
        that every tool keeps the order."""
        return "".join(
            line for query_id, ranking in self.items() for line in run_lines(query_id, ranking, tag)
        )

    def to_frame(self) -> pandas.DataFrame:
        """A row a document: query_id, rank (from 1), doc_id, score. UserError without pandas."""
        from indexer.frames import frame

        return frame(
            [
                {"query_id": query_id, "rank": rank, "doc_id": doc_id, "score": score}
                for query_id, ranking in self.items()
                for rank, (doc_id, score) in enumerate(ranking, 1)
            ]
        )


def rank_topics(
    index: Index,
    topics: Mapping[str, str],
    k: int,
    *,
    part: str | None = None,
    weighting: Weighting = BM25,
    rm3: Rm3 | None = None,
    scorer: Scorer | None = None,
) -> Iterator[tuple[str, Sequence[tuple[str, float]]]]:
    """Yields each topic's id and its k best documents, in order; scores have 5 significant digits,
    the same on both engines.

    In a collection, documents are scored from their term counts (by `scorer`, else read here), with
    exact lengths; in other indexes by the engine's BM25, whose lengths above 40 terms are rounded
    to one byte. A topic without terms, or of which nothing is found, has an empty ranking. Raises
    UserError for an id with blanks, which a run cannot hold, and for another weighting or `rm3`
    where the index is not a collection.
    """
    if bad := next((query_id for query_id in topics if len(query_id.split()) != 1), None):
        raise UserError(f"the topic id {bad!r}: expected one without blanks")
    searcher, terms_in = text_part(index, part), terms_of(index)
    if index.metadata.kind != "collection":
        if rm3 or weighting != BM25:
            raise UserError(
                f"the index {index.address} is no collection: --rm3, --weighting, k1 and b need "
                f"one of `classical-qa index collection`"
            )
        for batch in batches(topics.items()):
            queries = [counted_query(terms_in(text)) for _, text in batch]
            hits_by_topic = searcher.search(queries, k, exact=True)
            for (query_id, _), hits in zip(batch, hits_by_topic, strict=True):
                yield query_id, [(hit.doc_id, hit.score) for hit in hits]
        return
    scorer = scorer or Scorer(term_counts_of(index), weighting)
    weighted: Sequence[Mapping[str, float]] = [
        Counter(map(engine_term, terms_in(text))) for text in topics.values()
    ]
    if rm3:
        weighted = expanded_queries(weighted, searcher, scorer, rm3)
    yield from zip(topics, scorer.best(weighted, k), strict=True)
