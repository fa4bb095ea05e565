"""Sixty yes-or-no questions on each sample book, written before any was answered: half are false, by
exchanged roles, dates, names, negations and opposites; some are not in the book."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from answerer import ask
from indexer import build_textbook
from retriever import open_index
from tests.places import SAMPLES

SAID = {"はい": "yes", "いいえ": "no"}


@pytest.fixture(scope="module", params=["en", "ja"])
def outcomes(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Counter[tuple[str, str, bool]]:
    """(right outcome, outcome, whether it is shown without a doubt) → number of questions."""
    address = str(tmp_path_factory.mktemp("yes-no") / "book")
    build_textbook(SAMPLES / f"textbook-{request.param}.jsonl", address)
    file = Path(__file__).with_name(f"sample-yes-no-{request.param}.tsv")
    counts: Counter[tuple[str, str, bool]] = Counter()
    with open_index(address) as book:
        for line in file.read_text("utf-8").splitlines():
            question, right = line.split("\t")
            reply = ask(question, book)
            outcome = reply.answers[0].text if reply.answers else "unknown"
            counts[right, SAID.get(outcome, outcome), not reply.doubt] += 1
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


def test_two_sentences_of_one_verb_lend_each_other_no_words(tmp_path: Path) -> None:
    text = tmp_path / "capitals.txt"
    text.write_text(
        "Capitals\n\nParis is the capital of France. Rome is the capital of Italy. "
        "Insulin is made in the pancreas. Bile is made in the liver.\n"
    )
    with open_index(build_textbook(text, str(tmp_path / "book"))) as book:
        questions = ("Is Paris the capital of Italy?", "Is insulin made in the liver?")
        replies = [ask(question, book) for question in questions]
        assert not [reply for reply in replies if reply.answers and reply.answers[0].text == "yes"]
