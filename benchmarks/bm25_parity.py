"""Our embedded index beside bm25s (method lucene) and rank-bm25 on the same terms.

    QA_DATA=… python benchmarks/bm25_parity.py --corpus selqa
    QA_DATA=… python benchmarks/bm25_parity.py --corpus books --slow-queries 100

Text is turned into terms once, by this project; every system gets those terms, k1 1.2 and b 0.75.
Equal scores (to 5 significant digits) are ordered by doc_id in all of them, so that ties never tell
systems apart. `same ten` are lists of the same documents in the
same order, `same scores` those whose scores agree at every rank within 1e-5 (single precision), `in
common` is the share of documents that both lists have, `score apart` the largest difference of a
document's score. `formula` is BM25 in double precision over exact or over one-byte lengths: it says
what a difference comes from. `short` are the documents of fewer than 24 terms, whose lengths one
byte keeps exactly. rank-bm25 scores every document for every query in Python and gets only the
first --slow-queries.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import click
import numpy as np
from packs import pack

from evaluation.tables import print_rows
from indexer.cli.program import run_program
from indexer.engines import scoring
from indexer.engines.contract import Document, Metadata, Part
from indexer.engines.scoring import K1, B
from indexer.engines.searching import Searcher
from indexer.files.arrays import Float64Array
from indexer.formats.sentence_rows import read_sentence_file
from indexer.ingest_report import IngestReport
from indexer.languages.chinese import CHINESE
from indexer.languages.english import ENGLISH
from indexer.languages.language import Language
from indexer.sources.textbook.passages import open_records
from retriever.bm25 import idf, term_score
from retriever.queries import union_query

TEN = 10
EXACT_BELOW = 24  # a length of fewer terms is kept as it is, longer ones in one byte
SINGLE_PRECISION = 1e-5
PART = Part("sentences", ("text",))

Top = list[tuple[float, str]]
Scorer = Callable[[Sequence[str]], Float64Array]


class Corpus(NamedTuple):
    """Documents as terms, each with its text, and queries as terms, each term once."""

    language: Language
    doc_ids: Sequence[str]
    texts: Sequence[str]
    terms: Sequence[Sequence[str]]
    queries: Sequence[Sequence[str]]

    def short(self) -> Corpus:
        """Only the documents whose length one byte keeps exactly."""
        kept = [number for number, terms in enumerate(self.terms) if len(terms) < EXACT_BELOW]
        columns = (
            [column[number] for number in kept] for column in (self.doc_ids, self.texts, self.terms)
        )
        return Corpus(self.language, *columns, self.queries)


class Source(NamedTuple):
    """Which files of $QA_DATA a corpus is made of, and whose questions are asked of it."""

    language: Language
    files: Sequence[str]
    questions: Sequence[str]


ENGLISH_QUESTIONS = ("selqa/SelQA-ass-dev.json", "wikiqa/WikiQASent-train.txt")
SOURCES = {
    "selqa": Source(ENGLISH, ENGLISH_QUESTIONS[:1], ENGLISH_QUESTIONS[:1]),
    "dbqa": Source(CHINESE, ["nlpcc/dbqa/nlpcc2017.dbqa.dev"], ["nlpcc/dbqa/nlpcc2017.dbqa.dev"]),
    "books": Source(
        ENGLISH,
        [
            "textbook/openstax-world-history.jsonl",
            "textbook/wells-short-history.txt",
            "textbook/history-books-en.jsonl.bz2",
        ],
        ENGLISH_QUESTIONS,
    ),
}


def read_corpus(name: str) -> Corpus:
    """The sentences of a corpus that have terms, and the questions that have."""
    source = SOURCES[name]
    analyser = source.language.analyser()
    sentences = [
        text
        for file in source.files
        for passage in open_records(
            str(pack(file)), Path(file).stem, source.language, IngestReport()
        )
        for text in (passage.sentences or analyser.sentences(passage.text))
    ]
    documents = [(text, terms) for text in sentences if (terms := analyser.terms(text))]
    questions = [
        one.question for file in source.questions for one in read_sentence_file(pack(file)).lists
    ]
    queries = [
        list(dict.fromkeys(analyser.terms(question))) for question in dict.fromkeys(questions)
    ]
    doc_ids = [f"s-{number:07d}" for number in range(len(documents))]
    return Corpus(
        source.language,
        doc_ids,
        *map(list, zip(*documents, strict=True)),
        list(filter(None, queries)),
    )


# Systems that score every document


def one_byte_length(length: int) -> int:
    """A length as Lucene and tantivy keep it: exact below 24, above only its four leading bits (of
    length − 24)."""
    above = length - EXACT_BELOW
    shift = max(above.bit_length() - 4, 0)
    return length if above < 0 else EXACT_BELOW + (above >> shift << shift)


class Formula:
    """BM25 of this project's `retriever.bm25` over postings, in double precision."""

    def __init__(
        self, terms: Sequence[Sequence[str]], one_byte: bool, k1: float = K1, b: float = B
    ) -> None:
        lengths = np.array([len(each) for each in terms], np.float64)
        self._average = float(lengths.mean())
        self._lengths = (
            np.array([one_byte_length(len(each)) for each in terms], np.float64)
            if one_byte
            else lengths
        )
        self._k1, self._b = k1, b
        postings: dict[str, list[int]] = {}
        for number, each in enumerate(terms):
            for term in each:
                postings.setdefault(term, []).append(number)
        self._postings = {
            term: np.unique(found, return_counts=True) for term, found in postings.items()
        }

    def __call__(self, query: Sequence[str]) -> Float64Array:
        scores = np.zeros(len(self._lengths))
        for term in query:
            if term in self._postings:
                holding, counts = self._postings[term]
                weight = np.full(len(holding), idf(len(scores), len(holding)))
                lengths, average = self._lengths[holding], np.full(len(holding), self._average)
                scores[holding] += term_score(
                    weight, counts.astype(np.float64), lengths, average, self._k1, self._b
                )
        return scores


def bm25s_scorer(terms: Sequence[Sequence[str]]) -> Scorer:
    """bm25s, method lucene (single precision, exact lengths), times k1 + 1, which Lucene left out
    in version 8."""
    import bm25s

    index = bm25s.BM25(k1=K1, b=B, method="lucene", backend="numpy")
    index.index(list(map(list, terms)), show_progress=False)

    def scores(query: Sequence[str]) -> Float64Array:
        known = index.get_tokens_ids(list(query))
        found = index.get_scores_from_ids(known) if known else np.zeros(len(terms))
        return np.asarray(found, np.float64) * (K1 + 1)

    return scores


def rank_bm25_scorer(
    terms: Sequence[Sequence[str]], lucene_idf: bool = False, one_byte: bool = False
) -> Scorer:
    """rank-bm25's BM25Okapi. Its idf is ln((N − n + ½) / (n + ½)), a quarter of the average where
    that is negative.

    With `lucene_idf` that of Lucene stands in its place, with `one_byte` lengths do as engines keep
    them.
    """
    from rank_bm25 import BM25Okapi

    index = BM25Okapi(terms, k1=K1, b=B)
    if lucene_idf:
        holding: dict[str, int] = {}
        for counts in index.doc_freqs:
            for term in counts:
                holding[term] = holding.get(term, 0) + 1
        index.idf = {
            term: idf(float(len(terms)), float(number)) for term, number in holding.items()
        }
    if one_byte:
        index.doc_len = [one_byte_length(length) for length in index.doc_len]
    return lambda query: np.asarray(index.get_scores(list(query)), np.float64)


def top_ten(doc_ids: Sequence[str], scores: Float64Array) -> Top:
    """The ten best documents with a score above 0, by the one rule for ties."""
    places = np.flatnonzero(scores > 0)
    if len(places) > TEN:
        least = np.partition(scores[places], -TEN)[-TEN] * (1 - 10 * SINGLE_PRECISION)
        places = places[scores[places] >= least]
    return scoring.best(((float(scores[place]), doc_ids[place]) for place in places), TEN)


# Our index


def build_ours(corpus: Corpus, folder: str) -> Searcher:
    """The embedded index of a corpus, built as the indexer does it, and opened."""
    from indexer.engines.opening import builder_for, open_index

    writer = builder_for(folder).build(folder, Metadata("textbook", (PART,), corpus.language, {}))
    columns = zip(corpus.doc_ids, corpus.texts, corpus.terms, strict=True)
    documents = [Document(doc_id, text, {"text": terms}) for doc_id, text, terms in columns]
    for first in range(0, len(documents), 1_000):
        writer.add(PART.name, documents[first : first + 1_000])
    writer.publish()
    return open_index(folder).part()


def our_tops(searcher: Searcher, queries: Sequence[Sequence[str]]) -> list[Top]:
    """Our ten best of each query."""
    found = searcher.search([union_query(query) for query in queries], TEN)
    return [[(hit.score, hit.doc_id) for hit in hits] for hits in found]


# Comparing rankings


def comparison(ours: Sequence[Top], theirs: Sequence[Top]) -> dict[str, object]:
    """How alike two systems' lists of the same queries are."""
    pairs = list(zip(ours, theirs, strict=True))
    ids = [([doc_id for _, doc_id in one], [doc_id for _, doc_id in other]) for one, other in pairs]
    shares = [len(set(one) & set(other)) / len(one) for one, other in ids if one]
    return {
        "queries": len(pairs),
        "same ten": sum(one == other for one, other in ids),
        "same scores": sum(map(agree, ours, theirs)),
        "same first": sum(one[:1] == other[:1] for one, other in ids),
        "in common": f"{np.mean(shares):.4f}",
        "score apart": f"{max(score_apart(one, other) for one, other in pairs):.2g}",
    }


def agree(one: Top, other: Top) -> bool:
    """Whether two lists have equal scores at every rank, to single precision: only ties may be
    ordered otherwise."""
    return len(one) == len(other) and all(
        abs(left - right) <= SINGLE_PRECISION * left
        for (left, _), (right, _) in zip(one, other, strict=True)
    )


def score_apart(one: Top, other: Top) -> float:
    """The largest difference, as a part of the score, of a document that both lists have."""
    theirs = {doc_id: score for score, doc_id in other}
    return max(
        (abs(score - theirs[doc_id]) / score for score, doc_id in one if doc_id in theirs),
        default=0.0,
    )


def rankings(corpus: Corpus, slow_queries: int, folder: str) -> Iterator[dict[str, object]]:
    """A row for each system beside ours."""
    ours = our_tops(build_ours(corpus, folder), corpus.queries)
    few = min(slow_queries, len(corpus.queries))
    systems: dict[str, tuple[Callable[[], Scorer], int]] = {
        "formula, one-byte lengths": (lambda: Formula(corpus.terms, one_byte=True), len(ours)),
        "formula, exact lengths": (lambda: Formula(corpus.terms, one_byte=False), len(ours)),
        "bm25s": (lambda: bm25s_scorer(corpus.terms), len(ours)),
        "rank-bm25": (lambda: rank_bm25_scorer(corpus.terms), few),
        "rank-bm25, Lucene's idf": (lambda: rank_bm25_scorer(corpus.terms, True), few),
        "rank-bm25, Lucene's idf, one-byte lengths": (
            lambda: rank_bm25_scorer(corpus.terms, True, True),
            few,
        ),
        "formula, k1 0.9, b 0.4": (lambda: Formula(corpus.terms, True, 0.9, 0.4), len(ours)),
    }
    for name, (make, number) in systems.items():
        score = make()
        theirs = [top_ten(corpus.doc_ids, score(query)) for query in corpus.queries[:number]]
        yield {"system": name, **comparison(ours[:number], theirs)}


@click.command(help=(__doc__ or "").replace("\n\n", "\n\n\b\n", 1))
@click.option(
    "--corpus",
    "name",
    type=click.Choice(sorted(SOURCES)),
    default="selqa",
    help="Which sentences [selqa].",
)
@click.option("--slow-queries", default=200, help="How many queries rank-bm25 gets [200].")
def main(name: str, slow_queries: int) -> None:
    corpus = read_corpus(name)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for which, chosen in (("all", corpus), ("short", corpus.short())):
            beside = {"of": which, "documents": len(chosen.terms)}
            rows += [
                {**row, **beside}
                for row in rankings(chosen, slow_queries, str(Path(folder) / which))
            ]
    print_rows(rows, "tsv")


if __name__ == "__main__":
    run_program(main, "python benchmarks/bm25_parity.py")
