"""Sixty yes-or-no questions on each sample book, written before any was answered: half are false, by
exchanged roles, dates, names, negations and opposites; some are not in the book."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from answerer import ask
from answerer.ntcir.claims.reading import is_statement, read_claim
from answerer.ntcir.term.language import index_language
from indexer import build_textbook
from indexer.engines import opening
from indexer.engines.contract import Index
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


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Index:
    address = str(tmp_path_factory.mktemp("statements") / "book")
    build_textbook(SAMPLES / "textbook-en.jsonl", address)
    return opening.open_index(address)


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("Was it Ada Holm who built the mill?", "Did Ada Holm built the mill?"),
        ("It was in 1911 that Ida sold the mill.", "Did in 1911 Ida sold the mill?"),
        ("Is it the case that bees dance?", "Did bees dance?"),
        ("The mill was sold.", "Was The mill sold?"),
        ("Ida sold the mill and was paid.", "Did Ida sold the mill and was paid?"),
        ("Once boats were late, Ida left.", "Did Once boats were late, Ida left?"),
    ],
)
def test_a_claim_is_read_as_a_question(book: Index, text: str, claim: str) -> None:
    read = read_claim(text, index_language(book))
    assert read is not None
    assert read.text == claim


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("Akbar built the Taj Mahal.", True),
        ("The mill was sold in 1911.", True),
        ("The man who built the mill.", False),
        ("The capital of Persia.", False),
        ("Name the town that Ida sold.", False),
        ("Explain how the mill was sold.", False),
        ("The mill was sold by ____.", False),
        ("Was the mill sold in 1911?", False),
    ],
)
def test_a_statement_says_something(book: Index, text: str, says: bool) -> None:
    assert is_statement(text, index_language(book)) is says


def test_a_statement_is_answered_as_a_claim(book: Index) -> None:
    (answer,) = ask("Shah Jahan built the Taj Mahal.", book).answers
    assert answer.text == "yes"


def test_a_claim_that_joins_two_by_or_is_answered_as_a_claim(book: Index) -> None:
    (answer,) = ask("True or false: Shah Jahan or Humayun built the Taj Mahal.", book).answers
    assert answer.text in ("yes", "no")
