"""How likely each term of the candidates is to stand in a good essay: features, and a learned weight."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from answerer.models import UNTRAINED
from answerer.ntcir.essay.language import essay_language
from answerer.ntcir.essay.pool import ALIKE, Pool
from indexer.analysis.text import is_katakana
from indexer.files.arrays import Float64Array
from indexer.files.errors import UserError
from indexer.files.hashes import fingerprint
from indexer.languages.language import Language
from retriever.bm25 import idf
from retriever.learning.model import Model, load_model, unfit

TASK = "ntcir-essay"
FEATURES = (
    "log candidates with it", "log likelihood over collection", "idf", "in the question", "in a keyword",
    "log times in a paragraph", "log paragraphs of the section",
)  # fmt: skip
FURTHER = ("log share of paragraphs alike", "first place in the section", "katakana")
"""What the model of a language may have besides (see `EssayLanguage.FURTHER_SIGNALS`)."""
_SHARPNESS = 2.0


class Concepts(NamedTuple):
    """The terms of a pool's candidates: how often each stands in each candidate, and their features."""

    terms: tuple[str, ...]
    counts: Float64Array
    features: Float64Array


def concepts(pool: Pool) -> Concepts:
    """The concepts of a pool, in order of first appearance; `features` has a row a term, a column a name of
    `features_of` the pool's language."""
    places: dict[str, int] = {}
    for candidate in pool.candidates:
        for term in candidate.terms:
            places.setdefault(term, len(places))
    counts = counted([candidate.terms for candidate in pool.candidates], places)
    terms = tuple(places)
    return Concepts(terms, counts, _features(pool, terms, counts))


def counted(texts: Sequence[Sequence[str]], places: Mapping[str, int]) -> Float64Array:
    """How often each term that has a place stands in each text, (texts, places)."""
    counts = np.zeros((len(texts), len(places)))
    for row, terms in enumerate(texts):
        for term in terms:
            if term in places:
                counts[row, places[term]] += 1
    return counts


def features_of(language: Language) -> tuple[str, ...]:
    """The names of what is known of a concept in a language."""
    return (*FEATURES, *essay_language(language).FURTHER_SIGNALS)


def _features(pool: Pool, terms: tuple[str, ...], counts: Float64Array) -> Float64Array:
    if not terms:
        return np.zeros((0, len(features_of(pool.language))))
    held = (counts > 0).sum(axis=0)
    relevance = np.array([one.sentence_score + one.paragraph_score for one in pool.candidates])
    share = np.exp(_SHARPNESS * (relevance - relevance.max()))
    likelihood = (share / share.sum()) @ (counts / np.maximum(counts.sum(axis=1, keepdims=True), 1))
    frequency = np.array([pool.document_frequency.get(term, 0) for term in terms], float)
    background = frequency / max(pool.size, 1)
    asked = np.array([pool.question.terms.get(term, 0.0) for term in terms])
    of_keywords = pool.question.keyword_terms
    in_keyword = np.array([term in of_keywords for term in terms], float)
    times, holding = _of_section(pool.section, terms)
    columns = [
        np.log1p(held), np.log(likelihood / (background + 1e-3) + 1e-2), idf(pool.size, frequency), asked, in_keyword,
        np.log((times + 1) / (holding + 1)), np.log1p(holding),
    ]  # fmt: skip
    further = dict(
        zip(FURTHER, (_share_alike(pool, terms, background), _first_place(pool, terms), _katakana(terms)), strict=True)
    )
    return np.column_stack([*columns, *(further[name] for name in essay_language(pool.language).FURTHER_SIGNALS)])


def _of_section(section: Sequence[tuple[str, ...]], terms: tuple[str, ...]) -> tuple[Float64Array, Float64Array]:
    """How often each term stands in the section, and in how many of its paragraphs, both (terms,)."""
    times = Counter(term for passage in section for term in passage)
    holding = Counter(term for passage in section for term in set(passage))
    return np.array([times[term] for term in terms], float), np.array([holding[term] for term in terms], float)


def _share_alike(pool: Pool, terms: tuple[str, ...], background: Float64Array) -> Float64Array:
    """The log of the share of the paragraphs alike that hold each term, (terms,), half a paragraph added to each side;
    where there are no such paragraphs (essays from extractions), of `ALIKE` of the whole collection's."""
    holding = Counter(term for passage in pool.alike for term in passage)
    counts = np.array([holding[term] for term in terms], float) if pool.alike else ALIKE * background
    share: Float64Array = np.log((counts + 0.5) / ((len(pool.alike) or ALIKE) + 1))
    return share


def _first_place(pool: Pool, terms: tuple[str, ...]) -> Float64Array:
    """In which paragraph of the section each term stands first, (terms,): 0 the first, 1 in none."""
    places: dict[str, float] = {}
    for place, passage in enumerate(pool.section):
        for term in passage:
            places.setdefault(term, place / len(pool.section))
    return np.array([places.get(term, 1.0) for term in terms])


def _katakana(terms: tuple[str, ...]) -> Float64Array:
    """Whether each term is written in katakana and its middle dots alone, as names from abroad are, (terms,)."""
    return np.array([all(map(is_katakana, term.replace("・", ""))) for term in terms], float)


def weights(model: Model, pool: Pool, known: Concepts, limit: int) -> Float64Array:
    """The probability of each concept to stand in an essay of that limit.

    The model orders the concepts; the probabilities σ(score + shift) add up to as many different terms as
    essays of the limit hold on average (`learned["terms per unit"]`, and no more than nine in ten concepts).
    """
    if not known.terms:
        return np.zeros(0)
    scores = model.score(known.features)
    expected = min(float(model.learned["terms per unit"]) * max(limit, 1), 0.9 * len(scores))
    low, high = -float(scores.max()) - 30.0, -float(scores.min()) + 30.0
    for _ in range(60):
        middle = (low + high) / 2
        if float((1 / (1 + np.exp(-np.clip(scores + middle, -500, 500)))).sum()) < expected:
            low = middle
        else:
            high = middle
    result: Float64Array = 1 / (1 + np.exp(-np.clip(scores + low, -500, 500)))
    return result


def essay_model(given: str | None, language: Language) -> tuple[Model, dict[str, Any]]:
    """The weights of a file of `answerer train ntcir-essay`, by default the program's own for the language, and the
    file's fingerprint; UserError in one line for `none` and for any other file."""
    if given == UNTRAINED:
        raise UserError("--model none: essays are chosen by learned weights; --method keywords-first is the baseline")
    path = Path(given or Path(__file__).with_name(essay_language(language).WEIGHTS))
    model = load_model(path, TASK, features_of(language))
    if not isinstance(model.learned.get("terms per unit"), float):
        raise unfit(path, "no `terms per unit` in it", TASK)
    return model, fingerprint(path)
