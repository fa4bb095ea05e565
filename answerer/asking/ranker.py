"""Ranks the candidate answers of questions by a conditional logit, and says how probable it is that
the first is right. The model of a language comes with the program (`model-ask-LANGUAGE.json`), and
`benchmarks/ask_questions.py` learns it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from answerer.asking.evidence import AGREEMENT, ALIGNMENT, VALIDATION
from answerer.asking.forms import FACTS
from answerer.asking.japanese_forms import SLOT
from answerer.ntcir.term.candidates import TermCandidate
from answerer.ntcir.term.questions import TermQuestion
from indexer.engines.scoring import round_score
from indexer.files.arrays import Float64Array
from indexer.languages.language import Language
from retriever.learning.model import Model, read_model
from retriever.ranking.ranker import COPIES, copies, layout

Columns = Mapping[str, Float64Array]
"""Values of the candidates of some lists by the name of the column."""

WEIGHED_IN_GAPS = ("passage", "three passages", "passages", "proximity", "coverage")
"""Features that weigh more or less where a gap is to be filled."""

COMPARED = (
    *"passage, three passages, passages, proximity, coverage, sentence coverage, in title, "
    "found in sentence, found in window, found in paragraph, pmi sentence, pmi paragraph, lift, "
    "rarity, rarest, question's words, key term, called, defined, glossed, gap's neighbours, role, "
    "other role, apposition, kind, other kind, said to be, ends with focus, head of type, "
    "head of other type, proper, whole, words, quoted, number, time".split(", "),
    *VALIDATION,
    *AGREEMENT,
    *ALIGNMENT,
    *(f"question {name}" for name in ("aligned", "crossed")),
    *FACTS,
    *SLOT,
    *(f"gap {name}" for name in WEIGHED_IN_GAPS),
)
"""Features that are compared with those of the other candidates of a question."""


TASK = "ask"


class AskedList(NamedTuple):
    """A question with its candidate answers; after `set_scores` best first, parts of better
    candidates last. `spaced` is true for a language with blanks between words."""

    question: TermQuestion
    candidates: Sequence[TermCandidate]
    spaced: bool


@cache
def own_model(language: Language) -> Model:
    """The packaged model for a language; Chinese has no questions to learn from and uses the
    Japanese one."""
    name = "en" if language.uses_spaces else "ja"
    return read_model(Path(__file__).with_name(f"model-ask-{name}.json"), TASK)


def features_of(lists: Sequence[AskedList], names: Sequence[str]) -> Columns:
    """The columns with these names, each (rows,), of the candidates of all lists, one list after
    another: "NAME | z" and "NAME | below best" compare a feature with the list's others, "NAME" is
    the feature, 0 for one that a candidate lacks. Every list must have a candidate."""
    rows = [candidate.features for ranking in lists for candidate in ranking.candidates]
    shape = layout([len(ranking.candidates) for ranking in lists])
    compared = {name.partition(" | ")[0] for name in names if " | " in name}
    column_of = {
        name: n for n, name in enumerate(dict.fromkeys(n.partition(" | ")[0] for n in names))
    }
    values = np.zeros((len(column_of), len(rows)))
    for number, row in enumerate(rows):
        for name in row.keys() & column_of.keys():
            values[column_of[name], number] = row[name]
    columns: dict[str, Float64Array] = {}
    for feature, column in zip(column_of, values, strict=True):
        is_compared = feature in compared and column.any()
        variants = copies(column, shape) if is_compared else [column] * len(COPIES)
        columns |= {
            f"{feature}{ending}": variant for ending, variant in zip(COPIES, variants, strict=True)
        }
    return {name: columns[name] for name in names}


def set_scores(lists: Sequence[AskedList], model: Model) -> list[AskedList]:
    """The lists, in their order, with scores and probabilities by a model set in their candidates,
    these best first, but parts of a better one last (`rank`); lists without a candidate as they
    are."""
    filled = [ranking for ranking in lists if ranking.candidates]
    if not filled:
        return list(lists)
    columns = features_of(filled, model.feature_names)
    return rank(lists, model.score(columns.values()))


def rank(lists: Sequence[AskedList], scores: Float64Array) -> list[AskedList]:
    """Sets score and probability (softmax in its list) of every candidate, from the scores of all
    candidates, (rows,), one list after another; returns the lists in their order, the candidates of
    each by falling score, ties by text. But candidates that are part of a better one come last;
    parts of the first add their probability to it."""
    ends = np.cumsum([len(ranking.candidates) for ranking in lists])[:-1]
    for ranking, logits in zip(lists, np.split(scores, ends), strict=True):
        share = np.exp(logits - logits.max(initial=0.0))
        for candidate, value, probability in zip(
            ranking.candidates, logits, share / share.sum(), strict=True
        ):
            candidate.score, candidate.probability = (
                round_score(float(value)),
                round_score(float(probability)),
            )
    ranked = []
    for ranking in lists:
        best = sorted(ranking.candidates, key=lambda candidate: (-candidate.score, candidate.text))
        # A part of a better answer goes last (Jackson after Andrew Jackson), and what is likely of
        # it counts for the first. A longer form keeps its place: the better part may be wrong
        # (Romantic for romantic love).
        distinct: list[TermCandidate] = []
        texts: list[str] = []
        repeats: list[TermCandidate] = []
        bound = " " if ranking.spaced else ""  # of words
        for candidate in best:
            text = f"{bound}{candidate.text.casefold()}{bound}"
            whole = next((position for position, other in enumerate(texts) if text in other), None)
            if whole is None:
                distinct.append(candidate)
                texts.append(text)
                continue
            repeats.append(candidate)
            if whole == 0:
                first = distinct[0]
                first.probability = round_score(first.probability + candidate.probability)
        ranked.append(ranking._replace(candidates=[*distinct, *repeats]))
    return ranked


def contributions(ranking: AskedList, model: Model) -> list[dict[str, float]]:
    """Feature name → contribution to the candidate's score, all columns of the feature added up,
    without zeros; one dict a candidate, in the list's order. The contributions sum to the score."""
    columns = features_of([ranking], model.feature_names)
    added = model.contributions(columns.values())
    return [
        {name: round_score(float(values[row])) for name, values in added.items() if values[row]}
        for row in range(len(ranking.candidates))
    ]


DOUBTED = ("coverage", "sum of votes", "passage")
"""Features of a first answer that its probability depends on."""


def doubt_signs(ranking: AskedList) -> dict[str, float]:
    """What the probability of a list's first candidate depends on beside its share: its features
    `DOUBTED`, and "gap", 1 for a gap to fill, else 0."""
    features = ranking.candidates[0].features
    signs = {name: features.get(name, 0.0) for name in DOUBTED}
    return signs | {"gap": float(ranking.question.has_gap)}


def calibrated_probability(
    share: float, doubt: Mapping[str, float], signs: Mapping[str, float]
) -> float:
    """The probability that an answer is right, from the ranker's share for it, 0 to 1, and signs
    (`doubt_signs`): the logistic function of "slope" times the log odds of the share plus
    "intercept" [Platt], plus each sign times its weight in `doubt`; one without a weight counts
    nothing."""
    inside = min(max(share, 1e-6), 1 - 1e-6)
    odds = doubt["slope"] * math.log(inside / (1 - inside)) + doubt["intercept"]
    odds += sum(doubt.get(name, 0.0) * value for name, value in signs.items())
    return float(round_score(1 / (1 + math.exp(-odds))))


def moved_to_front(
    ranked: Sequence[TermCandidate], candidate: TermCandidate | None
) -> list[TermCandidate]:
    """The candidates with `candidate`, one of them, before all others, which keep their order; its
    probability is set to that of the first until now. Unchanged for None."""
    if candidate is None:
        return list(ranked)
    candidate.probability = ranked[0].probability
    return [candidate, *(other for other in ranked if other is not candidate)]
