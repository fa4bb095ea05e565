"""The method `validation`: every choice judged by the model over the evidence on it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from answerer.formats.exam.parts import ExamQuestion
from answerer.ntcir.multiple_choice.choices import STATED_WAYS
from answerer.ntcir.multiple_choice.methods import (
    AnsweredQuestion,
    Method,
    Verdict,
    choose,
    learned_method,
    probabilities,
)
from answerer.ntcir.multiple_choice.truth import answer_claims
from answerer.ntcir.multiple_choice.validation.features import (
    COLUMNS,
    TASK,
    WEIGHTS,
    judge_questions,
)
from indexer.engines.contract import Index
from indexer.files.validation import FileName
from retriever.learning.model import Model, load_model


def validation_method(model: FileName = WEIGHTS) -> Method:
    """The method with the weights in a file (by default the program's own), which is read at once.
    Raises UserError for a file that is not such a model."""
    return learned_method(_answer, load_model(Path(model), TASK, COLUMNS), Path(model))


def _answer(
    model: Model, questions: Sequence[ExamQuestion], index: Index, k: int, evidence: bool
) -> list[AnsweredQuestion]:
    """Answers every question; with `evidence`, verdicts have at most `k` passages per choice. A
    score says how true a choice is; if the false choice is asked for, the lowest score is chosen.
    Combinations and orders of statements are answered by entity association, if the index has
    names, true and false by the verdict on the claim."""
    claims = answer_claims(questions, index, evidence)
    others = [question for n, question in enumerate(questions) if n not in claims]
    rest = iter(_answer_choices(model, others, index, k, evidence) if others else ())
    return [claims[n] if n in claims else next(rest) for n in range(len(questions))]


def _answer_choices(
    model: Model, questions: Sequence[ExamQuestion], index: Index, k: int, evidence: bool
) -> list[AnsweredQuestion]:
    """The answers, in order, to questions whose choices are not just true and false."""
    judged = judge_questions(questions, index, k, evidence)
    verdicts = []
    for judgement in judged:
        utilities = judgement.utilities @ model.weights
        scores, likely = (judgement.sign * utilities).tolist(), probabilities(utilities.tolist())
        verdicts.append([Verdict(s, probability=p) for s, p in zip(scores, likely, strict=True)])
    if evidence:
        # For traces only.
        from answerer.ntcir.multiple_choice.validation.verdict import explain

        verdicts = explain(judged, verdicts, model, index, k)
    answered = []
    for question, judgement, row in zip(questions, judged, verdicts, strict=True):
        answer = judgement.by_names
        # Combinations and orders need the truth or the time of each statement.
        if not answer.verdicts or answer.way in STATED_WAYS:
            system = choose(question, [verdict.score for verdict in row])
            answer = answer._replace(system=system, verdicts=tuple(row))
        answered.append(answer)
    return answered
