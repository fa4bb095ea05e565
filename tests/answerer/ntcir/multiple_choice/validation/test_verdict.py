"""The verdict on a choice: its words together, not with what is asked, not in any passage, or not in the
book."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from answerer.ntcir.multiple_choice.choices import Aggregate, ChoiceTerms, QuestionTerms
from answerer.ntcir.multiple_choice.methods import Support
from answerer.ntcir.multiple_choice.validation.verdict import in_words, supports_of
from indexer.engines.contract import Index
from retriever.explain import Evidence

BOOK = """The League of Nations had its seat at Geneva. Delegates met there each year.

Paris is the capital of France.

Vienna saw a congress of kings after the wars.
"""
CHOICES = (("geneva",), ("pari",), ("vienna", "delegat"), ("washington",))


@pytest.fixture(scope="module")
def book(indexed: Callable[..., Index]) -> Index:
    return indexed(BOOK)


def supports(book: Index) -> list[tuple[Support, list[Evidence]]]:
    asked = QuestionTerms(
        ("seat", "leagu", "nation"), tuple(ChoiceTerms(terms) for terms in CHOICES)
    )
    return supports_of([asked], book, 2)[0]


def test_verdicts(book: Index) -> None:
    words = [in_words(support) for support, _ in supports(book)]
    assert words[0] == (
        "its words stand near the question's in: “The League of Nations had its seat at Geneva.”"
    )
    assert words[1] == "in the book, but not with what is asked: “Paris is the capital of France.”"
    assert words[2].startswith("no passage says so; the nearest: “")
    assert words[3] == "not in the book"


def test_a_name_in_its_sentence_is_said_however_its_script_is_cut(
    indexed: Callable[..., Index],
) -> None:
    book = indexed("シャー＝ジャハーンは妃の墓を建てた。\n\nアクバルは都を移した。\n")
    alone = ChoiceTerms(("シャー", "ジャ", "ハーン"), text="シャー＝ジャハーン")
    (support, _) = supports_of([QuestionTerms(("墓", "建てる"), (alone,))], book, 1)[0][0]
    assert support.outcome == "together"


def test_words_together_do_not_hide_that_another_choice_fits_better(book: Index) -> None:
    (together, _), (elsewhere, _), *_ = supports(book)
    but = "but another choice fits better"
    assert in_words(together, but).endswith("at Geneva.”, but another choice fits better")
    assert in_words(elsewhere, but) == in_words(elsewhere)


def test_a_choice_without_a_word_of_its_own_is_not_called_absent(book: Index) -> None:
    asked = QuestionTerms(("seat",), (ChoiceTerms(("geneva",)), ChoiceTerms(())))
    assert supports_of([asked], book, 1)[0][1][0].outcome != "unknown"


def test_passages_are_cut_to_the_sentence_and_its_neighbours(book: Index) -> None:
    first = supports(book)[0][1][0]
    assert (
        first.text == "The League of Nations had its seat at Geneva. Delegates met there each year."
    )
    assert first.terms["geneva"] > 0


@pytest.mark.parametrize(
    ("kind", "others", "outcome"),
    [
        ("all", (("geneva",), ("deleg",)), "refers"),
        ("all", (("geneva",), ("vienna", "pari")), "open"),  # in no sentence together
        ("all", (("pari",), ("vienna",)), "fails"),  # not with what is asked
        ("all", (("geneva",), ("washington",)), "fails"),  # not in the book
        ("none", (("pari",), ("vienna",)), "open"),
    ],
)
def test_a_choice_about_others_follows_from_those_that_the_book_has(
    book: Index, kind: Aggregate, others: tuple[tuple[str, ...], ...], outcome: str
) -> None:
    choices = (*map(ChoiceTerms, others), ChoiceTerms((), kind, (0, 1)))
    asked = QuestionTerms(("seat", "leagu", "nation"), choices)
    assert supports_of([asked], book, 1)[0][2][0].outcome == outcome
