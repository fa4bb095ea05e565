"""Answers in a series: which of the candidates stand in it, and how they are written."""

from __future__ import annotations

from dataclasses import replace

import pytest

from answerer.asking.rules import (
    joined_first,
    lacks_member,
    series_first,
    series_length,
    without_clauses,
)
from answerer.ntcir.term.candidates import TermCandidate
from answerer.ntcir.term.entity_types import Span
from answerer.ntcir.term.language import TermLanguage
from answerer.ntcir.term.questions import read_question
from indexer.analysis.glossary import Glossary
from indexer.languages.english import ENGLISH
from indexer.languages.japanese import JAPANESE
from retriever.passages import Passage


def passage(sentence: str) -> Passage:
    return Passage("b-0000001-1", "b-0000001", "", sentence, 1.0, 1.0)


def candidates(sentence: str, *texts: str) -> list[TermCandidate]:
    return [
        TermCandidate(text, Span(text, 0, len(text), "noun"), passage(sentence)) for text in texts
    ]


def test_a_part_of_a_word_is_not_in_a_series() -> None:
    sentence = "The traders of iron, salt and goldware stayed."
    ranked = candidates(sentence, "iron", "traders", "gold", "salt")
    ordered = [candidate.text for candidate in series_first(ranked)]
    assert ordered == ["iron", "salt", "traders", "gold"]


def test_a_letter_that_folds_to_two_does_not_shift_the_members_of_a_series() -> None:
    sentence = "Two cities, Weißburg and Korvel, grew."
    ranked = candidates(sentence, "trade", "Weißburg", "Korvel")
    question = read_question("Which two cities grew?", ENGLISH)
    language = TermLanguage(ENGLISH, Glossary())
    ordered = joined_first(ranked, question, [passage(sentence)], language)
    assert [candidate.text for candidate in ordered] == ["Weißburg", "Korvel", "trade"]


@pytest.mark.parametrize(
    ("question", "sentence", "is_doubted"),
    [
        ("橋が結ぶのはどこの町とどこの町ですか", "橋は北原と南野を結ぶ。", False),
        ("橋が結ぶのはどこの町とどこの町ですか", "橋は北原にあり、南野には塔がある。", True),
        ("橋はどこにありますか", "橋は北原にあり、南野には塔がある。", False),
        ("橋のある町を挙げよ", "橋は北原にあり、南野には塔がある。", False),  # any number
    ],
)
def test_two_that_no_sentence_names_together_are_doubted(
    question: str, sentence: str, is_doubted: bool
) -> None:
    ranked = candidates(sentence, "北原", "南野")
    language = TermLanguage(JAPANESE, Glossary())
    asked = read_question(question, JAPANESE)
    assert bool(lacks_member(ranked, asked, language)) == is_doubted


@pytest.mark.parametrize(
    ("asked", "first"),
    [
        ("List the cities.", ["Korvel", "Lund", "Moss"]),
        ("What are the three cities?", ["Korvel", "Lund", "Moss"]),
        ("Name two cities.", ["trade", "cities", "Korvel"]),
    ],
)
def test_the_members_of_a_series_are_as_many_as_are_asked_for(asked: str, first: list[str]) -> None:
    sentence = "Trade made old cities, Korvel, Lund and Moss, rich."
    ranked = candidates(sentence, "trade", "cities", "Korvel", "Lund", "Moss")
    language = TermLanguage(ENGLISH, Glossary())
    ordered = joined_first(ranked, read_question(asked, ENGLISH), [passage(sentence)], language)
    assert [candidate.text for candidate in ordered[:3]] == first
    assert series_length(ordered) == 5  # all have the same probability and passage


def test_a_clause_is_no_answer() -> None:
    sentence = "The fleet reached Oslo."
    ranked = [
        replace(one, span=Span(one.text, sentence.index(one.text), len(sentence) - 1, "noun"))
        for one in candidates(sentence, "fleet reached Oslo", "Oslo")
    ]
    left = without_clauses(ranked, TermLanguage(ENGLISH, Glossary()))
    assert [candidate.text for candidate in left] == ["Oslo"]
