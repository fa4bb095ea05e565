"""What is known of a concept, and how its weight is learned."""

from __future__ import annotations

from dataclasses import replace
from math import log

import numpy as np
import pytest

from answerer.ntcir.essay.candidates import CandidatePool, CandidateSentence, EssayQuestion
from answerer.ntcir.essay.concepts import FEATURES, concepts, features_of
from indexer.languages.chinese import CHINESE
from indexer.languages.english import ENGLISH
from indexer.languages.japanese import JAPANESE
from indexer.languages.language import Language


def pool(section: tuple[tuple[str, ...], ...]) -> CandidatePool:
    """A pool of one sentence of three terms, found in a section."""
    one = candidate("Canal tea tax.", "canal", "tea", "tax")
    return CandidatePool(EssayQuestion({}, ()), ENGLISH, (one,), section, {}, 100)


def candidate(text: str, *terms: str) -> CandidateSentence:
    return CandidateSentence(
        doc_id="d",
        source_id="d",
        paragraph="p",
        title="",
        text=text,
        terms=terms,
        position=0,
        sentence_score=1.0,
        paragraph_score=1.0,
    )


@pytest.mark.parametrize(
    ("name", "canal", "tea", "tax"),
    [
        (
            "log times in a paragraph",
            log(4 / 3),
            log(3 / 3),
            log(1 / 1),
        ),  # canal stands in 2 paragraphs, tea in 2
        ("log paragraphs of the section", log(3), log(3), log(1)),
    ],
)
def test_what_the_section_says_of_a_concept(
    name: str, canal: float, tea: float, tax: float
) -> None:
    found = concepts(pool((("canal", "war", "canal"), ("war",), ("tea", "canal"), ("tea",))))
    assert found.terms == ("canal", "tea", "tax")
    assert found.features[:, FEATURES.index(name)] == pytest.approx([canal, tea, tax])


def japanese(section: tuple[tuple[str, ...], ...]) -> CandidatePool:
    """A pool of one Japanese sentence of three terms, in a book of a hundred paragraphs with 茶 in
    one."""
    one = candidate("茶税とボストン・ティーの船。", "茶", "ボストン・ティー", "船")
    return CandidatePool(EssayQuestion({}, ()), JAPANESE, (one,), section, {"茶": 1}, 100)


def told(name: str, of: CandidatePool) -> list[float]:
    """What a signal says of each concept of a pool."""
    column: list[float] = concepts(of).features[:, features_of(of.language).index(name)].tolist()
    return column


def test_where_in_the_section_a_concept_stands_first_and_how_it_is_written() -> None:
    pool_of_four = japanese((("税",), ("船", "茶"), ("茶",), ("港",)))
    assert told("first place in the section", pool_of_four) == [1 / 4, 1.0, 1 / 4]
    assert told("katakana", pool_of_four) == [0.0, 1.0, 0.0]


@pytest.mark.parametrize("language", [ENGLISH, JAPANESE, CHINESE])
def test_each_language_names_signals_that_there_are(language: Language) -> None:
    one = replace(japanese(()), language=language)
    assert concepts(one).features.shape == (3, len(features_of(language)))


def test_a_pool_without_section_or_candidates_has_features_too() -> None:
    found = concepts(pool(()))
    assert found.features.shape == (3, len(FEATURES))
    assert np.isfinite(found.features).all()
    assert concepts(replace(pool(()), candidates=())).features.shape == (0, len(FEATURES))
