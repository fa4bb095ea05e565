"""The phrase that answers a short question: its number alone, its whole name, its company."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from answerer.asking.command import ask
from answerer.ntcir.term.questions import read_question
from indexer import build_textbook
from indexer.engines.contract import Index
from indexer.engines.opening import open_index
from indexer.languages.english import ENGLISH

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


def index_of(title: str, texts: Sequence[str], folder: Path) -> Index:
    """An index of English passages under one title, with their positions as ids."""
    passages = [
        {"id": str(number), "title": title, "text": text} for number, text in enumerate(texts)
    ]
    return open_index(build_textbook(passages, folder / "index", language="en").address)


@pytest.fixture(scope="module")
def herons(tmp_path_factory: pytest.TempPathFactory) -> Index:
    return index_of("Herons", TEXTS, tmp_path_factory.mktemp("index"))


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


REEDS = (
    "Explain how the flood drowned Selm Abbey and the mills of Lake Orsa",
    "Which mills of Lake Orsa did the flood of Tarn Bridge drown?",
    "The flood drowned a windmill near Lake Orsa.",
    "narrow (marsh) passage: a way by which herons cross the reeds",
    "In the season of 1902 the grey heron led all birds in dives (118).",
    "The reed market opens in March.",
    "The Spanish dug the canal of Orsa in 1640.",
    "The crew of the reed boat won the race, 23–16, by rowing at night.",
    "Sedge rust is caused by P. caricina, a fungus.",
    "The rust Puccinia caricina harms no mill.",
)


@pytest.fixture(scope="module")
def reeds(tmp_path_factory: pytest.TempPathFactory) -> Index:
    return index_of("Reeds", REEDS, tmp_path_factory.mktemp("index"))


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("A way by which herons cross the reeds is a ____.", "narrow passage"),
        ("How many dives did the grey heron make?", "118"),
        ("When does the reed market open?", "March"),
        ("Which country dug the canal of Orsa?", "Spain"),
        ("What was the score of the race that the crew of the reed boat won?", "23–16"),
        ("What is sedge rust caused by?", "Puccinia caricina"),
    ],
)
def test_a_phrase_of_an_unusual_form_is_found(reeds: Index, question: str, answer: str) -> None:
    assert answer in [found.text for found in ask(question, reeds)]


def test_what_only_asks_or_tells_the_reader_what_to_do_answers_nothing(reeds: Index) -> None:
    reply = ask("What did the flood drown?", reeds, k=20)
    texts = " ".join(answer.text for answer in reply)
    assert not any(wrong in texts for wrong in ("Explain", "Selm Abbey", "Tarn Bridge"))


def test_of_somebodys_ideas_somebody_is_asked_for() -> None:
    assert read_question("Which painter’s ideas shaped the court?", ENGLISH).focus == "painter"
