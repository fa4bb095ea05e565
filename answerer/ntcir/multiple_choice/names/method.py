"""The method `names`: every question answered by the plan for its shape, from the judgement of its
statements."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, zip_longest

from answerer.formats.exam.parts import ExamQuestion
from answerer.ntcir.multiple_choice.methods import (
    AnsweredQuestion,
    Verdict,
    choose,
)
from answerer.ntcir.multiple_choice.names.judgement import (
    event_times,
    judge,
    log_probability,
    pair_score,
)
from answerer.ntcir.multiple_choice.shapes import Plan, plan
from indexer.engines.contract import Index
from indexer.files.arrays import Float64Array
from indexer.files.errors import UserError
from retriever.learning.model import Model
from retriever.queries import language_of


def answer_by_association(
    model: Model,
    questions: Sequence[ExamQuestion],
    index: Index,
    k: int,
    evidence: bool,
    plans: Sequence[Plan] = (),
) -> list[AnsweredQuestion]:
    """Answers every question by the plan for its shape, with two requests to the index (a third for
    evidence). With `evidence`, at most `k` passages per choice are added: the first passage of each
    of its statements, then the second of each, and so on. Raises UserError if the index has no part
    `names` or one of another version of the program, or the weights do not serve its language.
    `plans` are those of the questions, if they were made."""
    # A language whose names the weights have not seen is refused rather than guessed.
    language, learned = language_of(index), model.settings["languages"]
    if language.code not in learned:
        raise UserError(
            f"weights learned on {', '.join(map(str, learned)) or 'no language'} do not "
            f"serve '{language}': train them again, or use --method slqal"
        )
    plans = plans or [plan(question) for question in questions]
    statements = [statement for question_plan in plans for statement in question_plan.statements]
    judgement = judge(statements, index, model)
    causes, passages = None, []
    if evidence:
        # A third of the method, for traces only.
        from answerer.ntcir.multiple_choice.names.evidence import Causes

        causes = Causes(judgement, model)
        passages = causes.passages(index, k)
    answered = []
    start = 0
    for question, question_plan in zip(questions, plans, strict=True):
        part, times = slice(start, start + len(question_plan.statements)), None
        if question_plan.way == "ordering":
            times = event_times(judgement.claims.claims[part], judgement.claims.counts)
        scores = choice_scores(
            question_plan, judgement.scores[part], times, *model.learned["truth"]
        )
        verdicts = list(map(Verdict, scores))
        if causes:
            for choice, row in enumerate(question_plan.rows):
                # In turn, so that no statement of a combination is without evidence.
                turns = zip_longest(*(passages[start + statement] for statement in row))
                shown = [passage for turn in turns for passage in turn if passage is not None][:k]
                verdicts[choice] = Verdict(
                    scores[choice], causes.explain(question_plan, choice, start, times), shown
                )
        answered.append(
            AnsweredQuestion(
                question,
                choose(question, scores),
                tuple(verdicts),
                question_plan.way,
                question_plan.note,
            )
        )
        start = part.stop
    return answered


def choice_scores(
    question_plan: Plan,
    scores: Float64Array,
    times: Float64Array | None,
    slope: float,
    middle: float,
) -> list[float]:
    """The score of each choice of a question. A combination scores the log probability that its
    claims hold; an ordering the sum of the log probabilities of its pairs' order by `times`
    (events, eras); any other choice the sum of its statements' `scores`. `slope` and `middle` are
    those of the log odds that a statement is true."""
    if times is not None:
        return [
            sum(pair_score(times[earlier], times[later]) for earlier, later in combinations(row, 2))
            for row in question_plan.rows
        ]
    if question_plan.way == "combination":
        odds = slope * scores + middle
        return [
            sum(log_probability(odds[s], true) for s, true in zip(row, claimed, strict=True))
            for row, claimed in zip(question_plan.rows, question_plan.truth, strict=True)
        ]
    return [float(sum(scores[s] for s in row)) for row in question_plan.rows]
