"""Entity association: scores of choices by the fit of their names, a way for every shape, and their explanation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from answerer.formats.exam.parts import ExamQuestion
from answerer.ntcir.multiple_choice.methods import AnsweredQuestion, Options, Verdict, choose
from answerer.ntcir.multiple_choice.names.judgement import (
    NAMES,
    WEIGHTS,
    TruthLine,
    judge,
    load_weights,
    truth_of,
)
from answerer.ntcir.multiple_choice.names.ordering import era_name, event_times, order_score, pair_score
from answerer.ntcir.multiple_choice.shapes import Plan, plan
from answerer.trace import TraceEvent, TraceStatement
from indexer.engines.contract import Index
from indexer.files.arrays import Float64Array
from indexer.files.errors import UserError
from indexer.files.hashes import fingerprint
from indexer.languages.language import Language
from retriever.learning.model import Model
from retriever.queries import language_of

if TYPE_CHECKING:
    from answerer.ntcir.multiple_choice.names.evidence import Causes

_LEAST = 0.01  # contribution of a feature to be listed by itself: one unit of the two decimals that people read
_ERAS_SHOWN = 3


class AssociationMethod(NamedTuple):
    """The entity association method with learned weights; `path` is the file of the weights."""

    model: Model
    path: Path
    packages: tuple[str, ...] = ("numpy", "scipy")

    def parameters(self) -> dict[str, Any]:
        """The weights of all features and their origin, given once in a trace."""
        weights = dict(zip(NAMES, map(float, self.model.weights), strict=True))
        return {"model": fingerprint(self.path), "weights": weights}

    # A language whose names the weights have not seen is refused rather than guessed.
    def serves(self, language: Language) -> bool:
        """True if the weights were learned on this language."""
        return language.code in self.model.settings.get("languages", [])

    def answer(self, questions: Sequence[ExamQuestion], index: Index, k: int, evidence: bool) -> list[AnsweredQuestion]:
        """Answers every question by the plan for its shape, with two requests to the index (a third for evidence).

        With `evidence`, at most `k` passages per choice are added: the first passage of each of its statements, then
        the second of each, and so on. Raises UserError if the index has no part `names`, or the weights do not serve
        its language.
        """
        language = language_of(index)
        if not self.serves(language):
            raise UserError(
                f"weights learned on {', '.join(self.model.settings.get('languages', [])) or 'no language'} do not "
                f"serve '{language}': train them again, or use --method slqal"
            )
        plans = [plan(question) for question in questions]
        statements = [statement for each in plans for statement in each.statements]
        judgement = judge(statements, index, self.model, [n for n, each in enumerate(plans) for _ in each.statements])
        truth = truth_of(self.model)
        causes, passages = None, []
        if evidence:
            from answerer.ntcir.multiple_choice.names.evidence import Causes  # a third of the method, for traces only

            causes = Causes(judgement)
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
                    explained = self._explain(each, choice, start, causes, times)
                    verdicts[choice] = Verdict(scores[choice], explained, shown)
            answered.append(AnsweredQuestion(question, choose(question, scores), tuple(verdicts), each.way, each.note))
            start = end
        return answered

    def _explain(
        self, each: Plan, choice: int, start: int, causes: Causes, times: Float64Array | None
    ) -> dict[str, Any]:
        """The parts of a choice's score as `TraceCandidate` fields: "events" and "pairs" (ordering), or "statements".

        `each` is the question's plan, `choice` the index of the choice, `start` the index of the question's first
        statement in the judgement, `times` (events, eras) the distributions of an ordering's events. "pairs" maps "1
        before 2" (positions in the claimed order) to the log probability of that order.
        """
        row = each.rows[choice]
        if times is not None:
            likeliest = np.argsort(-times, axis=1, kind="stable")[:, :_ERAS_SHOWN]
            events = [
                TraceEvent(
                    event=each.statements[number].text,
                    times={era_name(int(era)): float(times[number, era]) for era in likeliest[number]},
                )
                for number in row
            ]
            pairs = {
                f"{place} before {later}": pair_score(times[first], times[second])
                for (place, first), (later, second) in combinations(enumerate(row, 1), 2)
            }
            return {"events": tuple(events), "pairs": pairs}
        truth, judgement = truth_of(self.model), causes.judgement
        shown = []
        for place, number in enumerate(row):
            entry = TraceStatement(
                text=each.statements[number].text,
                score=float(judgement.scores[start + number]),
                names=causes.contributions(start + number, self.model.weights, _LEAST),
                places=dict(judgement.claims.places[start + number]),
                counted=causes.trace_counts(start + number),
            )
            if each.way == "combination":
                claimed = each.truth[choice][place]
                odds = truth.slope * entry.score + truth.middle
                likely = float(-np.logaddexp(0.0, -odds if claimed else odds))
                entry = replace(entry, claimed=claimed, log_probability=likely)
            shown.append(entry)
        return {"statements": tuple(shown), **({"truth": truth._asdict()} if each.way == "combination" else {})}


def association_method(options: Options) -> AssociationMethod:
    """The method with the weights in a file (by default the program's own)."""
    path = Path(options.model) if options.model else WEIGHTS
    return AssociationMethod(load_weights(path), path)


def choice_scores(each: Plan, scores: Float64Array, times: Float64Array | None, truth: TruthLine) -> list[float]:
    """The score of each choice of a question.

    A combination scores the log probability that its claims hold; an ordering the log probability of its order by
    `times` (events, eras); any other choice the sum of its statements' `scores`.
    """
    if times is not None:
        return [order_score(times, row) for row in each.rows]
    if each.way == "combination":
        odds = truth.slope * scores + truth.middle
        return [
            float(sum(-np.logaddexp(0.0, -odds[s] if true else odds[s]) for s, true in zip(row, claimed, strict=True)))
            for row, claimed in zip(each.rows, each.truth, strict=True)
        ]
    return [float(sum(scores[s] for s in row)) for row in each.rows]
