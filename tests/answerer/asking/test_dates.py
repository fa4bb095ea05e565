"""The date of one of several things that a sentence dates."""

from __future__ import annotations

from pathlib import Path

import pytest

from answerer.asking.command import ask
from indexer import build_textbook
from indexer.engines.opening import open_index


@pytest.mark.parametrize(
    ("sentence", "question", "year"),
    [
        (
            "The Wells branch was closed in 1952 and the Pellow branch in 1959.",
            "When was the Pellow branch closed?",
            "1959",
        ),
        (
            "The Wells branch was closed in 1952 and the Pellow branch in 1959.",
            "When was the Wells branch closed?",
            "1952",
        ),
        # with a verb of its own the second date is not the second name's
        (
            "Nora painted in 1860, and in the same town Per Lind robbed the bank in 1865.",
            "When was the bank of Nora robbed?",
            "1865",
        ),
    ],
)
def test_the_date_behind_the_name_that_is_asked_for(
    tmp_path: Path, sentence: str, question: str, year: str
) -> None:
    documents = [{"title": "News", "text": sentence}, {"title": "Rain", "text": "It rained."}]
    built = build_textbook(documents, tmp_path / "index", language="en")
    assert ask(question, open_index(built.address)).answers[0].text == year


@pytest.mark.parametrize(
    ("question", "year"),
    [
        ("When was Per Lind born?", "1604"),
        ("When did Per Lind die?", "1662"),
        ("When did Per Lind sail?", "1640"),
    ],
)
def test_the_years_behind_a_name_are_of_its_birth_and_death(
    tmp_path: Path, question: str, year: str
) -> None:
    texts = ("In 1640 the smith Per Lind (1604–1662) sailed to Nora.", "It rained in 1650.")
    documents = [{"title": "News", "text": text} for text in texts]
    built = build_textbook(documents, tmp_path / "index", language="en")
    assert ask(question, open_index(built.address)).answers[0].text == year
