"""The evidence that a fact answers a question: mention, predicate and object signals, with hand weights."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np

from answerer.nlpcc.kbqa.candidates import Candidate
from answerer.nlpcc.kbqa.linking import Mention
from answerer.nlpcc.kbqa.requests import (
    cue_spans,
    cued,
    interrogative,
    kind_of_answer,
    kinds_of_object,
    offers,
    request_of,
)
from answerer.nlpcc.kbqa.templates import Templates
from indexer.files.arrays import Float64Array
from indexer.sources.triples.schema import bigrams, fold

Span = tuple[int, int]
_CONTRAST = re.compile(r"(?:比起?|而不是|而非|不同于|不像|除了)[《“\"'「‘]?$")


def longest_run(predicate: str, text: str) -> int:
    """The length of the longest piece of the predicate that stands in the text."""
    longest = 0
    for start in range(len(predicate)):
        while start + longest < len(predicate) and predicate[start : start + longest + 1] in text:
            longest += 1
    return longest


def covered(mention: Mention, others: Iterable[Mention]) -> bool:
    """Whether a longer exact mention holds this one."""
    return any(
        other.exact
        and other.start <= mention.start
        and mention.end <= other.end
        and other.end - other.start > mention.end - mention.start
        for other in others
    )


def contrasted(question: str, mention: Mention) -> bool:
    """Whether the mention is what the subject is held against: `比X高`, `而不是X的`."""
    return _CONTRAST.search(question, max(0, mention.start - 5), mention.start) is not None


class Rivals:
    """The separate names of a folded question, and what each of them has a fact about."""

    def __init__(self, question: str, candidates: Sequence[Candidate], mentions: Sequence[Mention]) -> None:
        self._question = question
        predicates = "\n".join(sorted({candidate.fact.predicate for candidate in candidates}))
        names = {mention for mention in mentions if _is_name(question, mention, mentions, predicates)}
        self._holders: dict[str, dict[Mention, None]] = {}
        if any(_apart(one, other) for one in names for other in names):
            for candidate in candidates:
                if candidate.mention in names:
                    self._holders.setdefault(candidate.fact.predicate, {})[candidate.mention] = None
        self._rest = question
        for name in sorted(names):
            self._rest = _blank(self._rest, name)

    def nearer(self, mention: Mention, predicate: str) -> float:
        """How long, by this mention, the longest name is that has the predicate and stands nearer to its words.

        At most 1, and 0 where no other name is nearer: in a large knowledge base much that is short is a name.
        """
        others = [other for other in self._holders.get(predicate, ()) if _apart(mention, other)]
        if not others:
            return 0.0
        spans = list(spans_of(predicate, _blank(self._rest, mention)))
        if not spans:
            return 0.0
        own = self._distance(mention, spans)
        nearer = [other.end - other.start for other in others if self._distance(other, spans) < own]
        return min(1.0, max(nearer, default=0) / (mention.end - mention.start))

    def _distance(self, mention: Mention, spans: Sequence[Span]) -> tuple[bool, int]:
        """How far the mention's text is from the words at its nearest, before them counting as nearer than after."""
        text = re.escape(self._question[mention.start : mention.end])
        places = [match.span() for match in re.finditer(text, self._question)]
        return min(
            (end > start, start - end if end <= start else begin - stop)
            for begin, end in places
            for start, stop in spans
        )


def _is_name(question: str, mention: Mention, others: Sequence[Mention], predicates: str) -> bool:
    """Whether a mention is likely a name: whole, no single character, no word that asks or of a predicate."""
    return (
        mention.exact
        and len(mention.name) > 1
        and not interrogative(mention.name)
        and mention.name not in predicates
        and not covered(mention, others)
        and not contrasted(question, mention)
    )


def _apart(one: Mention, other: Mention) -> bool:
    return one.end <= other.start or other.end <= one.start


def _blank(text: str, mention: Mention) -> str:
    return f"{text[: mention.start]}{'|' * (mention.end - mention.start)}{text[mention.end :]}"


def spans_of(predicate: str, text: str) -> Iterator[Span]:
    """Where a text asks for a predicate: its longest piece there, or a cue where that is one character at most."""
    size = longest_run(predicate, text)
    cues = list(cue_spans(text, predicate)) if size < 2 else []
    if cues or not size:
        yield from cues
        return
    for piece in {predicate[start : start + size] for start in range(len(predicate) - size + 1)}:
        yield from (match.span() for match in re.finditer(re.escape(piece), text))


# name: hand weight, used as it is without a model and as the learner's prior.
MENTION_SIGNALS: dict[str, float] = {
    "mention length": 2.0,
    "mention covered": -4.0,
    "mention quoted": 3.0,
    "mention opens": 0.3,
    "mention before 的": 0.3,
    "mention single character": -3.0,
    "mention named as predicate": -1.0,
    "mention contrasted": -6.0,
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
    "other name nearer": -6.0,
}
OBJECT_SIGNALS: dict[str, float] = {
    "object kind fits": 0.5,
    "object kind differs": -0.5,
    "object in question": -6.0,
    "object named": -6.0,
    "object offered": 0.5,
    "object is subject": -0.5,
    "homonym described": 2.0,
}
TEMPLATE_SIGNALS: dict[str, float] = {"template association": 0.0}

# Rare flags that mean the same whatever the other candidates are. Relative to these a flag would count the more,
# the more candidates there are, which a larger knowledge base decides.
ABSOLUTE = frozenset(
    {
        "mention contrasted",
        "other name nearer",
        "object in question",
        "object named",
        "object offered",
        "homonym described",
    }
)


class CharacterStatistics(NamedTuple):
    """In how many different predicates of the knowledge base each character stands, and how many there are."""

    predicates: int
    frequency: Mapping[str, int]

    def idf(self, character: str) -> float:
        """log((N + 1) / (n + 0.5)), N predicates, n of them with the character; always positive."""
        return math.log((self.predicates + 1) / (min(self.frequency.get(character, 0), self.predicates) + 0.5))


class Request(NamedTuple):
    """A question seen from one mention: the rest of it, in the forms that the signals need.

    `characters` have their idf, `weight` is its sum; `cued` are the words of predicates that its cues ask for.
    """

    text: str
    characters: Mapping[str, float]
    pairs: frozenset[str]
    weight: float
    cued: tuple[str, ...]
    kind: str


class Predicate(NamedTuple):
    """A predicate's different characters with their idf, the idf's sum, and its character bigrams."""

    characters: Mapping[str, float]
    weight: float
    pairs: tuple[str, ...]


class Signals:
    """Computes the rows of signals for the candidates of a question; `packages` are those it computes with."""

    def __init__(
        self, statistics: CharacterStatistics, templates: Templates | None = None, objects: bool = True
    ) -> None:
        self._templates = templates
        names = [*MENTION_SIGNALS, *PREDICATE_SIGNALS]
        self._objects = objects
        self.names = tuple(
            names + list(OBJECT_SIGNALS if objects else ()) + list(TEMPLATE_SIGNALS if templates else ())
        )
        self.packages = ("numpy", "scipy") if templates else ("numpy",)
        self.compared = [column for column, name in enumerate(self.names) if name not in ABSOLUTE]
        self._idf = lru_cache(maxsize=None)(statistics.idf)
        self._profile = lru_cache(maxsize=1 << 16)(partial(_predicate, self._idf))

    def rows(self, question: str, candidates: Sequence[Candidate]) -> Float64Array:
        """One row a candidate, one column a name of `names`; a question without candidates gives no rows."""
        mentions = list(dict.fromkeys(candidate.mention for candidate in candidates))
        predicates = "\n".join(sorted({candidate.fact.predicate for candidate in candidates}))
        rivals = Rivals(question, candidates, mentions)
        requests: dict[Span, Request] = {}
        by_mention: dict[Mention, list[float]] = {}
        for mention in mentions:
            by_mention[mention] = _mention_row(question, mention, mentions, predicates)
            span = (mention.start, mention.end)
            if span not in requests:
                requests[span] = self._request(question, mention)
        taught = self._taught(requests, candidates)
        objects = _object_rows(question, requests, candidates) if self._objects else [[]] * len(candidates)
        by_predicate: dict[tuple[Span, str], tuple[list[float], list[float]]] = {}
        rows = []
        for candidate, about_object in zip(candidates, objects, strict=True):
            mention, predicate = candidate.mention, candidate.fact.predicate
            span = (mention.start, mention.end)
            request = requests[span]
            if (span, predicate) not in by_predicate:
                near = rivals.nearer(mention, predicate)
                by_predicate[span, predicate] = (
                    [*self._predicate_row(request, predicate), near],
                    taught(span, predicate),
                )
            asked, by_template = by_predicate[span, predicate]
            detail = _detail(request, self._profile(candidate.subject.detail)) if candidate.subject.detail else 0.0
            rows.append([*by_mention[mention], detail, *asked, *about_object, *by_template])
        return np.array(rows, float).reshape(len(rows), len(self.names))

    def _request(self, question: str, mention: Mention) -> Request:
        text = request_of(question, mention.start, mention.end)
        characters = _weighed(self._idf, text)
        return Request(
            text, characters, frozenset(bigrams(text)), sum(characters.values()), cued(text), kind_of_answer(text)
        )

    def _predicate_row(self, request: Request, predicate: str) -> list[float]:
        profile = self._profile(predicate)
        shared = sum([weight for c, weight in profile.characters.items() if c in request.characters])
        either = profile.weight + request.weight - shared
        pairs = [pair for pair in profile.pairs if pair in request.pairs] if shared else []
        hits = [word for word in request.cued if word in predicate]
        return [
            shared / profile.weight if shared else 0.0,
            shared / request.weight if shared else 0.0,
            shared / 10,
            shared / either if shared else 0.0,
            len(pairs) / len(profile.pairs) if pairs else 0.0,
            float(predicate in request.text),
            float(predicate[-1:] in request.characters),
            float(predicate[:1] in request.characters),
            longest_run(predicate, request.text) / len(predicate) if shared else 0.0,
            math.log(1 + len(predicate)),
            max(map(len, hits)) / len(predicate) if hits else 0.0,
            float(predicate in hits),
            float(bool(request.cued) and not hits),
            float(not shared),
        ]

    def _taught(
        self, requests: Mapping[Span, Request], candidates: Sequence[Candidate]
    ) -> Callable[[Span, str], list[float]]:
        """What the templates say of a predicate from a span."""
        if self._templates is None:
            return lambda span, predicate: []
        rows = {span: row for row, span in enumerate(requests)}
        predicates = list(dict.fromkeys(candidate.fact.predicate for candidate in candidates))
        columns = {predicate: column for column, predicate in enumerate(predicates)}
        found = self._templates.associations([request.text for request in requests.values()], predicates).tolist()
        return lambda span, predicate: [found[rows[span]][columns[predicate]]]


def _weighed(idf: Callable[[str], float], text: str) -> dict[str, float]:
    """The different letters and digits of a text with their idf."""
    return {character: idf(character) for character in dict.fromkeys(text) if character.isalnum()}


def _predicate(idf: Callable[[str], float], text: str) -> Predicate:
    characters = _weighed(idf, text)
    return Predicate(characters, sum(characters.values()), tuple(bigrams(text)) if len(text) > 1 else ())


def _detail(request: Request, detail: Predicate) -> float:
    """The share (by idf) of what a subject's parentheses say that stands in the request."""
    shared = sum([weight for c, weight in detail.characters.items() if c in request.characters])
    return shared / detail.weight if shared else 0.0


def _mention_row(question: str, mention: Mention, others: Sequence[Mention], predicates: str) -> list[float]:
    longest = max((other.end - other.start for other in others if other.exact), default=1)
    before, after = question[: mention.start][-1:], question[mention.end :][:1]
    return [
        (mention.end - mention.start) / longest,
        float(covered(mention, others)),
        float(before in ("《", "“", '"', "'", "「", "‘")),
        float(mention.start == 0),
        float(after == "的"),
        float(len(mention.name) == 1),
        float(mention.name in predicates),
        float(contrasted(question, mention)),
        float(not mention.exact),
        0.0 if mention.exact else mention.similarity,
    ]


def _object_rows(question: str, requests: Mapping[Span, Request], candidates: Sequence[Candidate]) -> list[list[float]]:
    """The object signals of all candidates: what a question says of a subject is not what it asks for.

    It tells homonyms apart instead, or, where it is a name itself, leads on to the subject that is meant.
    An object that only repeats its predicate says nothing.
    """
    names = {candidate.mention.name for candidate in candidates}
    offering = offers(question)
    spans = [(candidate.mention.start, candidate.mention.end) for candidate in candidates]
    firsts = [fold(candidate.fact.objects[0]) for candidate in candidates]
    texts = {span: _undotted(requests[span].text) for span in set(spans)}
    said = [
        len(first) > 1 and _undotted(first) in texts[span] and first != candidate.fact.predicate
        for candidate, span, first in zip(candidates, spans, firsts, strict=True)
    ]
    described = _described(candidates, said)
    rows = []
    for candidate, span, first, is_said, by_others in zip(candidates, spans, firsts, said, described, strict=True):
        kind = requests[span].kind
        fits = kind in kinds_of_object(first)
        rows.append(
            [
                float(fits),
                float(bool(kind) and not fits),
                float(is_said and not offering and first not in names),
                float(is_said and not offering and first in names),
                float(is_said and offering),
                float(first == candidate.mention.name),
                float(by_others),
            ]
        )
    return rows


def _undotted(text: str) -> str:
    """The text without the dots of foreign names: questions leave them out."""
    return text.replace("·", "")


def _described(candidates: Sequence[Candidate], said: Sequence[bool]) -> list[bool]:
    """For each candidate whether the question says another fact of its subject, and the name has more subjects."""
    if not any(said):
        return [False] * len(candidates)
    bearers: dict[Mention, set[str]] = {}
    for candidate in candidates:
        bearers.setdefault(candidate.mention, set()).add(candidate.subject.name)
    keys = [(candidate.mention, candidate.subject.name) for candidate in candidates]
    facts = Counter(key for key, is_said in zip(keys, said, strict=True) if is_said)
    return [facts[key] > is_said and len(bearers[key[0]]) > 1 for key, is_said in zip(keys, said, strict=True)]


def hand_weights(names: Sequence[str]) -> Float64Array:
    """The hand weight of each signal."""
    known = MENTION_SIGNALS | PREDICATE_SIGNALS | OBJECT_SIGNALS | TEMPLATE_SIGNALS
    return np.array([known[name] for name in names], float)
