"""The features of a choice, by hand, over a book of four sentences."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from answerer.ntcir.multiple_choice.choices import ChoiceTerms, QuestionTerms
from answerer.ntcir.multiple_choice.validation.features import FEATURES, choice_features
from answerer.ntcir.multiple_choice.validation.passages import (
    TermPassages,
    all_terms,
    from_retrieval,
    term_passages,
)
from indexer.engines.contract import Index
from indexer.statistics.part import decode_terms
from retriever.queries import analyser_of

# Four sentences of two terms each, in two paragraphs: no sentence is longer than another.
BOOK = "Nile Egypt. Tiber Rome.\n\nRome Egypt. Rhine Bonn.\n"
ASKED = QuestionTerms(
    ("rome",), (ChoiceTerms(("tiber",)), ChoiceTerms(("rhine",)), ChoiceTerms(("volga",)))
)


@pytest.fixture(scope="module")
def book(indexed: Callable[..., Index]) -> Index:
    return indexed(BOOK)


@pytest.fixture(scope="module")
def passages(book: Index) -> dict[str, TermPassages]:
    return term_passages(decode_terms(book, all_terms([ASKED])))


def found(passages: dict[str, TermPassages], asked: QuestionTerms, feature: str) -> list[float]:
    return [float(value) for value in choice_features(asked, passages)[:, FEATURES.index(feature)]]


def test_idf_is_over_the_passages_of_each_size(passages: dict[str, TermPassages]) -> None:
    for unit, number, of in (("sentence", 2, 4), ("paragraph", 2, 2)):
        own = passages[unit]
        assert own.idf[own.rows["rome"]] == pytest.approx(
            math.log1p((of - number + 0.5) / (number + 0.5))
        )


def test_bm25_of_question_and_choice_together(passages: dict[str, TermPassages]) -> None:
    rome, tiber = (
        math.log1p(2.5 / 2.5),
        math.log1p(3.5 / 1.5),
    )  # in 2 and in 1 of 4 sentences, none above the average
    assert found(passages, ASKED, "bm25_sentence")[0] == pytest.approx(((rome + tiber) + rome) / 5)


def test_rank_and_reverse_need_the_choice_where_the_question_is(
    passages: dict[str, TermPassages],
) -> None:
    assert found(passages, ASKED, "rank_sentence") == pytest.approx([1 / 3, 0, 0])
    assert found(passages, ASKED, "reverse_sentence") == pytest.approx([1, 0, 0])
    assert found(passages, ASKED, "reverse_window") == pytest.approx([1, 1, 0])


def test_a_choice_that_the_book_never_has_gains_nothing(passages: dict[str, TermPassages]) -> None:
    rows = choice_features(ASKED, passages)
    assert (rows[2] <= rows[:2].min(axis=0)).all()


def test_a_choice_that_refers_to_others_has_their_mean(passages: dict[str, TermPassages]) -> None:
    both = ASKED._replace(choices=(*ASKED.choices[:2], ChoiceTerms((), "all", (0, 1))))
    rows = choice_features(both, passages)
    assert rows[2] == pytest.approx(rows[:2].mean(axis=0))


def test_a_choice_that_stands_with_the_others_by_hand(book: Index) -> None:
    """Of four sentences two hold Rome, one Tiber, beside Rome, one Nile, beside Egypt; idf counts
    of pairs cancel."""
    asked = QuestionTerms(
        ("egypt",), (ChoiceTerms(("tiber",)), ChoiceTerms(("rome",)), ChoiceTerms(("bonn",)))
    )
    counted = term_passages(decode_terms(book, all_terms([asked])))
    rows = choice_features(asked, counted, asks_false=True)
    idf = counted["sentence"].idf
    rome, bonn = (float(idf[counted["sentence"].rows[term]]) for term in ("rome", "bonn"))
    with_rome, with_bonn = (
        math.log((1 + 0.5) / (1 * 2 / 4 + 0.5)),
        math.log((0 + 0.5) / (1 * 1 / 4 + 0.5)),
    )
    pmi = (rome * with_rome + bonn * with_bonn) / (rome + bonn)
    assert rows[0, FEATURES.index("pmi_others_sentence")] == pytest.approx(pmi)
    assert rows[:, FEATURES.index("listed_sentence")].tolist() == [1, 1, 0]


def test_a_single_choice_stands_with_no_other(passages: dict[str, TermPassages]) -> None:
    rows = choice_features(ASKED._replace(choices=ASKED.choices[:1]), passages, asks_false=True)
    assert rows[:, FEATURES.index("pmi_others_sentence")].tolist() == [0]


def test_what_retrieval_finds_of_a_small_book_is_what_is_counted(
    book: Index, passages: dict[str, TermPassages]
) -> None:
    every = QuestionTerms(("rome", "egypt", "bonn"), ASKED.choices)
    retrieved = from_retrieval([every], book.part("paragraphs"), analyser_of(book))
    counted = term_passages(decode_terms(book, all_terms([every])))
    for unit in ("sentence", "window", "paragraph"):
        assert retrieved[unit].idf == pytest.approx(counted[unit].idf)
        assert retrieved[unit].weights.toarray() == pytest.approx(counted[unit].weights.toarray())
