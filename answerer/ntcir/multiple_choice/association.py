"""The default method: does each name belong where it stands, by what the book says of it; every shape its own way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np

from answerer.formats.exam_parts import Question
from answerer.ntcir.multiple_choice import ordering
from answerer.ntcir.multiple_choice.counts import OtherVersionError
from answerer.ntcir.multiple_choice.flat import FloatArray, IntArray
from answerer.ntcir.multiple_choice.methods import Answered, Verdict, chosen
from answerer.ntcir.multiple_choice.shapes import Plan, plan
from answerer.ntcir.multiple_choice.signals import NAMES, signal_rows
from answerer.ntcir.multiple_choice.statements import Claims, Statement, read_statements
from answerer.ntcir.multiple_choice.weights import TruthLine, load_weights, truth_of
from indexer.address import open_index
from indexer.engines.contract import Index
from indexer.files.errors import UserError
from indexer.names.glossary import glossary_recogniser
from retriever.explain import Evidence, explain_hits
from retriever.queries import analyser_of, glossary_of, union_query
from retriever.ranking.model import Model

_UNKNOWN = 0.0  # the score of a statement in which nothing is judged


class Judgement(NamedTuple):
    """What the signals say of the statements of an exam.

    `scores` has a number a statement: −log of the mean over its judged names of exp(−u), u a name's weighted
    signals: high where every name belongs. `rows` and `parts` are the signals of each name, standardised, and
    the statement that it is in; `u` their weighted sums.
    """

    scores: FloatArray
    rows: FloatArray
    parts: IntArray
    judged: IntArray
    u: FloatArray
    claims: Claims


def answer(questions: Sequence[Question], index: Index, k: int, evidence: bool) -> list[Answered]:
    """Every question answered by the weights that come with the program; see `answer_with`."""
    return answer_with(questions, index, k, evidence, model=load_weights())


class Configured(NamedTuple):
    """The method with weights and a background of the user's."""

    model: Model
    background: str | None

    def answer(self, questions: Sequence[Question], index: Index, k: int, evidence: bool) -> list[Answered]:
        """As the module's `answer`. UserError when the background is in another language than the index."""
        other = open_index(self.background, "textbook", index.metadata.language) if self.background else None
        return answer_with(questions, index, k, evidence, model=self.model, background=other)


def configured(model: str | None, background: str | None) -> Configured:
    """The method with the weights in a file (by default the program's own) and a background index (by default none)."""
    return Configured(load_weights(model), background)


def answer_with(
    questions: Sequence[Question],
    index: Index,
    k: int,
    evidence: bool,
    *,
    model: Model,
    background: Index | None = None,
) -> list[Answered]:
    """Every question answered, each shape in its own way, from two look-ups (and one search for evidence).

    `background` is an index of another text: where it knows more of a statement's names than the book does, the
    statement's score is the mean over both. UserError when an index has no part `names`, or is in a language that
    the weights were not learned on.
    """
    languages = model.settings.get("languages", [])
    if index.metadata.language not in languages:
        raise UserError(
            f"weights learned on {', '.join(languages) or 'no language'} do not serve {index.metadata.language!r}: "
            "train them again, or use --method slqal"
        )
    plans = [plan(question) for question in questions]
    statements = [statement for each in plans for statement in each.statements]
    judgement = judge(statements, index, model)
    if background is not None:
        judgement = _with_background(judgement, judge(statements, background, model))
    times = _times(plans, judgement)
    truth = truth_of(model)
    found = _evidence(statements, index, k) if evidence else [()] * len(statements)
    answered = []
    start = 0
    for question, each in zip(questions, plans, strict=True):
        scores = choice_scores(each, start, judgement, times, truth)
        verdicts = tuple(
            Verdict(score, _explained(each, row, start, judgement, model), [e for s in row for e in found[start + s]])
            for score, row in zip(scores, each.rows, strict=True)
        )
        answered.append(Answered(question, chosen(question, scores), verdicts))
        start += len(each.statements)
    return answered


def judge(statements: Sequence[Statement], index: Index, model: Model) -> Judgement:
    """The signals of all statements over one index, weighted and pooled."""
    claims = read_claims(statements, index)
    raw = signal_rows(claims.claims, claims.counts)
    rows = (raw - model.means) / model.scales
    u = rows @ model.weights
    parts = np.array([n for n, claim in enumerate(claims.claims) for _ in claim.names], np.int64)
    judged = np.array([name.judged for claim in claims.claims for name in claim.names], bool)
    scores = pooled(u[judged], parts[judged], len(statements))
    return Judgement(scores, rows, parts, judged, u, claims)


def read_claims(statements: Sequence[Statement], index: Index) -> Claims:
    """The claims of statements over an index. UserError when the index counted no names, or other things of them."""
    if not any(part.name == "names" for part in index.metadata.parts):
        raise UserError(
            f"the index {index.address} has no names: build it again without --no-names, or use --method slqal"
        )
    names = glossary_recogniser("en" if index.metadata.language == "en" else "ja", glossary_of(index))
    try:
        return read_statements(statements, index.part("names"), analyser_of(index), names)
    except OtherVersionError as error:
        raise UserError(f"the index {index.address} was built by another version ({error}): build it again") from None


def pooled(u: FloatArray, parts: IntArray, size: int) -> FloatArray:
    """−log mean exp(−u) over the names of each statement, 0 where it has none: the likelihood, up to a constant,
    that no name was exchanged, if one may have been."""
    least = np.full(size, np.inf)
    np.minimum.at(least, parts, u)
    least[~np.isfinite(least)] = _UNKNOWN
    total = np.bincount(parts, np.exp(least[parts] - u), size)
    number = np.bincount(parts, minlength=size)
    return np.asarray(np.where(number > 0, least - np.log(np.maximum(total, 1e-300) / np.maximum(number, 1)), _UNKNOWN))


def choice_scores(
    each: Plan, start: int, judgement: Judgement, times: Mapping[int, FloatArray], truth: TruthLine
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


def _times(plans: Sequence[Plan], judgement: Judgement) -> dict[int, FloatArray]:
    """The times of the events of each ordering question, by the number of its first statement."""
    found = {}
    start = 0
    for each in plans:
        if each.way == "ordering":
            claims = judgement.claims.claims[start : start + len(each.statements)]
            found[start] = ordering.event_times(claims, judgement.claims.counts)
        start += len(each.statements)
    return found


def _with_background(own: Judgement, other: Judgement) -> Judgement:
    """A statement's score, half the other index's where the book knows fewer of its names."""
    known = NAMES.index("known")
    size = len(own.scores)
    share = [
        np.bincount(each.parts, each.rows[:, known] > 0, size) / np.maximum(np.bincount(each.parts, minlength=size), 1)
        for each in (own, other)
    ]
    weight = np.where(share[1] > share[0], 0.5, 0.0)
    return own._replace(scores=(1 - weight) * own.scores + weight * other.scores)


def _explained(each: Plan, row: Sequence[int], start: int, judgement: Judgement, model: Model) -> dict[str, float]:
    """Each statement's score, each name's weighted sum, and of the least likely name each signal with its weight."""
    signals: dict[str, float] = {f"answered as {each.way}": 1.0}
    for number in row:
        here = np.flatnonzero((judgement.parts == start + number) & judgement.judged)
        labels = list(judgement.claims.labels[start + number])
        first = int(np.searchsorted(judgement.parts, start + number))
        prefix = f"{number + 1}: " if len(each.statements) > len(each.rows) or len(row) > 1 else ""
        signals[f"{prefix}statement"] = float(judgement.scores[start + number])
        for place in here:
            signals[f"{prefix}name {labels[place - first]}"] = float(judgement.u[place])
        if len(here):
            worst = here[np.argmin(judgement.u[here])]
            label = labels[worst - first]
            for name, weight, value in zip(NAMES, model.weights, judgement.rows[worst], strict=True):
                signals[f"{prefix}{label}: {name} × {weight:.3f}"] = float(value)
    return signals


def _evidence(statements: Sequence[Statement], index: Index, k: int) -> list[Sequence[Evidence]]:
    """The sentences that share most with each statement."""
    analyser = analyser_of(index)
    searcher = index.part()
    queries = [union_query([], analyser.terms(statement.text)) for statement in statements]
    found = iter(searcher.search(queries, k))
    return [
        explain_hits(searcher, query, hits) for query, hits in zip(queries, islice(found, len(queries)), strict=True)
    ]
