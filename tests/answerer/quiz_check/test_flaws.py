"""Every rule of item writing finds the item that breaks it, and leaves its neighbour alone."""

from __future__ import annotations

import pytest

from answerer.formats.exam.parts import Choice, ExamQuestion, MarkedText
from answerer.quiz_check.flaws import answered_by_another, flaws_of
from indexer.analysis.analyser import Analyser
from indexer.languages.registry import LANGUAGES


def question(stem: str, *choices: str, name: str = "1", asks: str = "T") -> ExamQuestion:
    return ExamQuestion(
        answer_column=name,
        asks="F" if asks == "F" else "T",
        instruction=MarkedText(stem),
        choices=tuple(
            Choice(str(number), MarkedText(text)) for number, text in enumerate(choices, 1)
        ),
    )


@pytest.fixture(scope="module")
def english() -> Analyser:
    return LANGUAGES["en"].analyser()


RIVERS = "Which river reaches the sea first?"


@pytest.mark.parametrize(
    ("stem", "choices", "key", "rule"),
    [
        (
            "Why do rivers bend?",
            (
                "by chance",
                "the outer bank is worn away faster than the inner one",
                "by wind",
                "ice",
            ),
            1,
            "longest choice is the key",
        ),
        ("Which rivers bend?", ("old", "young", "all of the above"), 2, "all or none of the above"),
        (RIVERS, ("Avon", "Severn", "none of these"), 0, "all or none of the above"),
        (
            "What do rivers carry?",
            ("silt", "only gold", "always ice"),
            0,
            "absolute word only in wrong choices",
        ),
        (
            "Where is the source of a glacier stream?",
            ("below a glacier", "in a lake", "in a marsh"),
            0,
            "word of the stem only in the key",
        ),
        (
            "A lake that a river has left behind is an ____",
            ("oxbow", "delta", "marsh"),
            0,
            "grammar gives the key away",
        ),
        (
            "Why are dams built?",
            ("to store water", "because of wind", "for their looks"),
            0,
            "grammar gives the key away",
        ),
        ("How long is it?", ("12 km", "40 km", "30 km"), 0, "numbers not in order"),
        ("Which century?", ("1st", "3rd", "2nd"), 0, "numbers not in order"),
        ("How many fish?", ("1-5", "5-10", "11-20"), 0, "choices overlap"),
        (RIVERS, ("the Avon", "Severn", "Avon"), 1, "two choices say the same"),
    ],
)
def test_the_item_that_breaks_a_rule_is_found(
    stem: str, choices: tuple[str, ...], key: int, rule: str, english: Analyser
) -> None:
    assert rule in [flaw.rule for flaw in flaws_of(question(stem, *choices), key, english)]


@pytest.mark.parametrize(
    ("stem", "choices", "key"),
    [
        (RIVERS, ("Avon", "Severn", "Thames"), 0),
        ("How long is it?", ("12 km", "30 km", "40 km"), 2),
        ("How long does it take?", ("30 minutes", "1 hour", "2 hours"), 0),
        ("How many fish?", ("1-5", "6-10", "11-20"), 0),
        ("How long does it take?", ("1-2 days", "1-2 weeks", "1-2 years"), 0),
        ("He was an ____", ("angler", "honest man", "heir"), 0),
        ("He was a ____", ("miller", "European", "one-armed man"), 0),
        ("A lake that a river has left behind is an ____", ("oxbow", "estuary", "inlet"), 0),
        (
            "Which came later? (1) the flood (2) the frost (3) the fire",
            ("(1) only", "(3) only", "(1) and (2)"),
            0,
        ),
        # What is asked is how the name is written.
        ("How is our species written?", ("Homo Sapiens", "Homo sapiens", "homo sapiens"), 1),
    ],
)
def test_an_item_that_keeps_the_rules_has_no_flaw(
    stem: str, choices: tuple[str, ...], key: int, english: Analyser
) -> None:
    assert flaws_of(question(stem, *choices), key, english) == []


@pytest.mark.parametrize(("stem", "flawed"), [("is not", True), ("is NOT", False)])
def test_a_negation_is_to_be_seen(stem: str, flawed: bool, english: Analyser) -> None:
    asked = question(f"Which {stem} a river?", "Avon", "Etna", "Severn", asks="F")
    rules = [flaw.rule for flaw in flaws_of(asked, 1, english)]
    assert ("negative stem without emphasis" in rules) is flawed


def test_japanese_items_are_judged_by_the_same_rules() -> None:
    japanese = LANGUAGES["ja"].analyser()
    asked = question("川はどこへ流れるか。", "海", "必ず湖", "山")
    assert [flaw.rule for flaw in flaws_of(asked, 0, japanese)] == [
        "absolute word only in wrong choices"
    ]


def test_a_question_that_another_one_answers(english: Analyser) -> None:
    first = question("Which lake did the river Avon leave behind?", "Mere", "Tarn", name="1")
    second = question("How deep is the Mere, a lake the river Avon left?", "2 m", "9 m", name="2")
    flaws = answered_by_another([first, second], [0, 1], english)
    assert [[flaw.detail for flaw in found] for found in flaws] == [["question 2"], []]


def test_without_a_key_only_rules_that_need_none(english: Analyser) -> None:
    asked = question("Why?", "by chance", "because of a very long and winding reason", "ice")
    assert flaws_of(asked, None, english) == []
