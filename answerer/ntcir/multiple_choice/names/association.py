"""Entity association, the default method: scores of choices by the fit of their names, a way for every shape."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from answerer.formats.exam.parts import Question
from answerer.ntcir.multiple_choice.methods import Answered, Options, Verdict, chosen
from answerer.ntcir.multiple_choice.names import ordering
from answerer.ntcir.multiple_choice.names.explained.choices import Explainer
from answerer.ntcir.multiple_choice.names.explained.evidence import Cause, Causes
from answerer.ntcir.multiple_choice.names.judgement import Judgement, judge
from answerer.ntcir.multiple_choice.names.weights import NAMES, WEIGHTS, TruthLine, load_weights, truth_of
from answerer.ntcir.multiple_choice.shapes import Plan, plan
from indexer.engines.contract import Index
from indexer.files.arrays import Float64Array
from indexer.files.errors import UserError
from indexer.files.hashes import fingerprint
from indexer.languages.language import Language
from retriever.learning.model import Model
from retriever.queries import language_of

TAKES = frozenset(("model",))


class AssociationMethod(NamedTuple):
    """The method with weights; `path` is the file of these."""

    model: Model
    path: Path
    packages: tuple[str, ...] = ("numpy", "scipy")

    def parameters(self) -> dict[str, Any]:
        """The weights of all signals and their origin, given once in a trace."""
        weights = dict(zip(NAMES, map(float, self.model.weights), strict=True))
        return {"model": fingerprint(self.path), "weights": weights}

    @property
    def _languages(self) -> Sequence[str]:
        languages: Sequence[str] = self.model.settings.get("languages", [])
        return languages

    def serves(self, language: Language) -> bool:
        """True if the weights were learned on this language."""
        return language.code in self._languages

    def answer(self, questions: Sequence[Question], index: Index, k: int, evidence: bool) -> list[Answered]:
        """Every question answered, each shape in its own way, from two look-ups (and one more for evidence).

        At most `k` passages a choice are shown, of those whose counts decided.

        Raises UserError if the index has no part `names`, or is in a language that the weights were not learned on.
        """
        language = language_of(index)
        if not self.serves(language):
            raise UserError(
                f"weights learned on {', '.join(self._languages) or 'no language'} do not serve '{language}': "
                "train them again, or use --method slqal"
            )
        plans = [plan(question) for question in questions]
        statements = [statement for each in plans for statement in each.statements]
        judgement = judge(statements, index, self.model, [n for n, each in enumerate(plans) for _ in each.statements])
        times, truth = _times(plans, judgement), truth_of(self.model)
        causes = Causes(judgement) if evidence else None
        own = causes.passages(index, k) if causes else []
        explainer = Explainer(judgement, times, self.model.weights, truth, causes)
        answered = []
        start = 0
        for question, each in zip(questions, plans, strict=True):
            scores = choice_scores(each, start, judgement, times, truth)
            verdicts = tuple(map(Verdict, scores))
            if evidence:
                verdicts = tuple(
                    Verdict(score, explainer.fields(each, choice, start), _in_turn([own[start + s] for s in row], k))
                    for choice, (score, row) in enumerate(zip(scores, each.rows, strict=True))
                )
            answered.append(Answered(question, chosen(question, scores), verdicts, each.way, each.note))
            start += len(each.statements)
        return answered


def configured(options: Options) -> AssociationMethod:
    """The method with the weights in a file (by default the program's own)."""
    path = Path(options.model) if options.model else WEIGHTS
    return AssociationMethod(load_weights(path), path)


def _in_turn(passages: Sequence[Sequence[Cause]], most: int) -> list[Cause]:
    """The first passage of each statement of a choice, then the second of each and so on, at most `most`."""
    return [one for turn in zip_longest(*passages) for one in turn if one is not None][:most]


def choice_scores(
    each: Plan, start: int, judgement: Judgement, times: Mapping[int, Float64Array], truth: TruthLine
) -> list[float]:
    """The score of each choice of a question whose statements begin at number `start`."""
    if each.way == "ordering":
        return [ordering.order_score(times[start], row) for row in each.rows]
    scores = judgement.scores[start : start + len(each.statements)]
    if each.way == "combination":
        odds = truth.slope * scores + truth.middle
        return [
            float(sum(-np.logaddexp(0.0, -odds[s] if true else odds[s]) for s, true in zip(row, claimed, strict=True)))
            for row, claimed in zip(each.rows, each.truth, strict=True)
        ]
    return [float(sum(scores[s] for s in row)) for row in each.rows]


def _times(plans: Sequence[Plan], judgement: Judgement) -> dict[int, Float64Array]:
    """The times of the events of each ordering question, by the number of its first statement."""
    found = {}
    start = 0
    for each in plans:
        if each.way == "ordering":
            claims = judgement.claims.claims[start : start + len(each.statements)]
            found[start] = ordering.event_times(claims, judgement.claims.counts)
        start += len(each.statements)
    return found
