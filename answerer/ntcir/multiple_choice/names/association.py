"""Entity association: scores of choices by the fit of their names, and of orders of events by their dates."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import combinations, zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from answerer.formats.exam.parts import ExamQuestion
from answerer.ntcir.multiple_choice.methods import AnsweredQuestion, Method, Options, Verdict, choose
from answerer.ntcir.multiple_choice.names.judgement import (
    NAMES,
    WEIGHTS,
    TruthLine,
    event_times,
    judge,
    load_weights,
    pair_score,
    truth_of,
)
from answerer.ntcir.multiple_choice.shapes import Plan, plan
from indexer.files.arrays import Float64Array
from indexer.files.errors import UserError
from indexer.files.hashes import fingerprint
from indexer.languages.language import Language
from retriever.learning.model import Model
from retriever.queries import language_of

if TYPE_CHECKING:
    from answerer.trace import TraceEvidence
    from indexer.engines.contract import Index


def association_method(options: Options) -> Method:
    """The method with the weights in a file (by default the program's own)."""
    path = Path(options.model) if options.model else WEIGHTS
    model = load_weights(path)
    weights = dict(zip(NAMES, map(float, model.weights), strict=True))
    parameters = {"model": fingerprint(path), "weights": weights}
    return Method(partial(answer_by_association, model), parameters, ("numpy", "scipy"))


# A language whose names the weights have not seen is refused rather than guessed.
def serves(model: Model, language: Language) -> bool:
    """True if the weights were learned on this language."""
    return language.code in model.settings.get("languages", [])


def answer_by_association(
    model: Model, questions: Sequence[ExamQuestion], index: Index, k: int, evidence: bool
) -> list[AnsweredQuestion]:
    """Answers every question by the plan for its shape, with two requests to the index (a third for evidence). With
    `evidence`, at most `k` passages per choice are added: the first passage of each of its statements, then the second
    of each, and so on. Raises UserError if the index has no part `names`, or the weights do not serve its language."""
    language = language_of(index)
    if not serves(model, language):
        raise UserError(
            f"weights learned on {', '.join(model.settings.get('languages', [])) or 'no language'} do not "
            f"serve '{language}': train them again, or use --method slqal"
        )
    plans = [plan(question) for question in questions]
    statements = [statement for each in plans for statement in each.statements]
    judgement = judge(statements, index, model, [n for n, each in enumerate(plans) for _ in each.statements])
    truth, causes = truth_of(model), None
    passages: list[list[TraceEvidence]] = []
    if evidence:
        from answerer.ntcir.multiple_choice.names.evidence import Causes  # a third of the method, for traces only

        causes = Causes(judgement, model)
        passages = causes.passages(index, k)
    answered = []
    start = 0
    for question, each in zip(questions, plans, strict=True):
        end = start + len(each.statements)
        times = None
        if each.way == "ordering":
            times = event_times(judgement.claims.claims[start:end], judgement.claims.counts)
        scores = choice_scores(each, judgement.scores[start:end], times, truth)
        verdicts = list(map(Verdict, scores))
        if causes:
            for choice, row in enumerate(each.rows):
                # In turn, so that no statement of a combination is without evidence.
                turns = zip_longest(*(passages[start + statement] for statement in row))
                shown = [passage for turn in turns for passage in turn if passage is not None][:k]
                verdicts[choice] = Verdict(scores[choice], causes.explain(each, choice, start, times), shown)
        answered.append(AnsweredQuestion(question, choose(question, scores), tuple(verdicts), each.way, each.note))
        start = end
    return answered


def choice_scores(each: Plan, scores: Float64Array, times: Float64Array | None, truth: TruthLine) -> list[float]:
    """The score of each choice of a question. A combination scores the log probability that its claims hold; an
    ordering the sum of the log probabilities of its pairs' order by `times` (events, eras); any other choice the sum of
    its statements' `scores`."""
    if times is not None:
        return [sum(pair_score(times[one], times[other]) for one, other in combinations(row, 2)) for row in each.rows]
    if each.way == "combination":
        odds = truth.slope * scores + truth.middle
        return [
            float(sum(-np.logaddexp(0.0, -odds[s] if true else odds[s]) for s, true in zip(row, claimed, strict=True)))
            for row, claimed in zip(each.rows, each.truth, strict=True)
        ]
    return [float(sum(scores[s] for s in row)) for row in each.rows]
