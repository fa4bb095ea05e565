"""Ranks the candidate answers of questions by a conditional logit, and says how probable it is that the first is right.

The model comes with the program (`model-ask-LANGUAGE.json`); `benchmarks/ask_questions.py` learns it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from answerer.asking.answer_types import GROUPS, AskedQuestion
from answerer.asking.candidates import (
    FAMILIES,
    FIRST_WEIGHTS,
    JUDGED,
    AskedCandidate,
    add_counts,
    add_kinds,
    add_said,
    collect,
)
from answerer.ntcir.term.candidates import Retrieval
from answerer.ntcir.term.language import TermLanguage
from indexer.engines.contract import Index
from indexer.engines.scoring import round_score
from indexer.files.arrays import Float64Array
from indexer.languages.language import Language
from retriever.learning.conditional_logit import fit
from retriever.learning.model import Model, load_model
from retriever.ranking import ranker
from retriever.ranking.ranker import Families, ListLayout, Types, columns, layout, score

TASK = "ask"
TYPED = frozenset(FAMILIES)
DOUBTS = (
    *("probability", "margin", "coverage", "sentence coverage", "found in sentence", "proximity", "kind", "said to be"),
    *("key term", "called", "role", "number of candidates", "shape", "unknown words", "bias"),
)
"""Features of the logistic regression that estimates the probability of the first answer."""

_CENTURY = re.compile(r"centur|millenn|世紀|千年紀", re.IGNORECASE)


class AskedList(NamedTuple):
    """A question with its candidate answers; after `set_scores` best first, parts of better candidates last."""

    question: AskedQuestion
    candidates: Sequence[AskedCandidate]


class Problems(NamedTuple):
    """Features of all candidates of several questions as arrays for the learner: family → feature → values
    (candidates,), the lists' layout, and the questions' groups as types."""

    families: Families
    lists: ListLayout
    types: Types


_JAPANESE_MODEL = "model-ask-ja.json"  # for Chinese too, which has no questions to learn from


@cache
def own_model(language: Language) -> Model:
    """The packaged model for a language; the Japanese one for a language without a model."""
    path = Path(__file__).with_name(f"model-ask-{language}.json")
    if not path.exists():
        path = path.with_name(_JAPANESE_MODEL)
    # One candidate without features: the columns have the names that every question's have.
    no_features = {family: dict.fromkeys(names, np.zeros(1)) for family, names in FAMILIES.items()}
    made = columns(no_features, layout([1]), Types(GROUPS, np.zeros(1, np.int64), TYPED))
    return load_model(path, TASK, [feature + ending for _, feature, ending, _ in made])


def read_candidates(
    questions: Sequence[AskedQuestion], retrieved: Sequence[Retrieval], index: Index, language: TermLanguage
) -> list[AskedList]:
    """The unranked candidates of each question with all features: of the candidates that can be of the asked type, the
    `JUDGED` best by their passages."""
    found = [collect(question, each, language) for question, each in zip(questions, retrieved, strict=True)]
    for question, every in zip(questions, found, strict=True):
        add_kinds(question, every, index, language)
    add_said(questions, found, index, language)
    lists = []
    for question, every, each in zip(questions, found, retrieved, strict=True):
        fitting = [one for one in every if not is_of_other_type(question, one)]
        first = {id(one): sum(w * one.features.get(name, 0.0) for name, w in FIRST_WEIGHTS.items()) for one in fitting}
        best = sorted(fitting, key=lambda one: (-first[id(one)], one.text))[:JUDGED]
        add_counts(best, each, index, language)
        lists.append(AskedList(question, best))
    return lists


def is_of_other_type(question: AskedQuestion, one: AskedCandidate) -> bool:
    """True if a candidate cannot be of the question's answer type: a place for a person, a name for a date, a date for
    a thing."""
    features, kind = one.features, question.type
    if question.group in ("time", "number"):
        return not features["shape"]
    if question.group == "gap":
        return False
    if kind.name == "individual" and features["quoted"]:
        return True
    named = kind.name == "individual" or (kind.coarse == "location" and kind.name != "building")
    if named and (features.get("other kind") or (one.spaced and not features["proper"])):
        return True
    return bool(features["other shape"])


def problems_of(lists: Sequence[AskedList]) -> Problems:
    """The features of the lists' candidates as arrays, 0 for a feature that a candidate lacks. Every list must have a
    candidate."""
    rows = [one.features for each in lists for one in each.candidates]
    families = {
        family: {name: np.array([row.get(name, 0.0) for row in rows]) for name in names}
        for family, names in FAMILIES.items()
    }
    groups = np.array([GROUPS.index(each.question.group) for each in lists], np.int64)
    return Problems(families, layout([len(each.candidates) for each in lists]), Types(GROUPS, groups, TYPED))


def set_scores(lists: Sequence[AskedList], model: Model) -> list[AskedList]:
    """Sets the score and the probability (softmax in its list) of every candidate; returns the lists sorted by falling
    score, ties by text.

    Two exceptions: a year precedes a century of the same passage, and candidates that are part of a better one come
    last; those that are part of the first add their probability to the first.
    """
    filled = [each for each in lists if each.candidates]
    if filled:
        made = problems_of(filled)
        values = score(model, columns(made.families, made.lists, made.types), made.lists.rows)
        for each, own in zip(filled, np.split(values, made.lists.starts[1:]), strict=True):
            share = np.exp(own - own.max())
            for one, value, probability in zip(each.candidates, own, share / share.sum(), strict=True):
                one.score, one.probability = round_score(float(value)), round_score(float(probability))
    ranked = []
    for each in lists:
        best = sorted(each.candidates, key=lambda one: (-one.score, one.text))
        # where its passage has the year too, a century is too coarse an answer
        if each.question.group == "time" and best and _CENTURY.search(best[0].text):
            years = [one for one in best if not _CENTURY.search(one.text) and one.best.doc_id == best[0].best.doc_id]
            best = [*years, *(one for one in best if one not in years)]
        # A part of a better answer goes last (Jackson after Andrew Jackson), and what is likely of it counts for the
        # first. A longer form keeps its place: the better part may be wrong (Romantic for romantic love).
        kept: list[AskedCandidate] = []
        repeats: list[AskedCandidate] = []
        for one in best:
            text = _with_word_bounds(one)
            whole = next((other for other in kept if text in _with_word_bounds(other)), None)
            (kept if whole is None else repeats).append(one)
            if whole is not None and whole is kept[0]:
                whole.probability = round_score(whole.probability + one.probability)
        ranked.append(AskedList(each.question, [*kept, *repeats]))
    return ranked


def _with_word_bounds(one: AskedCandidate) -> str:
    """A candidate in small letters, with blanks around it where these part words."""
    return f" {one.text.casefold()} " if one.spaced else one.text.casefold()


def contributions(each: AskedList, model: Model) -> list[dict[str, float]]:
    """Feature name → contribution to the candidate's score, all columns of the feature added up, without zeros; one
    dict a candidate, in the list's order."""
    made = problems_of([each])
    columns = ranker.contributions(model, made.families, made.lists, made.types)
    return [
        {name: round_score(float(values[row])) for name, values in columns.items() if values[row]}
        for row in range(len(each.candidates))
    ]


def doubt_features(each: AskedList, unknown: float) -> Float64Array:
    """Feature vector (len(DOUBTS),) of the probability that a list's first answer is right; the list must have a
    candidate.

    `unknown` is the fraction, 0 to 1, of the question's idf that the best passage lacks.
    """
    first = each.candidates[0]
    second = each.candidates[1].probability if len(each.candidates) > 1 else 0.0
    given = {
        "probability": first.probability,
        "margin": first.probability - second,
        "number of candidates": float(np.log1p(len(each.candidates))),
        "unknown words": unknown,
        "bias": 1.0,
    }
    return np.array([given.get(name, first.features.get(name, 0.0)) for name in DOUBTS])


def fit_doubt(features: Float64Array, right: Sequence[bool], penalty: float = 1.0) -> Float64Array:
    """Weights (features,) of a logistic regression of `right` on `features` (rows, features), with L2 `penalty`.

    Fitted as a conditional logit that chooses between each row and a row of zeros.
    """
    count, width = features.shape
    rows = np.zeros((2 * count, width))
    rows[::2] = features
    # the learner knows lists alone: each answer is chosen against a row of zeros, which a logistic regression does
    gold = np.zeros(2 * count, bool)
    gold[::2], gold[1::2] = right, np.logical_not(right)
    return fit(rows, np.repeat(np.arange(count), 2), gold, penalty=penalty)


def probability_of(features: Float64Array, weights: Mapping[str, float]) -> float:
    """The estimated probability that the first answer is right."""
    total = sum(weights[name] * value for name, value in zip(DOUBTS, features.tolist(), strict=True))
    return float(round_score(float(1 / (1 + np.exp(-total)))))
