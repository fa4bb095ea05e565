"""Features of a candidate fact: of its mention, its predicate, its object and its templates, with default weights."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from answerer.nlpcc.kbqa.linking import FactCandidate, SubjectMention
from answerer.nlpcc.kbqa.relation_phrase import (
    Templates,
    answer_type,
    cued_words,
    object_types,
    offers_answers,
    relation_phrase,
)
from indexer.files.arrays import Float64Array
from indexer.sources.triples.schema import bigrams, fold
from retriever.learning.model import packaged_weights

Span = tuple[int, int]


def longest_run(predicate: str, text: str) -> int:
    """Length, in characters, of the longest substring of the predicate that occurs in the text; 0 if they share no
    character."""
    longest = 0
    for start in range(len(predicate)):
        while start + longest < len(predicate) and predicate[start : start + longest + 1] in text:
            longest += 1
    return longest


MENTION_FEATURES = (
    "mention length",
    "mention covered",
    "mention quoted",
    "mention opens",
    "mention before 的",
    "mention single character",
    "mention named as predicate",
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
        "object in question",
        "object named",
        "object offered",
        "homonym described",
    }
)


class CharacterStatistics(NamedTuple):
    """Statistics of the knowledge base: the number of different predicates, and character → number of predicates that
    contain the character."""

    predicates: int
    frequency: Mapping[str, int]

    def idf(self, character: str) -> float:
        """log((N + 1) / (n + 0.5)), N predicates, n of them with the character; always positive."""
        return math.log((self.predicates + 1) / (min(self.frequency.get(character, 0), self.predicates) + 0.5))


class CharacterProfile(NamedTuple):
    """Letters and digits of a text: character → idf over predicates, the sum of these idf (`weight`), and the text's
    character bigrams."""

    characters: Mapping[str, float]
    weight: float
    pairs: tuple[str, ...]


class RelationPhrase(NamedTuple):
    """A question without the name of a mention: what is left (`text`), its profile, its bigrams, the words of
    predicates that its cues ask for (`cued`), and its expected answer type."""

    text: str
    profile: CharacterProfile
    pairs: frozenset[str]
    cued: tuple[str, ...]
    answer_type: str


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

        def profile(text: str) -> CharacterProfile:
            characters = {character: idf(character) for character in dict.fromkeys(text) if character.isalnum()}
            return CharacterProfile(characters, sum(characters.values()), tuple(bigrams(text)) if text[1:] else ())

        # The predicates of a knowledge base come again from question to question, its relation phrases seldom.
        self._profile = lru_cache(maxsize=1 << 16)(profile)

    def rows(self, question: str, candidates: Sequence[FactCandidate]) -> Float64Array:
        """Feature values of a question's candidates, (candidates, len(names)); (0, len(names)) without candidates."""
        mentions = list(dict.fromkeys(candidate.mention for candidate in candidates))
        predicates = list(dict.fromkeys(candidate.fact.predicate for candidate in candidates))
        listed = "\n".join(sorted(predicates))
        of_mention = {mention: mention_row(question, mention, mentions, listed) for mention in mentions}
        # All that depends on the place of the mention alone is worked out once for it, whatever names it means.
        phrases: dict[Span, RelationPhrase] = {}
        for mention in mentions:
            if mention[:2] not in phrases:
                text = relation_phrase(question, mention.start, mention.end)
                profile = self._profile(text)
                phrases[mention[:2]] = RelationPhrase(
                    text, profile, frozenset(profile.pairs), cued_words(text), answer_type(text)
                )
        objects = object_rows(question, phrases, candidates) if self._objects else [[]] * len(candidates)
        associations: dict[tuple[Span, str], list[float]] = {}
        if self._templates is not None:
            table = self._templates.associations([phrase.text for phrase in phrases.values()], predicates).tolist()
            for span, values in zip(phrases, table, strict=True):
                associations |= {(span, name): [value] for name, value in zip(predicates, values, strict=True)}
        of_predicate: dict[tuple[Span, str], list[float]] = {}
        rows = []
        for candidate, of_object in zip(candidates, objects, strict=True):
            mention, predicate = candidate.mention, candidate.fact.predicate
            phrase, key = phrases[mention[:2]], (mention[:2], predicate)
            if key not in of_predicate:
                of_predicate[key] = predicate_row(phrase, predicate, self._profile(predicate))
            # 李明(歌手): what is in parentheses distinguishes bearers of a name.
            detail = self._profile(candidate.subject.detail)
            shared = sum([weight for c, weight in detail.characters.items() if c in phrase.profile.characters])
            overlap = shared / detail.weight if shared else 0.0
            rows.append([*of_mention[mention], overlap, *of_predicate[key], *of_object, *associations.get(key, ())])
        return np.array(rows, float).reshape(len(rows), len(self.names))


def mention_row(
    question: str, mention: SubjectMention, others: Sequence[SubjectMention], predicates: str
) -> list[float]:
    """Values of the mention features, in the order of MENTION_FEATURES but without the last, the overlap with the text
    in the subject's parentheses.

    `others` are all mentions of the question, `predicates` the predicates of all its candidates joined by line ends.
    """
    exact = [other for other in others if other.exact]
    length = mention.end - mention.start
    covered = any(
        other.start <= mention.start and mention.end <= other.end and other.end - other.start > length
        for other in exact
    )
    before, after = question[: mention.start][-1:], question[mention.end :][:1]
    return [
        length / max((other.end - other.start for other in exact), default=1),
        float(covered),
        float(before in ("《", "“", '"', "'", "「", "‘")),
        float(mention.start == 0),
        float(after == "的"),
        float(len(mention.name) == 1),
        float(mention.name in predicates),
        float(not mention.exact),
        0.0 if mention.exact else mention.similarity,
    ]


def predicate_row(phrase: RelationPhrase, predicate: str, profile: CharacterProfile) -> list[float]:
    """Values of the features of one predicate against a question's relation phrase, in the order of PREDICATE_FEATURES;
    `profile` is the predicate's."""
    characters, phrase_weight = phrase.profile.characters, phrase.profile.weight
    shared = sum([weight for c, weight in profile.characters.items() if c in characters])
    pairs = [pair for pair in profile.pairs if pair in phrase.pairs] if shared else []
    hits = [word for word in phrase.cued if word in predicate]
    return [
        shared / profile.weight if shared else 0.0,
        shared / phrase_weight if shared else 0.0,
        shared / 10,
        shared / (profile.weight + phrase_weight - shared) if shared else 0.0,
        len(pairs) / len(profile.pairs) if pairs else 0.0,
        float(predicate in phrase.text),
        float(predicate[-1:] in characters),
        float(predicate[:1] in characters),
        longest_run(predicate, phrase.text) / len(predicate) if shared else 0.0,
        math.log(1 + len(predicate)),
        max(map(len, hits)) / len(predicate) if hits else 0.0,
        float(predicate in hits),
        float(bool(phrase.cued) and not hits),
        float(not shared),
    ]


def object_rows(
    question: str, phrases: Mapping[Span, RelationPhrase], candidates: Sequence[FactCandidate]
) -> list[list[float]]:
    """Values of the object features of each candidate, in the order of OBJECT_FEATURES; `phrases` maps (start, end) of
    a mention to its relation phrase.

    An object that the question mentions is not its answer: it distinguishes homonyms, or, where it is a name itself,
    leads on to the subject that is meant. An object that only repeats its predicate says nothing. The dots of foreign
    names are ignored, since questions leave them out.
    """
    names = {candidate.mention.name for candidate in candidates}
    offering = offers_answers(question)
    texts = {span: phrase.text.replace("·", "") for span, phrase in phrases.items()}
    firsts = [fold(candidate.fact.objects[0]) for candidate in candidates]
    said = [
        len(first) > 1 and first.replace("·", "") in texts[candidate.mention[:2]] and first != candidate.fact.predicate
        for candidate, first in zip(candidates, firsts, strict=True)
    ]
    subjects: dict[SubjectMention, set[str]] = {}
    # A fact must not describe its own subject: only another one can say which bearer of the name is meant.
    facts_said: Counter[tuple[SubjectMention, str]] = Counter()
    for candidate, is_said in zip(candidates, said, strict=True):
        subjects.setdefault(candidate.mention, set()).add(candidate.subject.name)
        facts_said[candidate.mention, candidate.subject.name] += is_said
    rows = []
    for candidate, first, is_said in zip(candidates, firsts, said, strict=True):
        mention = candidate.mention
        expected = phrases[mention[:2]].answer_type
        fits = expected in object_types(first)
        by_another = facts_said[mention, candidate.subject.name] > is_said
        rows.append(
            [
                float(fits),
                float(bool(expected) and not fits),
                float(is_said and not offering and first not in names),
                float(is_said and not offering and first in names),
                float(is_said and offering),
                float(first == mention.name),
                float(by_another and len(subjects[mention]) > 1),
            ]
        )
    return rows


def default_weights(names: Sequence[str]) -> Float64Array:
    """The default weight of each feature, (features,)."""
    weights = packaged_weights(__package__)
    return np.array([weights[name] for name in names], float)
