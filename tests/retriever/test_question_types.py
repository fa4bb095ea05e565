"""Types of questions, by the words in which they are asked."""

from __future__ import annotations

import pytest

from retriever.question_types import chinese_type, english_type


@pytest.mark.parametrize(
    ("question", "asks_for"),
    [
        ("How many ships sank?", "many"),
        ("In what year did it end?", "time"),
        ("The bridge is how long?", "measure"),
        ("Who said it when he left?", "who"),
        ("What city hosts it?", "where"),
        ("What famous people lived there?", "who"),
        ("What did people make of clay?", "what"),
        ("Which do states sign first?", "what"),
        ("What did season 1 cost?", "what"),
        ("What does the book hold?", "what"),
        ("What caused the fire?", "why"),
        ("What is a lever?", "define"),
        ("Tell me more.", "other"),
    ],
)
def test_the_type_of_an_english_question(question: str, asks_for: str) -> None:
    assert english_type(question).name == asks_for


@pytest.mark.parametrize(
    ("question", "asks_for"),
    [
        ("学校是哪一年成立的？", "time"),
        ("它被简称为什么？", "name"),
        ("为什么停办？", "why"),
        ("前身是什么？", "former"),
        ("有多少学生？", "number"),
        ("校长是谁？", "who"),
        ("在哪里？", "where"),
    ],
)
def test_the_type_of_a_chinese_question(question: str, asks_for: str) -> None:
    assert chinese_type(question).name == asks_for
