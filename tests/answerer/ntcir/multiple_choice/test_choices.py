"""The terms of questions and choices, and choices that refer to others."""

from __future__ import annotations

from pathlib import Path

import pytest

from answerer.ntcir.multiple_choice.choices import aggregate_of, chooses_statements, question_terms
from answerer.ntcir.multiple_choice.shapes import plan
from indexer.languages.english import ENGLISH
from tests.answerer.formats.exam.exams import choices, only, question, section

ABCD = ("A", "B", "C", "D")


def test_terms_that_all_choices_share_tell_none_from_another(tmp_path: Path) -> None:
    asked = only(
        tmp_path, section(question("Which river?", choices("the river Nile", "the river Rhine")))
    )
    terms = question_terms(asked, plan(asked), ENGLISH.analyser())
    assert terms.terms == ("which", "river") or "river" in terms.terms
    assert [choice.terms for choice in terms.choices] == [("nile",), ("rhine",)]


def test_what_fills_a_gap_is_the_choices_and_its_sentence_the_questions(tmp_path: Path) -> None:
    data = '<data>Caesar conquered <blank id="B1">(A)</blank> in old times.</data>'
    asked = only(
        tmp_path,
        section(question("Fill the gap.", data + choices("Gaul", "Egypt"), "term_location")),
    )
    terms = question_terms(asked, plan(asked), ENGLISH.analyser())
    assert {"caesar", "conquer"} <= set(terms.terms)
    assert [choice.terms for choice in terms.choices] == [("gaul",), ("egypt",)]


def test_numbers_of_gaps_and_choices_are_no_words_of_a_question(tmp_path: Path) -> None:
    text = "From (1)-(4) below, which of the 5 rivers fits the gap marked （３）?"
    asked = only(tmp_path, section(question(text, choices("Nile", "Rhine"))))
    terms = question_terms(asked, plan(asked), ENGLISH.analyser(books=True)).terms
    assert [term for term in terms if term.isdigit()] == ["5"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("all of the above", ("all", (0, 1, 2))),
        ("All of these are correct.", ("all", (0, 1, 2))),
        ("None of the above", ("none", (0, 1, 2))),
        ("both A and B", ("all", (0, 1))),
        ("a and c", ("all", (0, 2))),
        ("A, B and C", ("all", (0, 1, 2))),
        ("neither A nor B", ("none", (0, 1))),
        ("上記のすべて", ("all", (0, 1, 2))),
        ("どれでもない", ("none", (0, 1, 2))),
        ("all of Gaul", ("", ())),
        ("Antony and Cleopatra", ("", ())),
        ("none", ("none", (0, 1, 2))),
        ("a", ("", ())),
    ],
)
def test_choices_that_refer_to_others(text: str, expected: tuple[str, tuple[int, ...]]) -> None:
    assert aggregate_of(["Rome", "Paris", "Bonn", text], ABCD, 3) == expected


def test_a_label_is_the_printed_one_before_a_place() -> None:
    assert aggregate_of(["x", "y", "z", "1 and 2"], ("4", "1", "2", "3"), 3) == ("all", (1, 2))


@pytest.mark.parametrize(
    ("instruction", "texts", "expected"),
    [
        ("Choose the correct sentence.", ("Rome fell.", "Rome rose."), True),
        ("Which of these is true of Rome?", ("It fell.", "It rose."), False),
        ("Choose the correct year.", ("476", "1453"), False),
        ("正しい文を一つ選べ。", ("ローマは滅びた。", "ローマは栄えた。"), True),
    ],
)
def test_sentences_are_chosen_among_or_answer(
    tmp_path: Path, instruction: str, texts: tuple[str, str], expected: bool
) -> None:
    asked = only(tmp_path, section(question(instruction, choices(*texts))))
    assert chooses_statements(asked) is expected
