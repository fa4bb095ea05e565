"""Rankings of many topics by doc_id and score alone: runs of thousands of hits, without texts."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from numbers import Real
from typing import TYPE_CHECKING

import numpy as np

from indexer.build import batches
from indexer.engines.contract import engine_term
from indexer.files.errors import UserError
from indexer.files.validation import validate_text
from indexer.formats.trec_run import RUN_TAG, falling_digits, score_text
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
    of the documents of each.

    Documents are ranked by their scores, highest first, whatever their order in the list; equal
    scores as trec_eval orders them, by doc_id, falling. Those of `OpenIndex.search` and `rank` have
    no equal scores.
    """

    def by_rank(self) -> Iterator[tuple[str, list[tuple[str, float]]]]:
        """Yields each topic's id and its documents by falling score, equal ones by falling
        doc_id as trec_eval does. Raises UserError for what is no pair, an id that a run cannot
        hold, a score that is not a number, and a document that repeats in a topic."""
        for query_id, ranking in self.items():
            require_id(query_id, "topic id")
            seen: set[str] = set()
            for row in ranking:
                if not isinstance(row, tuple | list) or len(row) != 2:
                    raise UserError(f"topic {query_id}: {row!r}; expected pairs (doc_id, score)")
                doc_id, score = row
                require_id(doc_id, "doc_id")
                if not isinstance(score, Real) or not math.isfinite(score):
                    raise UserError(
                        f"the score of {doc_id} for topic {query_id} is {score!r}: expected a "
                        f"number"
                    )
                if doc_id in seen:
                    raise UserError(f"{doc_id} appears twice for topic {query_id}")
                seen.add(doc_id)
            # The order of trec_eval; sorting is stable.
            by_doc_id = sorted(ranking, key=lambda row: row[0], reverse=True)
            yield query_id, sorted(by_doc_id, key=lambda row: row[1], reverse=True)

    def to_trec(self, tag: str = RUN_TAG) -> str:
        """A TREC run of all topics under the name `tag`, by rank, with the scores as they are.
        Raises UserError as `by_rank` does, and for a tag with blanks."""
        require_id(tag, "tag")
        return "".join(
            f"{query_id} Q0 {doc_id} {rank} {score_text(score)} {tag}\n"
            for query_id, ranking in self.by_rank()
            for rank, (doc_id, score) in enumerate(ranking, 1)
        )

    def to_frame(self) -> pandas.DataFrame:
        """A row a document, by rank: query_id, rank (from 1), doc_id, score. UserError without
        pandas, and as of `by_rank`."""
        from indexer.frames import frame

        return frame(
            [
                {"query_id": query_id, "rank": rank, "doc_id": doc_id, "score": score}
                for query_id, ranking in self.by_rank()
                for rank, (doc_id, score) in enumerate(ranking, 1)
            ],
            ("query_id", "rank", "doc_id", "score"),
        )


def require_id(text: object, label: str) -> None:
    """Raises UserError, which calls it `label`, for what is not a text, empty or with blanks: no
    column of a run."""
    if not isinstance(text, str):
        raise UserError(f"the {label} {text!r}: expected a text, such as {str(text)!r}")
    if len(text.split()) != 1 or text != text.strip():
        raise UserError(f"the {label} {text!r}: expected one without blanks")


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
    the same on both engines. Equal ones are ordered by doc_id and lowered by `falling`, to 9
    digits, so that every tool keeps the order.

    In a collection, documents are scored from their term counts (by `scorer`, else read here), with
    exact lengths; in other indexes by the engine's BM25, whose lengths above 40 terms are rounded
    to one byte. A topic without terms, or of which nothing is found, has an empty ranking. Raises
    UserError for an id with blanks, which a run cannot hold, a query that is not a text, and for
    another weighting or `rm3` where the index is not a collection.
    """
    for query_id, text in topics.items():
        require_id(query_id, "topic id")
        validate_text(text, f"topic {query_id}")
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
                scores = falling_digits(np.array([hit.score for hit in hits])).tolist()
                yield (
                    query_id,
                    [(hit.doc_id, score) for hit, score in zip(hits, scores, strict=True)],
                )
        return
    scorer = scorer or Scorer(term_counts_of(index), weighting)
    weighted: Sequence[Mapping[str, float]] = [
        Counter(map(engine_term, terms_in(text))) for text in topics.values()
    ]
    if rm3:
        weighted = expanded_queries(weighted, searcher, scorer, rm3)
    for query_id, ranking in zip(topics, scorer.best(weighted, k), strict=True):
        yield query_id, ranking.falling()
