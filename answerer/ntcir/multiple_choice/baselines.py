"""Baselines without weights: SLQAL ([SLQAL]), also with term proximity, or with the rank-bm25
package as its engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from heapq import nsmallest
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from answerer.formats.exam.parts import ExamQuestion, expand
from answerer.ntcir.multiple_choice.methods import AnsweredQuestion, Method, Verdict, choose
from indexer.engines.scoring import sort_key
from retriever.queries import analyser_of, union_query

if TYPE_CHECKING:
    from indexer.analysis.analyser import Analyser
    from indexer.engines.contract import Index, Query, ScoredDocument
    from indexer.engines.searching import Searcher
    from retriever.explain import Evidence

POOL = 50  # documents of each choice that are ranked again by proximity
WINDOW = 5  # terms between two query terms at most ([RasolofoSavoy])

Judge: TypeAlias = "Callable[[Searcher, Sequence[Query], Analyser, int, bool], list[Verdict]]"
"""Scores choices by the documents that their queries find: searcher, queries, analyser, k, whether
to give evidence."""


def _answer(
    judge: Judge,
    questions: Sequence[ExamQuestion],
    index: Index,
    k: int,
    evidence: bool,
    **options: bool,
) -> list[AnsweredQuestion]:
    """Answers every question as in section 2 of the paper, by the documents that the index was
    built for (sentences in the paper); one request serves all choices of all questions. Each
    question must have a choice. A choice's score comes from its `k` best documents; `evidence` adds
    these to the verdicts. `options` are those of `choice_queries`."""
    analyser = analyser_of(index)
    queries = choice_queries(questions, analyser, **options)
    verdicts = iter(judge(index.part(), queries, analyser, k, evidence))
    answered = []
    for question in questions:
        row = tuple(islice(verdicts, len(question.choices)))
        answered.append(
            AnsweredQuestion(question, choose(question, [verdict.score for verdict in row]), row)
        )
    return answered


def choice_queries(
    questions: Sequence[ExamQuestion],
    analyser: Analyser,
    choice_only: bool = False,
    all_terms: bool = False,
) -> list[Query]:
    """One query for each choice, question after question: question_nouns ∪ choice_nouns_j (section
    2.2); `choice_only` has the choice's words alone, `all_terms` verbs, adjectives and numbers
    besides nouns. The problem statement is the question's own instruction and data. References to
    underlined phrases are replaced by these (section 2.1); those to statements, gaps and pictures
    keep their printed labels."""
    words = analyser.terms if all_terms else analyser.nouns
    queries = []
    for question in questions:
        problem = () if choice_only else (question.instruction, *question.data)
        shared = [word for text in problem for word in words(expand(text, "underline").plain)]
        queries += [
            union_query(shared, words(expand(choice.text, "underline").plain))
            for choice in question.choices
        ]
    return queries


def _mean_hit_scores(
    searcher: Searcher, queries: Sequence[Query], _: Analyser, k: int, evidence: bool
) -> list[Verdict]:
    """Scores each query by the mean over its best k documents, average_score_j@k, equation 1: the
    sum of their scores divided by `k` even if there are fewer. `evidence` adds these documents to
    the verdict."""
    verdicts = []
    for query, hits in zip(queries, searcher.search(queries, k), strict=True):
        shown = _evidence(searcher, query, hits) if evidence else ()
        verdicts.append(
            Verdict(
                sum(hit.score for hit in hits) / k, {}, shown, [term.term for term in query.terms]
            )
        )
    return verdicts


def _evidence(searcher: Searcher, query: Query, hits: Sequence[ScoredDocument]) -> list[Evidence]:
    """The documents of hits with what each query term adds to their scores."""
    from retriever.explain import explain_hits  # not at the top: most runs have no trace

    return explain_hits(searcher, query, hits)


def _by_proximity(
    searcher: Searcher, queries: Sequence[Query], analyser: Analyser, k: int, evidence: bool
) -> list[Verdict]:
    """The variation that the authors tried before their Research Run ([SLQAL], section 3): the sums
    of BM25 + proximity of the `k` documents with the highest sums, among the best max(`POOL`, `k`)
    by BM25, averaged over `k`. The paper does not give a formula; this is that of [RasolofoSavoy].
    `evidence` adds the `k` best to the verdict."""
    # Not at the top: the paper's own method does without numpy.
    from retriever.bm25 import idf_in

    weights = idf_in(
        searcher, list(dict.fromkeys(term.term for query in queries for term in query.terms))
    )
    verdicts = []
    for query, hits in zip(queries, searcher.search(queries, max(POOL, k)), strict=True):
        scored = [(hit, _proximity(hit, query, weights, analyser)) for hit in hits]
        best = sorted(scored, key=lambda pair: sort_key(pair[0].score + pair[1], pair[0].doc_id))[
            :k
        ]
        near = sum(proximity for _, proximity in best) / k
        added = {"bm25": sum(hit.score for hit, _ in best) / k, "proximity": near}
        shown = _evidence(searcher, query, [hit for hit, _ in best]) if evidence else ()
        verdicts.append(
            Verdict(
                sum(added.values()), {"features": added}, shown, [term.term for term in query.terms]
            )
        )
    return verdicts


def _proximity(
    hit: ScoredDocument, query: Query, weights: Mapping[str, float], analyser: Analyser
) -> float:
    """The term-proximity score of a document for a query; `weights` maps a term to its idf. Pairs
    of different query terms at most `WINDOW` terms apart count 1 / distance²; the sum of a pair
    enters the BM25 term score in place of a term frequency, with the lower idf of both, for a
    document of average length."""
    from retriever.bm25 import term_score

    query_terms = {term.term for term in query.terms}
    terms = enumerate(analyser.terms(hit.document.text))
    places = [(position, term) for position, term in terms if term in query_terms]
    near: dict[tuple[str, str], float] = {}
    for number, (position, first) in enumerate(places, 1):
        for other, second in places[number : number + WINDOW]:
            if first != second and other - position <= WINDOW:
                # The order of the two terms does not count.
                pair = min(first, second), max(first, second)
                near[pair] = near.get(pair, 0.0) + 1 / (other - position) ** 2
    return sum(
        term_score(min(weights[first], weights[second]), closeness, 1.0, 1.0)
        for (first, second), closeness in near.items()
    )


def _by_rank_bm25(
    searcher: Searcher, queries: Sequence[Query], analyser: Analyser, k: int, evidence: bool
) -> list[Verdict]:
    """Scores each query by the package's BM25Okapi (k1 1.5, b 0.75, its defaults), in memory: what
    people know. The scores of the `k` best documents are summed and divided by `k`. All documents
    of the searcher are scored; those with no score above 0 are ignored. A query without terms
    scores 0. `evidence` adds the `k` best documents to the verdict."""
    import numpy as np
    from rank_bm25 import BM25Okapi

    from indexer.files.progress import with_progress
    from indexer.sources.textbook.schema import decode_place
    from retriever.explain import Evidence, most_first

    documents = list(searcher.scan())
    engine = BM25Okapi([analyser.terms(document.text) for document in documents])

    verdicts = []
    for query in with_progress(queries, "rank-bm25", len(queries), "choices"):
        terms = [term.term for term in query.terms]
        if not terms:
            verdicts.append(Verdict(0.0))
            continue
        scores = engine.get_scores(terms)
        rows = np.flatnonzero(scores > 0).tolist()
        best = nsmallest(k, rows, key=lambda row: sort_key(scores[row], documents[row].doc_id))
        shown = []
        if evidence:
            for row in best:
                document = documents[row]
                parts = {term: float(engine.get_batch_scores([term], [row])[0]) for term in terms}
                added = most_first({term: part for term, part in parts.items() if part})
                citation = decode_place(document).citation
                shown.append(
                    Evidence(document.doc_id, document.text, float(scores[row]), added, citation)
                )
        mean = sum(float(scores[row]) for row in best) / k
        verdicts.append(Verdict(mean, evidence=shown, query=terms))
    return verdicts


choice_only_option = click.option(
    "--choice-only",
    is_flag=True,
    help="For slqal: look for the choice's words without the problem's.",
)
all_terms_option = click.option(
    "--all-terms", is_flag=True, help="For slqal: look for all terms, not for nouns alone."
)


def _baseline(judge: Judge, words: Mapping[str, Any], *packages: str) -> Method:
    """The method that scores choices by `judge`; a trace has those of its options `words` that are
    on, and the versions of `packages`."""
    chosen: dict[str, Any] = {name: True for name, is_on in words.items() if is_on}
    return Method(partial(_answer, judge, **chosen), chosen, packages)


@choice_only_option
@all_terms_option
def slqal(**options: Any) -> Method:
    """SLQAL as its paper has it: the mean BM25 of the k best documents of each choice."""
    return _baseline(_mean_hit_scores, options)


@choice_only_option
@all_terms_option
def proximity(**options: Any) -> Method:
    """SLQAL with documents ranked by nearness of terms too."""
    return _baseline(_by_proximity, options, "numpy")


@choice_only_option
@all_terms_option
def rank_bm25(**options: Any) -> Method:
    """SLQAL with the rank-bm25 package as its engine, in memory."""
    return _baseline(_by_rank_bm25, options, "numpy", "rank-bm25")
