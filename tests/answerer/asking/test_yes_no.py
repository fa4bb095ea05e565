"""Sixty yes-or-no questions on the sample book, written before any was answered: half are false, by
exchanged roles, dates, names, negations and opposites; some are not in the book."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from answerer import ask
from retriever import open_index

QUESTIONS = Path(__file__).with_name("sample-yes-no-en.tsv").read_text("utf-8").splitlines()


@pytest.fixture(scope="module")
def outcomes(sample_book: str) -> Counter[tuple[str, str, bool]]:
    """(right outcome, outcome, whether it is shown without a doubt) → number of questions."""
    counts: Counter[tuple[str, str, bool]] = Counter()
    with open_index(sample_book) as book:
        for line in QUESTIONS:
            question, right = line.split("\t")
            reply = ask(question, book)
            outcome = reply.answers[0].text if reply.answers else "unknown"
            counts[right, outcome, not reply.doubt] += 1
    return counts


def test_at_most_one_false_claim_is_said_to_hold_without_a_doubt(
    outcomes: Counter[tuple[str, str, bool]],
) -> None:
    assert outcomes["no", "yes", True] <= 1


def test_four_of_five_true_claims_are_said_to_hold(
    outcomes: Counter[tuple[str, str, bool]],
) -> None:
    held = outcomes["yes", "yes", True] + outcomes["yes", "yes", False]
    assert held >= 0.8 * sum(n for (right, *_), n in outcomes.items() if right == "yes")


def test_what_the_book_does_not_have_is_never_sure(
    outcomes: Counter[tuple[str, str, bool]],
) -> None:
    assert all(not sure for (right, _, sure), n in outcomes.items() if right == "unknown" and n)
