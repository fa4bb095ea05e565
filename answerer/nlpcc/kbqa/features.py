"""Features of a candidate fact: of its mention, its predicate, its object and its templates, with default weights."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from answerer.nlpcc.kbqa.linking import FactCandidate, SubjectMention
from answerer.nlpcc.kbqa.relation_phrase import (
    Templates,
    answer_type,
    cue_spans,
    cued_words,
    is_interrogative,
    object_types,
    offers_answers,
    relation_phrase,
)
from indexer.files.arrays import Float64Array
from indexer.sources.triples.schema import bigrams, fold
from retriever.learning.model import packaged_weights

Span = tuple[int, int]
_CONTRAST = re.compile(r"(?:比起?|而不是|而非|不同于|不像|除了)[《“\"'「‘]?$")


def longest_run(predicate: str, text: str) -> int:
    """The length of the longest substring of the predicate that is in the text."""
    longest = 0
    for start in range(len(predicate)):
        while start + longest < len(predicate) and predicate[start : start + longest + 1] in text:
            longest += 1
    return longest


def is_covered(mention: SubjectMention, others: Iterable[SubjectMention]) -> bool:
    """True where a longer exact mention contains this one."""
    return any(
        other.exact
        and other.start <= mention.start
        and mention.end <= other.end
        and other.end - other.start > mention.end - mention.start
        for other in others
    )


def is_contrasted(question: str, mention: SubjectMention) -> bool:
    """True for a mention that the subject is compared with: `比X高`, `而不是X的`."""
    return _CONTRAST.search(question, max(0, mention.start - 5), mention.start) is not None


class CompetingNames:
    """The separate names of a folded question, each with the predicates that it has a fact about.

    A name is an exact mention of several characters, contained in no other, neither a question word nor in a predicate.
    """

    def __init__(self, question: str, candidates: Sequence[FactCandidate], mentions: Sequence[SubjectMention]) -> None:
        self._question = question
        predicates = "\n".join(sorted({candidate.fact.predicate for candidate in candidates}))
        names = {
            mention
            for mention in mentions
            if mention.exact
            and len(mention.name) > 1
            and not is_interrogative(mention.name)
            and mention.name not in predicates
            and not is_covered(mention, mentions)
            and not is_contrasted(question, mention)
        }
        self._holders: dict[str, dict[SubjectMention, None]] = {}
        if any(_are_apart(one, other) for one in names for other in names):
            for candidate in candidates:
                if candidate.mention in names:
                    self._holders.setdefault(candidate.fact.predicate, {})[candidate.mention] = None
        self._rest = question
        for name in sorted(names):
            self._rest = _blank(self._rest, name)

    def nearer(self, mention: SubjectMention, predicate: str) -> float:
        """The length, by this mention's, of the longest other name that has the predicate and is nearer to its words.

        At most 1, and 0 where no other name is nearer: in a large knowledge base much that is short is a name. Words
        before the predicate's count as nearer than those after it.
        """
        others = [other for other in self._holders.get(predicate, ()) if _are_apart(mention, other)]
        spans = list(spans_of(predicate, _blank(self._rest, mention))) if others else []
        if not spans:
            return 0.0

        def distance(name: SubjectMention) -> tuple[bool, int]:
            """(behind the predicate, characters between): the least over all occurrences of a name."""
            text = re.escape(self._question[name.start : name.end])
            return min(
                (found.end() > start, start - found.end() if found.end() <= start else found.start() - stop)
                for found in re.finditer(text, self._question)
                for start, stop in spans
            )

        own = distance(mention)
        nearer = [other.end - other.start for other in others if distance(other) < own]
        return min(1.0, max(nearer, default=0) / (mention.end - mention.start))


def _are_apart(one: SubjectMention, other: SubjectMention) -> bool:
    return one.end <= other.start or other.end <= one.start


def _blank(text: str, mention: SubjectMention) -> str:
    return f"{text[: mention.start]}{'|' * (mention.end - mention.start)}{text[mention.end :]}"


def spans_of(predicate: str, text: str) -> Iterator[Span]:
    """The spans of a text that ask for a predicate: its longest substring, or cues where that is too short."""
    size = longest_run(predicate, text)
    cues = list(cue_spans(text, predicate)) if size < 2 else []
    if cues or not size:
        yield from cues
        return
    for piece in {predicate[start : start + size] for start in range(len(predicate) - size + 1)}:
        yield from (match.span() for match in re.finditer(re.escape(piece), text))


MENTION_FEATURES = (
    "mention length",
    "mention covered",
    "mention quoted",
    "mention opens",
    "mention before 的",
    "mention single character",
    "mention named as predicate",
    "mention contrasted",
    "fuzzy",
    "fuzzy similarity",
    "detail overlap",
)
PREDICATE_FEATURES = (
    "predicate coverage",
    "request coverage",
    "overlap",
    "jaccard",
    "bigram coverage",
    "literal",
    "last character",
    "first character",
    "longest run",
    "predicate length",
    "cue",
    "cue exact",
    "cue missed",
    "no overlap",
    "other name nearer",
)
OBJECT_FEATURES = (
    "object kind fits",
    "object kind differs",
    "object in question",
    "object named",
    "object offered",
    "object is subject",
    "homonym described",
)
TEMPLATE_FEATURES = ("template association",)

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
    """The number of different predicates of the knowledge base, and of those that hold each character."""

    predicates: int
    frequency: Mapping[str, int]

    def idf(self, character: str) -> float:
        """log((N + 1) / (n + 0.5)), N predicates, n of them with the character; always positive."""
        return math.log((self.predicates + 1) / (min(self.frequency.get(character, 0), self.predicates) + 0.5))


class RelationPhrase(NamedTuple):
    """A question seen from one mention: the rest of it, in the forms that the features need.

    `characters` have their idf, `weight` is its sum; `cued` are the words of predicates that its cues ask for.
    """

    text: str
    characters: Mapping[str, float]
    pairs: frozenset[str]
    weight: float
    cued: tuple[str, ...]
    answer_type: str


class PredicateProfile(NamedTuple):
    """The different characters of a predicate (or of a subject's parentheses) with their idf, its sum, and bigrams."""

    characters: Mapping[str, float]
    weight: float
    pairs: tuple[str, ...]


class FactFeatures:
    """Computes the feature rows of a question's candidates; `packages` are those it computes with.

    `compared` are the columns that are also taken relative to the question's other candidates.
    """

    def __init__(
        self, statistics: CharacterStatistics, templates: Templates | None = None, objects: bool = True
    ) -> None:
        self._templates = templates
        self._objects = objects
        self.names = (
            *MENTION_FEATURES,
            *PREDICATE_FEATURES,
            *(OBJECT_FEATURES if objects else ()),
            *(TEMPLATE_FEATURES if templates else ()),
        )
        self.packages = ("numpy", "scipy") if templates else ("numpy",)
        self.compared = [column for column, name in enumerate(self.names) if name not in ABSOLUTE]
        idf = lru_cache(maxsize=None)(statistics.idf)

        def character_weights(text: str) -> dict[str, float]:
            return {character: idf(character) for character in dict.fromkeys(text) if character.isalnum()}

        def profile(text: str) -> PredicateProfile:
            characters = character_weights(text)
            pairs = tuple(bigrams(text)) if len(text) > 1 else ()
            return PredicateProfile(characters, sum(characters.values()), pairs)

        self._character_weights = character_weights
        self._profile = lru_cache(maxsize=1 << 16)(profile)

    def rows(self, question: str, candidates: Sequence[FactCandidate]) -> Float64Array:
        """One row a candidate, one column a name of `names`; a question without candidates gives no rows."""
        mentions = list(dict.fromkeys(candidate.mention for candidate in candidates))
        predicates = list(dict.fromkeys(candidate.fact.predicate for candidate in candidates))
        listed = "\n".join(sorted(predicates))
        names = CompetingNames(question, candidates, mentions)
        phrases: dict[Span, RelationPhrase] = {}
        by_mention: dict[SubjectMention, list[float]] = {}
        for mention in mentions:
            by_mention[mention] = _mention_row(question, mention, mentions, listed)
            span = (mention.start, mention.end)
            if span not in phrases:
                phrases[span] = self._phrase(question, mention)
        objects = _object_rows(question, phrases, candidates) if self._objects else [[]] * len(candidates)
        associations = {}
        if self._templates is not None:
            found = self._templates.associations([phrase.text for phrase in phrases.values()], predicates).tolist()
            associations = {
                (span, predicate): [value]
                for span, row in zip(phrases, found, strict=True)
                for predicate, value in zip(predicates, row, strict=True)
            }
        by_predicate: dict[tuple[Span, str], list[float]] = {}
        rows = []
        for candidate, of_object in zip(candidates, objects, strict=True):
            mention, predicate = candidate.mention, candidate.fact.predicate
            key = ((mention.start, mention.end), predicate)
            phrase = phrases[key[0]]
            if key not in by_predicate:
                by_predicate[key] = [*self._predicate_row(phrase, predicate), names.nearer(mention, predicate)]
            detail = 0.0
            if candidate.subject.detail:
                said = self._profile(candidate.subject.detail)
                shared = sum([weight for c, weight in said.characters.items() if c in phrase.characters])
                detail = shared / said.weight if shared else 0.0
            rows.append([*by_mention[mention], detail, *by_predicate[key], *of_object, *associations.get(key, ())])
        return np.array(rows, float).reshape(len(rows), len(self.names))

    def _phrase(self, question: str, mention: SubjectMention) -> RelationPhrase:
        """The relation phrase of a question around a mention, with the weights that predicates are compared by."""
        text = relation_phrase(question, mention.start, mention.end)
        characters = self._character_weights(text)
        return RelationPhrase(
            text, characters, frozenset(bigrams(text)), sum(characters.values()), cued_words(text), answer_type(text)
        )

    def _predicate_row(self, phrase: RelationPhrase, predicate: str) -> list[float]:
        """The predicate features, in the order of their names."""
        profile = self._profile(predicate)
        shared = sum([weight for c, weight in profile.characters.items() if c in phrase.characters])
        either = profile.weight + phrase.weight - shared
        pairs = [pair for pair in profile.pairs if pair in phrase.pairs] if shared else []
        hits = [word for word in phrase.cued if word in predicate]
        return [
            shared / profile.weight if shared else 0.0,
            shared / phrase.weight if shared else 0.0,
            shared / 10,
            shared / either if shared else 0.0,
            len(pairs) / len(profile.pairs) if pairs else 0.0,
            float(predicate in phrase.text),
            float(predicate[-1:] in phrase.characters),
            float(predicate[:1] in phrase.characters),
            longest_run(predicate, phrase.text) / len(predicate) if shared else 0.0,
            math.log(1 + len(predicate)),
            max(map(len, hits)) / len(predicate) if hits else 0.0,
            float(predicate in hits),
            float(bool(phrase.cued) and not hits),
            float(not shared),
        ]


def _mention_row(
    question: str, mention: SubjectMention, others: Sequence[SubjectMention], predicates: str
) -> list[float]:
    """The mention features, in the order of their names; `predicates` are those of all candidates, a line each."""
    longest = max((other.end - other.start for other in others if other.exact), default=1)
    before, after = question[: mention.start][-1:], question[mention.end :][:1]
    return [
        (mention.end - mention.start) / longest,
        float(is_covered(mention, others)),
        float(before in ("《", "“", '"', "'", "「", "‘")),
        float(mention.start == 0),
        float(after == "的"),
        float(len(mention.name) == 1),
        float(mention.name in predicates),
        float(is_contrasted(question, mention)),
        float(not mention.exact),
        0.0 if mention.exact else mention.similarity,
    ]


def _object_rows(
    question: str, phrases: Mapping[Span, RelationPhrase], candidates: Sequence[FactCandidate]
) -> list[list[float]]:
    """The object features of all candidates.

    An object that the question mentions is not its answer: it distinguishes homonyms, or, where it is a name itself,
    leads on to the subject that is meant. An object that only repeats its predicate says nothing. The dots of
    foreign names are ignored, since questions leave them out.
    """
    names = {candidate.mention.name for candidate in candidates}
    offering = offers_answers(question)
    firsts = [fold(candidate.fact.objects[0]) for candidate in candidates]
    spans = [(candidate.mention.start, candidate.mention.end) for candidate in candidates]
    texts = {span: phrases[span].text.replace("·", "") for span in set(spans)}
    said = [
        len(first) > 1 and first.replace("·", "") in texts[span] and first != candidate.fact.predicate
        for candidate, span, first in zip(candidates, spans, firsts, strict=True)
    ]
    subjects: dict[SubjectMention, set[str]] = {}
    for candidate in candidates:
        subjects.setdefault(candidate.mention, set()).add(candidate.subject.name)
    keys = [(candidate.mention, candidate.subject.name) for candidate in candidates]
    facts_said = Counter(key for key, is_said in zip(keys, said, strict=True) if is_said)
    rows = []
    for candidate, span, first, is_said, key in zip(candidates, spans, firsts, said, keys, strict=True):
        expected = phrases[span].answer_type
        fits = expected in object_types(first)
        described = facts_said[key] > is_said and len(subjects[candidate.mention]) > 1  # by another fact
        rows.append(
            [
                float(fits),
                float(bool(expected) and not fits),
                float(is_said and not offering and first not in names),
                float(is_said and not offering and first in names),
                float(is_said and offering),
                float(first == candidate.mention.name),
                float(described),
            ]
        )
    return rows


def default_weights(names: Sequence[str]) -> Float64Array:
    """The default weight of each feature, (features,)."""
    weights = packaged_weights(__package__)
    return np.array([weights[name] for name in names], float)
