"""The page of TREC runs: their measures, and for each topic the documents that two of them place
differently."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from answerer.page.frame import PageFiles, page
from evaluation.runs import unlike
from evaluation.significance import against_first
from evaluation.trec_measures import ByQuery, read_columns, scores_by_one_measure
from indexer.files.errors import UserError
from indexer.files.messages import warn

if TYPE_CHECKING:
    from indexer.engines.contract import Index

_PAGE = PageFiles(__package__, "trec.html", ("answer.css", "report.css", "trec.css"), ())
_SHOWN = 10  # documents of a topic
_SNIPPET = 300  # characters of a document's text


class MovedDocument(NamedTuple):
    """A document that runs place differently: its rank in each (from 1, None where it is not), its
    relevance (None: not judged), text and the topic's terms with their counts in it."""

    doc_id: str
    ranks: tuple[int | None, ...]
    relevance: float | None
    title: str = ""
    text: str = ""
    matches: tuple[str, ...] = ()


class TopicReport(NamedTuple):
    """A topic, what each run scores on it, and the documents placed differently, most first."""

    query_id: str
    text: str
    scores: tuple[float, ...]
    documents: list[MovedDocument]

    @property
    def difference(self) -> float:
        """What the best run scores above the worst."""
        return max(self.scores) - min(self.scores)


def trec_page(
    qrels: Path,
    runs: Sequence[Path],
    measure: str = "AP",
    topics: Path | None = None,
    index: Index | None = None,
) -> str:
    """The HTML page of runs over the queries of the qrels, scored by a `measure` of ir_measures;
    topics by how much the runs differ.

    `topics` is a file that `retriever --topics` reads, for the topics' texts; `index` has the runs'
    documents, for theirs and, with topics, for the terms that they share. Warns of topics that are
    numbered, as none has an id of the qrels, and of documents that the index lacks. Raises
    UserError for one run alone, several measures, and a file or ids that `query_scores` refuses.
    """
    if len(runs) < 2:
        raise UserError("one run: expected at least two that place documents differently")
    scored = scores_by_one_measure(qrels, runs, measure)
    judged = read_columns(qrels, is_run=False).values
    rankings = [ranks_of(read_columns(run, is_run=True).values) for run in runs]
    texts = _texts(topics, judged)
    reports = [
        TopicReport(
            query_id,
            texts.get(query_id, ""),
            tuple(scores[query_id] for scores in scored),
            moved_documents([ranking.get(query_id, {}) for ranking in rankings], relevance),
        )
        for query_id, relevance in judged.items()
    ]
    if index is not None:
        reports = with_texts(reports, index)
    reports.sort(key=lambda report: -report.difference)
    names = list(unlike([run.stem for run in runs]))
    return page(
        _PAGE,
        {},
        title=f"{measure} · {' · '.join(names)}",
        measure=measure,
        qrels=str(qrels),
        names=names,
        paths=list(map(str, runs)),
        lines=against_first(scored),
        topics=reports,
    )


def ranks_of(run: ByQuery) -> dict[str, dict[str, int]]:
    """The rank of each document of each query, from 1, by score; equal scores are ordered by
    doc_id, falling, as trec_eval does it."""
    return {
        query_id: {
            doc_id: rank
            for rank, (_, doc_id) in enumerate(
                sorted(((score, doc_id) for doc_id, score in scores.items()), reverse=True), 1
            )
        }
        for query_id, scores in run.items()
    }


def moved_documents(
    ranks: Sequence[Mapping[str, int]], relevance: Mapping[str, float]
) -> list[MovedDocument]:
    """The at most ten documents that the runs place differently whose reciprocal ranks (0 where a
    run lacks them) differ most, these first, as readers begin at the top; equal ones by doc_id."""

    def gap(doc_id: str) -> float:
        reciprocal = [1 / run[doc_id] if doc_id in run else 0.0 for run in ranks]
        return max(reciprocal) - min(reciprocal)

    gaps = {doc_id: gap(doc_id) for doc_id in {doc_id for run in ranks for doc_id in run}}
    moved = sorted((-value, doc_id) for doc_id, value in gaps.items() if value > 0)
    return [
        MovedDocument(doc_id, tuple(run.get(doc_id) for run in ranks), relevance.get(doc_id))
        for _, doc_id in moved[:_SHOWN]
    ]


def _texts(path: Path | None, judged: ByQuery) -> dict[str, str]:
    """The texts of the topics of a file by their ids, {} without a file. Where no id is that of a
    query judged, topics are called 1, 2, 3 … in the file's order, with a warning."""
    if path is None:
        return {}
    from retriever.topics import read_topics

    topics = read_topics(path)
    if not any(topic.query_id in judged for topic in topics):
        topics = read_topics(path, renumber=True)
        warn(f"{path}: its ids are not those of the qrels: topics are numbered in its order")
    return {topic.query_id: topic.text for topic in topics}


def with_texts(reports: Sequence[TopicReport], index: Index) -> list[TopicReport]:
    """The reports with the titles of their documents, the first 300 characters of the texts behind
    these, and the topics' terms in the whole texts; all empty for documents that the index lacks,
    with a warning."""
    from retriever.queries import terms_of, text_part
    from retriever.search import titles_of

    doc_ids = sorted({document.doc_id for report in reports for document in report.documents})
    title = titles_of(index.metadata.kind, index.metadata.parts[0].name)
    stored = {
        document.doc_id: (title(document), document.text)
        for documents in text_part(index).lookup("doc_id", doc_ids)
        for document in documents
    }
    if missing := len(doc_ids) - len(stored):
        warn(f"not in the index {index.address}: {missing} of {len(doc_ids)} documents")
    terms = terms_of(index)

    def fill(topic_terms: Sequence[str], document: MovedDocument) -> MovedDocument:
        heading, text = stored.get(document.doc_id, ("", ""))
        return document._replace(
            title=heading,
            text=" ".join(text.removeprefix(heading).split())[:_SNIPPET],
            matches=matched_terms(topic_terms, text, terms),
        )

    return [
        report._replace(
            documents=[fill(terms(report.text), document) for document in report.documents]
        )
        for report in reports
    ]


def matched_terms(
    topic_terms: Sequence[str], text: str, terms: Callable[[str], list[str]]
) -> tuple[str, ...]:
    """The terms of a topic that a text has, each once in the topic's order, with × its count where
    that is above 1."""
    counts = Counter(terms(text)) if text else {}
    return tuple(
        f"{term} × {counts[term]}" if counts[term] > 1 else term
        for term in dict.fromkeys(topic_terms)
        if term in counts
    )
