"""SLQAL: nouns of question and choice as a query, the mean score of the best k documents decides (seed 003)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from answerer.formats.exam_parts import Question
from answerer.ntcir.multiple_choice.methods import Answered, Verdict, chosen
from indexer.analysis import Analyser
from indexer.engines.contract import Index, Query
from retriever.explain import explain_hits
from retriever.queries import analyser_of, union_query


def answer(questions: Sequence[Question], index: Index, k: int, evidence: bool) -> list[Answered]:
    """Every question answered by the paper's section 2; all choices of all questions are searched in one call."""
    analyser = analyser_of(index)
    searcher = index.part()
    queries = [query for question in questions for query in validation_queries(question, analyser)]
    found = searcher.search(queries, k)
    verdicts = (
        Verdict(
            average_score([hit.score for hit in hits], k),
            evidence=explain_hits(searcher, query, hits) if evidence else (),
        )
        for query, hits in zip(queries, found, strict=True)
    )
    return [_answered(question, tuple(islice(verdicts, len(question.choices)))) for question in questions]


def _answered(question: Question, verdicts: tuple[Verdict, ...]) -> Answered:
    return Answered(question, chosen(question, [verdict.score for verdict in verdicts]), verdicts)


def validation_queries(question: Question, analyser: Analyser) -> list[Query]:
    """One query a choice: question_nouns ∪ choice_nouns_j (section 2.2).

    The problem statement is the question's own instruction and data. References to underlined phrases are
    replaced by these (section 2.1); those to statements, gaps and pictures keep their printed labels.
    """
    question_nouns = [noun for text in question.problem for noun in analyser.nouns(text.replaced("underline"))]
    return [
        union_query(question_nouns, analyser.nouns(choice.text.replaced("underline"))) for choice in question.choices
    ]


def average_score(scores: Sequence[float], k: int) -> float:
    """average_score_j@k, equation 1: the sum of the top k scores divided by k, even when fewer came back."""
    return sum(scores[:k]) / k
