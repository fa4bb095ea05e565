"""The answers on offer for a question, and what ranking makes of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from answerer.nlpcc.kbqa.linking import Chain, Fact, Holder, Link, Mention, Subject
from answerer.nlpcc.kbqa.requests import cued, request_of
from indexer.files.arrays import BoolArray, Float64Array
from indexer.sources.triples.schema import fold

_DIGITS = 9


class Candidate(NamedTuple):
    """All objects of one predicate of a subject that a mention led to.

    `through` is the fact that led from the question to the mention, where the question takes two steps. With
    `asks_subject` the mention names an object, and the answer is the subject that has it.
    """

    mention: Mention
    subject: Subject
    fact: Fact
    through: tuple[str, Fact] | None = None
    asks_subject: bool = False

    @property
    def stated(self) -> tuple[str, str, tuple[str, ...]]:
        """Subject, predicate and objects as the knowledge base has them; where a subject is asked, the object named."""
        objects = (self.mention.name,) if self.asks_subject else self.fact.objects
        return self.subject.name, self.fact.predicate, objects

    @property
    def answer(self) -> tuple[str, ...]:
        """The folded objects: candidates that would write the same answer share it."""
        return tuple(map(fold, self.fact.objects))


class Ranked(NamedTuple):
    """An answer with the summed probability of its candidates; `row` is the best of these."""

    answers: tuple[str, ...]
    probability: float
    row: int


def candidates_of(links: Sequence[Link]) -> list[Candidate]:
    """A candidate for every fact of every linked subject, in the order of the links."""
    return [Candidate(link.mention, link.subject, fact) for link in links for fact in link.subject.facts]


def holders_asked(question: str, holders: Sequence[Holder]) -> list[Candidate]:
    """A candidate for every subject that has an object which the question names, where it asks by the predicate."""
    found = []
    for mention, subject, fact in holders:
        if _asks(request_of(question, mention.start, mention.end), fact):
            answer = Fact(fact.predicate, (subject.name,))
            found.append(Candidate(mention, subject, answer, asks_subject=True))
    return found


def chained(chain: Chain) -> list[Candidate]:
    """A candidate for every fact of the subjects that a chain leads to, where what is left asks by its predicate."""
    step = chain.step
    through = (step.subject.name, step.fact)
    request = request_of(step.question, step.mention.start, step.mention.end)
    return [one._replace(through=through) for one in candidates_of(chain.links) if _asks(request, one.fact)]


def echoes(question: str, candidate: Candidate) -> bool:
    """Whether a fact says nothing but the name that led to it, and the question does not ask for its predicate."""
    mention = candidate.mention
    if candidate.asks_subject or candidate.answer != (mention.name,):
        return False
    return not _asks(request_of(question, mention.start, mention.end), candidate.fact)


def _asks(request: str, fact: Fact) -> bool:
    """Whether a request speaks of a fact's predicate: by one of its characters, or by a cue."""
    return bool(set(fact.predicate) & set(request)) or any(word in fact.predicate for word in cued(request))


def rank(candidates: Sequence[Candidate], scores: Float64Array) -> list[Ranked]:
    """The different answers, best first: by summed softmax of the scores (to 9 digits), then by the answer's text."""
    if not candidates:
        return []
    weights = np.exp(scores - scores.max())
    weights /= weights.sum()
    sums: dict[tuple[str, ...], float] = {}
    best: dict[tuple[str, ...], int] = {}
    for row, candidate in enumerate(candidates):
        answer = candidate.answer
        sums[answer] = sums.get(answer, 0.0) + float(weights[row])
        if answer not in best or scores[row] > scores[best[answer]]:
            best[answer] = row
    order = sorted(sums, key=lambda answer: (-round(sums[answer], _DIGITS), answer))
    return [Ranked(candidates[best[answer]].fact.objects, sums[answer], best[answer]) for answer in order]


def gold_candidates(candidates: Sequence[Candidate], answers: Sequence[str]) -> BoolArray:
    """Which candidates hold one of the right answers, case and blanks aside."""
    right = {fold(answer) for answer in answers}
    return np.array([any(text in right for text in candidate.answer) for candidate in candidates], bool)
