"""The phrase that answers a short question: its number alone, its whole name, its company."""

from __future__ import annotations

import pytest

from answerer.asking.command import ask
from indexer import build_textbook
from indexer.engines.contract import Index
from indexer.engines.opening import open_index

TEXTS = (
    "The heart of the marsh heron has four chambers and beats fast.",
    "The heron builds two nests in every year of flood.",
    "Herons eat three kinds of fish, and the largest heron weighs nine pounds.",
    "Galen of Pergamon described the nerves of the hand.",
    "Herodotus of Halicarnassus praised the marsh herons.",
    "The nerves of the wing were drawn by a pupil in Alexandria.",
    "In 1851 Ruth Amsel founded the marsh observatory with Carl Dorn and Ida Velt.",
    "The observatory stood near Lake Orsa until a flood of 1902.",
    "Peter Lund led the observatory after the flood.",
)


@pytest.fixture(scope="module")
def herons(tmp_path_factory: pytest.TempPathFactory) -> Index:
    passages = [
        {"id": str(number), "title": "Herons", "text": text} for number, text in enumerate(TEXTS)
    ]
    built = build_textbook(passages, tmp_path_factory.mktemp("index") / "herons", language="en")
    return open_index(built.address)


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        # a number without what is counted
        ("How many chambers does the heart of the marsh heron have?", {"four"}),
        ("How many nests does the heron build in a year of flood?", {"two"}),
        # a person, never the place that the name comes from
        ("Who described the nerves of the hand?", {"Galen", "Galen of Pergamon"}),
        ("Who praised the marsh herons?", {"Herodotus", "Herodotus of Halicarnassus"}),
        # all who were there
        ("With whom did Ruth Amsel found the marsh observatory?", {"Carl Dorn and Ida Velt"}),
        ("Who did Ruth Amsel found the marsh observatory with?", {"Carl Dorn and Ida Velt"}),
    ],
)
def test_the_right_phrase_comes_first(herons: Index, question: str, answers: set[str]) -> None:
    assert ask(question, herons)[0].text in answers
