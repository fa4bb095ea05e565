"""A number that answers is shown whole, with its unit, and the one that counts what is asked comes
first."""

from __future__ import annotations

from dataclasses import replace

import pytest

from answerer.asking.amounts import apart, first_of_unit, whole_text
from answerer.ntcir.term.candidates import TermCandidate
from answerer.ntcir.term.entity_types import Span
from answerer.ntcir.term.language import TermLanguage
from answerer.ntcir.term.questions import read_question
from indexer.analysis.glossary import Glossary
from indexer.languages.english import ENGLISH
from retriever.passages import Passage

LANGUAGE = TermLanguage(ENGLISH, Glossary())


def candidate(sentence: str, text: str, probability: float = 0.0) -> TermCandidate:
    start = sentence.index(text)
    shape = "number" if text[0].isdigit() or text[0].islower() else "name"
    span = Span(text, start, start + len(text), shape, "")
    passage = Passage("b-1-1", "b-1", "", sentence, 1.0, 1.0)
    return TermCandidate(text, span, passage, probability=probability)


@pytest.mark.parametrize(
    ("question", "sentence", "cut", "whole"),
    [
        ("How much grain is stored?", "The silo stores eight million cubic metres of grain.",
         "eight million cubic", "eight million cubic metres"),
        ("How many rowers drowned?", "Nine hundred rowers drowned at once.",
         "hundred rowers", "Nine hundred"),
        ("How many rowers drowned?", "In 1849 412 rowers drowned at once.", "412", "412"),
        ("How high is the mill?", "The mill is thirty-one metres high.", "thirty-one",
         "thirty-one metres"),
        ("By how much did the price rise?", "The price rose by 18% in May.", "18", "18%"),
        ("By how much did the price rise?", "The price rose by eighteen per cent in May.",
         "eighteen", "eighteen per cent"),
        ("How fast is the cart?", "It sailed at six knots an hour.", "six", "six knots an hour"),
        ("What did it cost?", "It cost $850 in May.", "850", "$850"),
        ("How high is the mill?", "The mill is thirty-one metres high.", "one metres",
         "thirty-one metres"),
        ("How many mills were there?", "There were eleven old mills.", "eleven", "eleven"),
    ],
)  # fmt: skip
def test_a_number_is_shown_whole_with_a_unit_that_is_not_asked_for(
    question: str, sentence: str, cut: str, whole: str
) -> None:
    asked = read_question(question, ENGLISH)
    assert whole_text(candidate(sentence, cut), asked, LANGUAGE) == whole


DROWNED = "Within seven weeks 412 rowers drowned, and three of them were girls."


def test_both_ends_of_the_years_that_are_asked_for() -> None:
    sentence = "War with Mora (1756-63); the Oar War."
    asked = read_question("From when to when was the Oar War?", ENGLISH)
    year = candidate(sentence, "1756")
    year = replace(year, span=year.span._replace(shape="time"))
    assert whole_text(year, asked, LANGUAGE) == "1756-63"
    assert whole_text(year, read_question("When was the Oar War?", ENGLISH), LANGUAGE) == "1756"


def ranked(*texts: str) -> list[TermCandidate]:
    return [candidate(DROWNED, text, 0.9 - 0.1 * rank) for rank, text in enumerate(texts)]


@pytest.mark.parametrize(
    ("texts", "first"),
    [
        (("seven", "three", "412"), "412"),
        (("three", "412"), "412"),  # three of them
        (("seven", "three"), "seven"),  # nothing counts rowers
    ],
)
def test_the_number_of_what_is_asked_comes_first(texts: tuple[str, ...], first: str) -> None:
    asked = read_question("How many rowers drowned?", ENGLISH)
    candidates = ranked(*texts)
    assert (first_of_unit(candidates, asked, LANGUAGE) or candidates[0]).text == first


def test_the_whole_comes_before_a_part_of_it_in_the_next_sentence() -> None:
    texts = ("Three of them were girls.", "The river took 412 rowers.")
    answers = [candidate(texts[0], "Three", 0.9), candidate(texts[1], "412", 0.2)]
    answers[0].span = answers[0].span._replace(shape="number")
    asked = read_question("How many rowers drowned?", ENGLISH)
    assert first_of_unit(answers, asked, LANGUAGE) is answers[1]


@pytest.mark.parametrize(
    ("question", "counted"),
    [
        ("How many rowers drowned?", "rower"),
        ("How many have drowned?", ""),
        ("How deep are the wells?", ""),
        ("How high are mills?", ""),
    ],
)
def test_what_is_counted(question: str, counted: str) -> None:
    assert read_question(question, ENGLISH).counted == counted


def test_answers_do_not_overlap() -> None:
    sentence = "It was paid for by the brewer Ada Holm, and Ada Holm was rich."
    answers = [candidate(sentence, text) for text in ("Ada Holm", "brewer Ada Holm", "rich")]
    assert [answer.text for answer in apart(answers, 2)] == ["Ada Holm", "rich"]
    assert apart(answers, 1) == answers[:1]
