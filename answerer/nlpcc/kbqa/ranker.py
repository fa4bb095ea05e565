"""Ranking of candidate facts: features of mention, predicate, object and templates, weights by
default or learned."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from answerer.nlpcc.kbqa.linking import FactCandidate, SubjectMention
from answerer.nlpcc.kbqa.relation_phrase import (
    Templates,
    answer_type,
    cued_words,
    decode_templates,
    object_types,
    relation_phrase,
)
from indexer.engines.contract import Index
from indexer.files.arrays import Float64Array
from indexer.files.errors import UserError
from indexer.sources.triples.schema import (
    PREDICATE_CHARACTERS,
    STATISTICS,
    bigrams,
    decode_counts,
    fold,
)
from retriever.learning.model import (
    damage_error,
    packaged_weights,
    read_model,
    unfit,
    warn_if_trained_on,
)

TASK = "nlpcc-kbqa"
_DIGITS = 9  # decimals to which probabilities are compared: further ones are rounding errors

MENTION_FEATURES = (
    "mention length, mention covered, mention quoted, mention opens, mention before 的, mention "
    "single character, "
    "mention named as predicate, fuzzy, fuzzy similarity, detail overlap"
).split(", ")
PREDICATE_FEATURES = (
    "predicate coverage, request coverage, overlap, jaccard, bigram coverage, literal, last "
    "character, "
    "first character, longest run, predicate length, cue, cue exact, cue missed, no overlap"
).split(", ")
OBJECT_FEATURES = ["object kind fits", "object kind differs"]
TEMPLATE_FEATURE = "template association"
RELATIVE = " (relative)"
# Larger knowledge bases have more predicates that fit somewhat, so each is compared with the
# others. Mentions are not: second facts have one mention, relative to which they would all be 0
# while first facts gain by it.
COMPARED = frozenset({*PREDICATE_FEATURES, TEMPLATE_FEATURE})

Span = tuple[int, int]


class CharacterStatistics(NamedTuple):
    """The number of different predicates of a knowledge base, and character → number of predicates
    that contain it."""

    predicates: int
    frequency: Mapping[str, int]

    def idf(self, character: str) -> float:
        """log((N + 1) / (n + 0.5)), N predicates, n of them with the character; always positive."""
        return math.log(
            (self.predicates + 1) / (min(self.frequency.get(character, 0), self.predicates) + 0.5)
        )


class CharacterProfile(NamedTuple):
    """A text, its letters and digits → idf over predicates, the sum of these (`weight`), and the
    text's bigrams."""

    text: str
    characters: Mapping[str, float]
    weight: float
    pairs: tuple[str, ...]


class FactFeatures:
    """Computes the features of a question's candidates; `names` are the features', `packages` the
    libraries that it computes with.

    Features of the objects are left out without `objects`, that of question templates without
    `templates`. Those of the predicate come again relative to the question's other candidates.
    """

    def __init__(
        self,
        statistics: CharacterStatistics,
        templates: Templates | None = None,
        objects: bool = True,
    ) -> None:
        self._templates, self._objects = templates, objects
        of_object = OBJECT_FEATURES if objects else []
        of_template = [TEMPLATE_FEATURE] if templates else []
        names = (*MENTION_FEATURES, *PREDICATE_FEATURES, *of_object, *of_template)
        self._compared = [column for column, name in enumerate(names) if name in COMPARED]
        self.names = (*names, *(names[column] + RELATIVE for column in self._compared))
        self.packages = ("numpy", "scipy") if templates else ("numpy",)

        def profile(text: str) -> CharacterProfile:
            characters = {
                character: statistics.idf(character)
                for character in dict.fromkeys(text)
                if character.isalnum()
            }
            return CharacterProfile(
                text, characters, sum(characters.values()), tuple(bigrams(text)) if text[1:] else ()
            )

        # The predicates of a knowledge base come again from question to question, its relation
        # phrases seldom.
        self._profile = lru_cache(maxsize=1 << 16)(profile)

    def rows(self, question: str, candidates: Sequence[FactCandidate]) -> Float64Array:
        """Feature values of a folded question's candidates, (candidates, len(names)), in the order
        of `names`; (0, len(names)) without candidates. Of several objects of a fact the kind of the
        first counts."""
        mentions = list(dict.fromkeys(candidate.mention for candidate in candidates))
        predicates = list(dict.fromkeys(candidate.fact.predicate for candidate in candidates))
        listed = "\n".join(sorted(predicates))
        of_mention = {
            mention: mention_row(question, mention, mentions, listed) for mention in mentions
        }
        # All that depends on the place of the mention alone is worked out once for it, whatever
        # names it means.
        spans = dict.fromkeys(mention[:2] for mention in mentions)
        phrases = {span: self._profile(relation_phrase(question, *span)) for span in spans}
        types = {span: answer_type(phrase.text) for span, phrase in phrases.items()}
        associations: dict[tuple[Span, str], list[float]] = {}
        if self._templates is not None:
            table = self._templates.associations(
                [phrase.text for phrase in phrases.values()], predicates
            ).tolist()
            for span, values in zip(phrases, table, strict=True):
                associations |= {
                    (span, name): [value] for name, value in zip(predicates, values, strict=True)
                }
        of_predicate: dict[tuple[Span, str], list[float]] = {}
        rows = []
        for candidate in candidates:
            mention, predicate = candidate.mention, candidate.fact.predicate
            phrase, key = phrases[mention[:2]], (mention[:2], predicate)
            if key not in of_predicate:
                of_predicate[key] = predicate_row(phrase, self._profile(predicate))
            # 李明(歌手): what is in parentheses distinguishes bearers of a name.
            detail = self._profile(candidate.subject.detail)
            shared = sum(
                [weight for c, weight in detail.characters.items() if c in phrase.characters]
            )
            row = [
                *of_mention[mention],
                shared / detail.weight if shared else 0.0,
                *of_predicate[key],
            ]
            if self._objects:
                question_type = types[mention[:2]]
                fits = question_type in object_types(fold(candidate.fact.objects[0]))
                row += [float(fits), float(bool(question_type) and not fits)]
            rows.append([*row, *associations.get(key, ())])
        if not rows:
            return np.zeros((0, len(self.names)))
        matrix = np.array(rows, float)
        return np.hstack((matrix, relative(matrix[:, self._compared])))


def mention_row(
    question: str, mention: SubjectMention, others: Sequence[SubjectMention], predicates: str
) -> list[float]:
    """Values of the mention features, in the order of MENTION_FEATURES but without the last, the
    overlap with the text in the subject's parentheses.

    `others` are all mentions of the question, `predicates` the predicates of all its candidates
    joined by line ends.
    """
    exact = [other for other in others if other.exact]
    length = mention.end - mention.start
    before, after = question[: mention.start][-1:], question[mention.end :][:1]
    around = [other for other in exact if other.start <= mention.start and mention.end <= other.end]
    return [
        length / max((other.end - other.start for other in exact), default=1),
        float(any(other.end - other.start > length for other in around)),
        # Book-title marks and quotes enclose a whole name: what begins behind one is not a chance
        # substring.
        float(before in ("《", "“", '"', "'", "「", "‘")),
        float(mention.start == 0),
        float(after == "的"),
        float(len(mention.name) == 1),
        float(mention.name in predicates),
        float(not mention.exact),
        0.0 if mention.exact else mention.similarity,
    ]


def predicate_row(phrase: CharacterProfile, profile: CharacterProfile) -> list[float]:
    """Values of PREDICATE_FEATURES, in their order, of a predicate (its `profile`) against a
    relation phrase: common characters by idf (as a share of either, a tenth of their sum, Jaccard,
    none), common pairs, containment, last and first character, longest common run, log length, and
    cues (share of their longest word, whole, cues for others)."""
    predicate, characters = profile.text, phrase.characters
    shared = sum([weight for c, weight in profile.characters.items() if c in characters])
    # Most facts share no character with the phrase: everything that follows is 0 for them, and not
    # computed.
    pairs = [pair for pair in profile.pairs if pair in phrase.pairs] if shared else []
    cued = cued_words(phrase.text)
    hits = [word for word in cued if word in predicate]
    run = 0  # the longest substring of the predicate that the phrase holds, in characters
    for start in range(len(predicate) if shared else 0):
        while start + run < len(predicate) and predicate[start : start + run + 1] in phrase.text:
            run += 1
    return [
        shared / profile.weight if shared else 0.0,
        shared / phrase.weight if shared else 0.0,
        # The overlap itself, not a share of either side; a tenth, to be as large as the shares
        # beside it.
        shared / 10,
        shared / (profile.weight + phrase.weight - shared) if shared else 0.0,
        len(pairs) / len(profile.pairs) if pairs else 0.0,
        float(predicate in phrase.text),
        float(predicate[-1:] in characters),
        float(predicate[:1] in characters),
        run / len(predicate) if shared else 0.0,
        math.log(1 + len(predicate)),
        max(map(len, hits)) / len(predicate) if hits else 0.0,
        float(predicate in hits),
        float(bool(cued) and not hits),
        float(not shared),
    ]


def relative(rows: Float64Array) -> Float64Array:
    """Standardised features, (x − mean) / standard deviation of each column over the rows, at least
    one; 0 for a constant column."""
    deviations = rows.std(axis=0)
    varied = deviations > 1e-9
    return np.asarray(
        (rows - rows.mean(axis=0)) / np.where(varied, deviations, 1.0) * varied, float
    )


class FactRanker(NamedTuple):
    """Features and the weight of each; `data` are fingerprints of the training files, empty for
    untrained weights."""

    features: FactFeatures
    weights: Float64Array
    data: Sequence[Mapping[str, Any]] = ()

    def score(
        self, question: str, candidates: Sequence[FactCandidate]
    ) -> tuple[Float64Array, Float64Array]:
        """The scores of a folded question's candidates, (candidates,), and their features,
        (candidates, features)."""
        rows = self.features.rows(question, candidates)
        return rows @ self.weights, rows


def statistics_of(index: Index) -> CharacterStatistics:
    """The predicate statistics stored in a triples index. Raises UserError if the index has
    none."""
    documents = index.part(STATISTICS.name).lookup("doc_id", [PREDICATE_CHARACTERS])[0]
    if not documents:
        raise UserError(
            f"{index.address}: the index has no statistics; build it again: classical-qa index "
            f"triples KB"
        )
    return CharacterStatistics(*decode_counts(documents[0].payload))


def default_weights(names: Sequence[str]) -> Float64Array:
    """The default weight of each feature, (features,); 0 for relative ones, KeyError for unknown
    ones."""
    weights = packaged_weights(__package__)
    return np.array([0.0 if name.endswith(RELATIVE) else weights[name] for name in names], float)


def overlap_ranker(statistics: CharacterStatistics) -> FactRanker:
    """The baseline ranker: the longest exact mention first, then idf-weighted Jaccard overlap of
    relation phrase and predicate; misspelt mentions after all exact ones."""
    features = FactFeatures(statistics)
    # The length decides, then the overlap; a misspelt name comes after every exact one.
    weights = {"mention length": 1000.0, "jaccard": 1.0, "fuzzy": -10_000.0}
    return FactRanker(features, np.array([weights.get(name, 0.0) for name in features.names]))


def fact_ranker(
    path: str | None, statistics: CharacterStatistics, sources: Sequence[str] = ()
) -> FactRanker:
    """The ranker of the model file at `path`; for None features without templates under default
    weights. Warns if the model was trained on one of the files `sources`.

    Raises UserError for another task's model, a damaged model, and a model with unknown features.
    """
    if not path:
        features = FactFeatures(statistics)
        return FactRanker(features, default_weights(features.names))
    model = read_model(path, TASK)
    warn_if_trained_on(path, model, sources)
    try:
        templates = (
            decode_templates(model.learned["templates"]) if "templates" in model.learned else None
        )
        features = FactFeatures(statistics, templates, bool(model.settings["objects"]))
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise damage_error(path, error, TASK) from error
    if model.feature_names != features.names:
        raise unfit(path, "the model has other features", TASK)
    return FactRanker(features, model.factors, model.data)


class RankedAnswer(NamedTuple):
    """An answer with the summed probability of the candidates that give it; `row` is the number of
    their best."""

    answers: tuple[str, ...]
    probability: float
    row: int


def rank(candidates: Sequence[FactCandidate], scores: Float64Array) -> list[RankedAnswer]:
    """The different answers, best first: by the sum of the softmax probabilities of their
    candidates (to 9 decimals), then by folded text; written as in the best of these candidates; []
    without candidates."""
    if not candidates:
        return []
    # Scores less the greatest: exp() cannot overflow. Facts with the same objects are one answer:
    # their shares add up.
    weights = np.exp(scores - scores.max())
    weights /= weights.sum()
    sums: dict[tuple[str, ...], float] = {}
    best: dict[tuple[str, ...], int] = {}
    for row, answer in enumerate(candidate.answer for candidate in candidates):
        sums[answer] = sums.get(answer, 0.0) + float(weights[row])
        if answer not in best or scores[row] > scores[best[answer]]:
            best[answer] = row
    # Sums of floats depend on their order, which engines are free to choose: digits beyond the
    # ninth do not count.
    order = sorted(sums, key=lambda answer: (-round(sums[answer], _DIGITS), answer))
    return [
        RankedAnswer(candidates[best[answer]].fact.objects, sums[answer], best[answer])
        for answer in order
    ]
