"""Concepts of an essay: the terms of its candidates, and the learned probability of each to be in a
good essay."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from answerer.models import UNTRAINED, model_path
from answerer.ntcir.essay.candidates import CandidatePool
from answerer.ntcir.essay.language import essay_language
from indexer.analysis.text import is_katakana
from indexer.files.arrays import Float64Array
from indexer.files.errors import UserError
from indexer.files.hashes import fingerprint
from indexer.files.validation import FileName
from indexer.languages.language import Language
from retriever.bm25 import idf
from retriever.learning.model import Model, load_model, unfit, warn_if_trained_on

TASK = "ntcir-essay"
FEATURES = (
    "log candidates with it", "log likelihood over collection", "idf", "in the question",
    "in a keyword", "log times in a paragraph", "log paragraphs of the section",
)  # fmt: skip
_SHARPNESS = 2.0  # of the relevance model: how much more a sentence counts that scores higher


class Concepts(NamedTuple):
    """The distinct terms of a pool's candidates, in order of first appearance.

    `counts` (candidates, terms) are their numbers in each candidate, `features` (terms, features)
    their feature values, with the columns that `features_of` lists for the pool's language.
    """

    terms: tuple[str, ...]
    counts: Float64Array
    features: Float64Array


def term_counts(texts: Sequence[Sequence[str]], terms: Sequence[str]) -> Float64Array:
    """Counts of `terms`, which must be distinct, in texts (lists of terms), an array (texts,
    terms); other terms of the texts do not count."""
    places = {term: column for column, term in enumerate(terms)}
    counts = np.zeros((len(texts), len(places)))
    for row, text in enumerate(texts):
        for term in text:
            if term in places:
                counts[row, places[term]] += 1
    return counts


def features_of(language: Language) -> tuple[str, ...]:
    """The names of a concept's features in a language."""
    return (*FEATURES, *essay_language(language).further_features)


def concepts(pool: CandidatePool) -> Concepts:
    """The concepts of a pool: all terms of its candidates, with counts and features.

    "log likelihood over collection" is that of a relevance model ([RelevanceModel]) over the
    candidates. "first place" is the index of the first paragraph of the section with the term,
    divided by their number, 1 if no paragraph has the term.
    """
    terms = tuple(dict.fromkeys(term for candidate in pool.candidates for term in candidate.terms))
    counts = term_counts([candidate.terms for candidate in pool.candidates], terms)
    further = essay_language(pool.language).further_features
    if not terms:
        return Concepts(terms, counts, np.zeros((0, len(FEATURES) + len(further))))
    having = (counts > 0).sum(axis=0)
    relevance = np.array(
        [candidate.sentence_score + candidate.paragraph_score for candidate in pool.candidates]
    )
    # The best sentence is e² times as likely as one without score.
    share = np.exp(_SHARPNESS * (relevance - relevance.max()))
    likelihood = (share / share.sum()) @ (counts / np.maximum(counts.sum(axis=1, keepdims=True), 1))
    frequency = np.array([pool.document_frequency.get(term, 0) for term in terms], float)
    background = frequency / max(pool.size, 1)
    in_question = np.array([pool.question.terms.get(term, 0.0) for term in terms])
    of_keywords = {term for _, words in pool.question.keywords for term in words}
    in_keyword = np.array([term in of_keywords for term in terms], float)
    in_section = term_counts(pool.section, terms)
    times, holding = in_section.sum(axis=0), (in_section > 0).sum(axis=0)
    columns = [
        np.log1p(having), np.log(likelihood / (background + 1e-3) + 1e-2),
        idf(pool.size, frequency), in_question, in_keyword, np.log((times + 1) / (holding + 1)),
        np.log1p(holding),
    ]  # fmt: skip
    if further:
        first: dict[str, float] = {}
        for position, passage in enumerate(pool.section):
            for term in passage:
                first.setdefault(term, position / len(pool.section))
        columns += [
            np.array([first.get(term, 1.0) for term in terms]),
            np.array([all(map(is_katakana, term.replace("・", ""))) for term in terms], float),
        ]
    return Concepts(terms, counts, np.column_stack(columns))


def weights(model: Model, pool: CandidatePool, pool_concepts: Concepts, limit: int) -> Float64Array:
    """The probability that each of the pool's concepts occurs in an essay of `limit` words or
    characters, an array (concepts,).

    The model orders the concepts; the probabilities σ(score + shift) add up to the mean number of
    distinct terms in essays of that length (`learned["terms per unit"]` · limit, at most nine
    tenths of the concepts).
    """
    if not pool_concepts.terms:
        return np.zeros(0)
    scores = model.score(pool_concepts.features.T)
    # The model was learned on essays of other lengths: only the order of its scores carries over.
    expected = min(float(model.learned["terms per unit"]) * max(limit, 1), 0.9 * len(scores))
    low, high = -float(scores.max()) - 30.0, -float(scores.min()) + 30.0

    def shares(shift: float) -> Float64Array:
        result: Float64Array = 1 / (1 + np.exp(-np.clip(scores + shift, -500, 500)))
        return result

    # Bisection: the sum of the probabilities rises with the shift.
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if float(shares(middle).sum()) < expected else (low, middle)
    return shares(low)


def essay_model(
    model_file: FileName | None, language: Language, sources: Sequence[str] = ()
) -> tuple[Model, dict[str, Any]]:
    """Loads the concept weights in a file: (model, fingerprint of the file). Warns if they were
    learned from one of the files `sources`.

    None loads the program's own weights for the language. Raises UserError for `none` and for a
    file that is not a model of `answerer train ntcir-essay`.
    """
    if model_file == UNTRAINED:
        raise UserError(
            "--model none: essays are chosen by learned weights; --method keywords-first is the "
            "baseline"
        )
    if model_file is None:
        path = Path(__file__).with_name(essay_language(language).weights)
    else:
        path = Path(model_path(model_file))
    model = load_model(path, TASK, features_of(language))
    warn_if_trained_on(path, model, sources)
    if not isinstance(model.learned.get("terms per unit"), float):
        raise unfit(path, "no `terms per unit` in it", TASK)
    return model, fingerprint(path)
