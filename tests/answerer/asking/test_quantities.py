"""How much of a noun a sentence speaks of contradicts a claim, leaves it open, or bears it out."""

from __future__ import annotations

import pytest

from answerer.ntcir.claims.english.quantities import contradicting, leaves_open, quantities
from answerer.ntcir.claims.english.tokens import tag_tokens
from answerer.ntcir.claims.wording import base_form
from indexer.languages.english import ENGLISH


def terms(word: str) -> list[str]:
    return ENGLISH.analyser().terms(base_form(word))


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("Three-quarters of the clerks left.", 0.75, 0.75),
        ("A third of the clerks left.", 1 / 3, 1 / 3),
        ("Forty percent of the clerks left.", 0.4, 0.4),
        ("Half the clerks left.", 0.5, 0.5),
        ("More than half of the clerks left.", 0.51, 0.99),
        ("Almost all clerks left.", 0.51, 0.99),
        ("More than 40 percent of the clerks left.", 0.41, 0.99),
        ("Nearly 40 per cent of the clerks left.", 0.01, 0.39),
        ("At least a third of the clerks left.", 1 / 3, 0.99),
        ("At most half of the clerks left.", 0.01, 0.5),
        ("No more than half of the clerks left.", 0.01, 0.5),
        ("Two of the clerks left.", 0.01, 0.99),
        ("Not all clerks left.", 0.0, 0.99),
        ("None of the clerks left.", 0.0, 0.0),
    ],
)
def test_a_quantity(text: str, low: float, high: float) -> None:
    (quantity,) = quantities(tag_tokens(text, terms))
    assert (quantity.low, quantity.high) == pytest.approx((low, high))
    assert "clerk" in quantity.nouns


@pytest.mark.parametrize(
    "text",
    [
        "Salt was the most important freight.",
        "A third clerk left.",
        "The price fell by half.",
        "All of them left the pier.",
        "",
    ],
)
def test_no_quantity_of_a_noun(text: str) -> None:
    assert quantities(tag_tokens(text, terms)) == []


@pytest.mark.parametrize(
    ("claim", "sentence", "reason"),
    [
        ("Did all clerks leave?", "Two-thirds of the clerks left.", "“two-thirds”, not “all”"),
        ("Did every clerk leave?", "A quarter of the clerks left.", "“a quarter”, not “every”"),
        ("Did most clerks leave?", "Half of the clerks left.", "“half”, not “most”"),
        ("Did none of the clerks leave?", "Many clerks left.", "“many”, not “none”"),
        ("Did all clerks leave?", "Not all clerks left.", "“not all”, not “all”"),
        (
            "Did all clerks leave?",
            "Fewer than half of the clerks left.",
            "“less than half”, not “all”",
        ),
    ],
)
def test_a_quantity_contradicts(claim: str, sentence: str, reason: str) -> None:
    found = contradicting(tag_tokens(claim, terms), tag_tokens(sentence, terms))
    assert found == f"the sentence says {reason}"


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("Did most clerks leave?", "Two-thirds of the clerks left."),
        ("Did some clerks leave?", "All clerks left."),
        ("Did not all clerks leave?", "Half of the clerks left."),
        ("Did all clerks leave?", "Every clerk left."),
        ("Did at least half of the clerks leave?", "Half of the clerks left."),
        ("Did more than 50 percent of the clerks leave?", "60 percent of the clerks left."),
        ("Do most clerks sing?", "Most clerks sing, but some clerks whistle."),
        ("Did all clerks leave?", "Clerks left."),
        ("Did a few clerks whistle?", "Most clerks sang, and a few whistled."),
    ],
)
def test_a_quantity_bears_out(claim: str, sentence: str) -> None:
    tokens = tag_tokens(claim, terms), tag_tokens(sentence, terms)
    assert (contradicting(*tokens), leaves_open(*tokens)) == ("", False)


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("Did most clerks leave?", "Some clerks left."),
        ("Did all clerks leave?", "Junior clerks left."),
        ("Did all clerks leave?", "Clerks of the bank left."),
        ("Did no clerks leave before the fair?", "Clerks left for the first time in 1908."),
        # of other clerks than those who whistle
        ("Did all clerks leave for Ayr?", "Some clerks whistle."),
    ],
)
def test_a_quantity_leaves_open(claim: str, sentence: str) -> None:
    tokens = tag_tokens(claim, terms), tag_tokens(sentence, terms)
    assert (contradicting(*tokens), leaves_open(*tokens)) == ("", True)
