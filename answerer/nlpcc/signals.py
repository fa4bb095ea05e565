"""The evidence that a fact answers a question: mention, predicate and object signals, with hand weights."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from answerer.nlpcc.candidates import Candidate
from answerer.nlpcc.linking import Mention
from answerer.nlpcc.requests import cued, kind_of_answer, kinds_of_object, request_of
from answerer.nlpcc.templates import Asked, Templates
from indexer.sources.facts import bigrams
from retriever.ranking.listwise import FloatArray

# name: hand weight, used as it is without a model and as the learner's prior.
MENTION_SIGNALS: dict[str, float] = {
    "mention length": 2.0,
    "mention covered": -4.0,
    "mention quoted": 3.0,
    "mention opens": 0.3,
    "mention before 的": 0.3,
    "mention single character": -3.0,
    "mention named as predicate": -1.0,
    "fuzzy": -6.0,
    "fuzzy similarity": 2.0,
    "detail overlap": 1.0,
}
PREDICATE_SIGNALS: dict[str, float] = {
    "predicate coverage": 1.0,
    "request coverage": 2.0,
    "overlap": 1.0,
    "jaccard": 4.0,
    "bigram coverage": 0.7,
    "literal": 1.0,
    "last character": 0.7,
    "first character": 0.3,
    "longest run": 1.0,
    "predicate length": 0.0,
    "cue": 2.0,
    "cue exact": 1.0,
    "cue missed": -0.3,
    "no overlap": -0.5,
}
OBJECT_SIGNALS: dict[str, float] = {
    "object kind fits": 0.5,
    "object kind differs": -0.5,
    "object in question": -0.7,
    "object is subject": -0.5,
}
TEMPLATE_SIGNALS: dict[str, float] = {"template association": 0.0, "template translation": 0.0}


class CharacterStatistics(NamedTuple):
    """In how many different predicates of the knowledge base each character stands, and how many there are."""

    predicates: int
    frequency: Mapping[str, int]

    def idf(self, character: str) -> float:
        """log((N + 1) / (n + 0.5)), N predicates, n of them with the character; always positive."""
        return math.log((self.predicates + 1) / (min(self.frequency.get(character, 0), self.predicates) + 0.5))


class Request(NamedTuple):
    """A question seen from one mention: the rest of it, in the forms that the signals need.

    `characters` have their idf, `weight` is its sum; `cued` are the words of predicates that its cues ask for;
    `asked` is what the templates make of it.
    """

    text: str
    characters: Mapping[str, float]
    pairs: frozenset[str]
    weight: float
    cued: tuple[str, ...]
    kind: str
    asked: Asked | None


class Predicate(NamedTuple):
    """A predicate's different characters with their idf, the idf's sum, and its character bigrams."""

    characters: Mapping[str, float]
    weight: float
    pairs: tuple[str, ...]


class Signals:
    """Computes the rows of signals for the candidates of a question."""

    def __init__(
        self, statistics: CharacterStatistics, templates: Templates | None = None, objects: bool = True
    ) -> None:
        self._templates = templates
        names = [*MENTION_SIGNALS, *PREDICATE_SIGNALS]
        self._objects = objects
        self.names = tuple(
            names + list(OBJECT_SIGNALS if objects else ()) + list(TEMPLATE_SIGNALS if templates else ())
        )
        self._idf = lru_cache(maxsize=None)(statistics.idf)
        self._profile = lru_cache(maxsize=1 << 16)(self._predicate_profile)

    def rows(self, question: str, candidates: Sequence[Candidate]) -> FloatArray:
        """One row a candidate, one column a name of `names`; a question without candidates gives no rows."""
        mentions = list(dict.fromkeys(candidate.mention for candidate in candidates))
        predicates = "\n".join(sorted({candidate.fact.predicate for candidate in candidates}))
        requests: dict[tuple[int, int], Request] = {}
        by_mention: dict[Mention, list[float]] = {}
        for mention in mentions:
            by_mention[mention] = _mention_row(question, mention, mentions, predicates)
            span = (mention.start, mention.end)
            if span not in requests:
                requests[span] = self._request(question, mention)
        by_predicate: dict[tuple[int, int, str], list[float]] = {}
        rows = []
        for candidate in candidates:
            mention = candidate.mention
            request = requests[mention.start, mention.end]
            key = (mention.start, mention.end, candidate.fact.predicate)
            if key not in by_predicate:
                by_predicate[key] = self._predicate_row(request, candidate.fact.predicate)
            detail = _detail(request, self._profile(candidate.subject.detail)) if candidate.subject.detail else 0.0
            row = [*by_mention[mention], detail, *by_predicate[key]]
            rows.append(self._with_objects(row, question, request, candidate))
        return np.array(rows, float).reshape(len(rows), len(self.names))

    def _with_objects(self, row: list[float], question: str, request: Request, candidate: Candidate) -> list[float]:
        if not self._objects:
            return row
        cut = len(MENTION_SIGNALS) + len(PREDICATE_SIGNALS)
        return [*row[:cut], *_object_row(question, request, candidate), *row[cut:]]

    def _request(self, question: str, mention: Mention) -> Request:
        text = request_of(question, mention.start, mention.end)
        characters = self._weighed(text)
        return Request(
            text,
            characters,
            frozenset(bigrams(text)),
            sum(characters.values()),
            cued(text),
            kind_of_answer(text),
            self._templates.asked(text) if self._templates else None,
        )

    def _weighed(self, text: str) -> dict[str, float]:
        """The different letters and digits of a text with their idf."""
        return {character: self._idf(character) for character in dict.fromkeys(text) if character.isalnum()}

    def _predicate_profile(self, predicate: str) -> Predicate:
        characters = self._weighed(predicate)
        return Predicate(characters, sum(characters.values()), tuple(bigrams(predicate)) if len(predicate) > 1 else ())

    def _predicate_row(self, request: Request, predicate: str) -> list[float]:
        profile = self._profile(predicate)
        shared = sum([weight for c, weight in profile.characters.items() if c in request.characters])
        either = profile.weight + request.weight - shared
        pairs = [pair for pair in profile.pairs if pair in request.pairs] if shared else []
        hits = [word for word in request.cued if word in predicate]
        row = [
            shared / profile.weight if shared else 0.0,
            shared / request.weight if shared else 0.0,
            shared / 10,
            shared / either if shared else 0.0,
            len(pairs) / len(profile.pairs) if pairs else 0.0,
            float(predicate in request.text),
            float(predicate[-1:] in request.characters),
            float(predicate[:1] in request.characters),
            _longest_run(predicate, request.text) / len(predicate) if shared else 0.0,
            math.log(1 + len(predicate)),
            max(map(len, hits)) / len(predicate) if hits else 0.0,
            float(predicate in hits),
            float(bool(request.cued) and not hits),
            float(not shared),
        ]
        if self._templates is None or request.asked is None:
            return row
        return [
            *row,
            self._templates.association(request.asked, predicate),
            self._templates.translated(request.asked, predicate),
        ]


def _detail(request: Request, detail: Predicate) -> float:
    """The share (by idf) of what a subject's parentheses say that stands in the request."""
    shared = sum([weight for c, weight in detail.characters.items() if c in request.characters])
    return shared / detail.weight if shared else 0.0


def _longest_run(predicate: str, text: str) -> int:
    """The length of the longest piece of the predicate that stands in the text."""
    longest = 0
    for start in range(len(predicate)):
        while start + longest < len(predicate) and predicate[start : start + longest + 1] in text:
            longest += 1
    return longest


def _mention_row(question: str, mention: Mention, others: Sequence[Mention], predicates: str) -> list[float]:
    longest = max((other.end - other.start for other in others if other.exact), default=1)
    covered = any(
        other.exact
        and other.start <= mention.start
        and mention.end <= other.end
        and other.end - other.start > mention.end - mention.start
        for other in others
    )
    before, after = question[: mention.start][-1:], question[mention.end :][:1]
    return [
        (mention.end - mention.start) / longest,
        float(covered),
        float(before in ("《", "“", '"', "'", "「", "‘") and before != ""),
        float(mention.start == 0),
        float(after == "的"),
        float(len(mention.name) == 1),
        float(mention.name in predicates),
        float(not mention.exact),
        0.0 if mention.exact else mention.similarity,
    ]


def _object_row(question: str, request: Request, candidate: Candidate) -> list[float]:
    first = candidate.answer[0]
    kinds = kinds_of_object(first)
    fits = request.kind in kinds
    return [
        float(fits),
        float(bool(request.kind) and not fits),
        float(len(first) > 1 and first in request.text),
        float(first == candidate.mention.name),
    ]


def hand_weights(names: Sequence[str]) -> FloatArray:
    """The hand weight of each signal."""
    known = MENTION_SIGNALS | PREDICATE_SIGNALS | OBJECT_SIGNALS | TEMPLATE_SIGNALS
    return np.array([known[name] for name in names], float)
