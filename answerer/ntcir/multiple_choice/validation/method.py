"""The method `validation`: every choice judged by the model over the evidence on it."""

from __future__ import annotations

from collections.abc import Sequence

from answerer.formats.exam.parts import ExamQuestion
from answerer.ntcir.multiple_choice.choices import STATED_WAYS
from answerer.ntcir.multiple_choice.methods import (
    AnsweredQuestion,
    Verdict,
    choose,
    probabilities,
)
from answerer.ntcir.multiple_choice.truth import answer_claims
from answerer.ntcir.multiple_choice.validation.features import judge_questions
from indexer.engines.contract import Index
from retriever.learning.model import Model


def answer_by_support(
    model: Model, questions: Sequence[ExamQuestion], index: Index, k: int, evidence: bool
) -> list[AnsweredQuestion]:
    """Answers every question; with `evidence`, verdicts have at most `k` passages per choice. A
    score says how true a choice is; if the false choice is asked for, the lowest score is chosen.
    Combinations and orders of statements are answered by entity association, if the index has
    names, true and false by the verdict on the claim."""
    answers = answer_claims(questions, index, evidence)
    positions = [n for n in range(len(questions)) if n not in answers]
    others = [questions[n] for n in positions]
    judged = judge_questions(others, index, k, evidence) if others else []
    verdicts = []
    for judgement in judged:
        utilities = judgement.utilities @ model.weights
        scores, likely = (judgement.sign * utilities).tolist(), probabilities(utilities.tolist())
        verdicts.append([Verdict(s, probability=p) for s, p in zip(scores, likely, strict=True)])
    if evidence and others:
        # For traces only.
        from answerer.ntcir.multiple_choice.validation.verdict import explain

        verdicts = explain(judged, verdicts, model, index, k)
    for position, judgement, row in zip(positions, judged, verdicts, strict=True):
        answer = judgement.by_names
        # Combinations and orders need the truth or the time of each statement.
        if not answer.verdicts or answer.way in STATED_WAYS:
            system = choose(questions[position], [verdict.score for verdict in row])
            answer = answer._replace(system=system, verdicts=tuple(row))
        answers[position] = answer
    return [answers[position] for position in range(len(questions))]
