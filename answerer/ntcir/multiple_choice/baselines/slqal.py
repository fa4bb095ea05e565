"""SLQAL: nouns of question and choice as a query, the mean score of the best k documents decides ([SLQAL])."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any, NamedTuple, Protocol

from answerer.formats.exam.parts import Question
from answerer.ntcir.multiple_choice.methods import Answered, Options, Verdict, chosen
from indexer.analysis import Analyser
from indexer.engines.contract import Index, Query, Searcher
from indexer.files.errors import UserError
from retriever.explain import explain_hits
from retriever.queries import analyser_of, union_query

TAKES = frozenset(("choice_only", "all_terms", "unit"))
_PARTS = {"sentence": "sentences", "paragraph": "paragraphs"}


class DocumentJudge(Protocol):
    """Scores a choice by the documents that its query finds."""

    def __call__(
        self, searcher: Searcher, queries: Sequence[Query], analyser: Analyser, k: int, evidence: bool
    ) -> list[Verdict]: ...


class Baseline(NamedTuple):
    """A method without weights: `judge` scores the choices by retrieved documents, as in the paper except for
    `options`: choice_nouns_j alone; verbs, adjectives and numbers too; a unit of documents other than the index was
    built for (by default sentences, as in the paper)."""

    options: Options
    judge: DocumentJudge
    packages: tuple[str, ...] = ()

    def parameters(self) -> dict[str, Any]:
        """The options that differ from the paper's way, for a trace."""
        return {name: value for name, value in self.options._asdict().items() if value}

    def answer(self, questions: Sequence[Question], index: Index, k: int, evidence: bool) -> list[Answered]:
        """Every question answered by the paper's section 2; all choices of all questions are asked at once."""
        analyser = analyser_of(index)
        queries = self.queries(questions, analyser)
        verdicts = iter(self.judge(self.documents(index), queries, analyser, k, evidence))
        answered = []
        for question in questions:
            own = tuple(islice(verdicts, len(question.choices)))
            answered.append(Answered(question, chosen(question, [verdict.score for verdict in own]), own))
        return answered

    def queries(self, questions: Sequence[Question], analyser: Analyser) -> list[Query]:
        """One query a choice, question after question: question_nouns ∪ choice_nouns_j (section 2.2).

        The problem statement is the question's own instruction and data. References to underlined phrases are
        replaced by these (section 2.1); those to statements, gaps and pictures keep their printed labels.
        """
        words = analyser.terms if self.options.all_terms else analyser.nouns
        queries = []
        for question in questions:
            problem = () if self.options.choice_only else question.problem
            shared = [word for text in problem for word in words(text.replaced("underline"))]
            queries += [union_query(shared, words(choice.text.replaced("underline"))) for choice in question.choices]
        return queries

    def documents(self, index: Index) -> Searcher:
        """The part of the index to search. Raises UserError for sentences of an index that has paragraphs only."""
        part = _PARTS[self.options.unit] if self.options.unit else None
        if part and part not in index.metadata.documents:
            raise UserError(f"the index {index.address} does not hold {part}: build one without --unit paragraph")
        return index.part(part)


def configured(options: Options) -> Baseline:
    """The method, asking as the options say."""
    return Baseline(options, judge)


def judge(searcher: Searcher, queries: Sequence[Query], analyser: Analyser, k: int, evidence: bool) -> list[Verdict]:
    """The mean score of the best k documents of each query."""
    return [
        Verdict(
            average_score([hit.score for hit in hits], k),
            evidence=explain_hits(searcher, query, hits) if evidence else (),
            query=words_of(query),
        )
        for query, hits in zip(queries, searcher.search(queries, k), strict=True)
    ]


def words_of(query: Query) -> tuple[str, ...]:
    """The terms of a query, as a trace shows them."""
    return tuple(term.term for term in query.terms)


def average_score(scores: Sequence[float], k: int) -> float:
    """average_score_j@k, equation 1: the sum of the top k scores divided by k, even when fewer came back."""
    return sum(scores[:k]) / k
