"""Choices that a question has in itself are told from what only looks like them."""

from __future__ import annotations

import pytest

from answerer.asking.alternatives import choices_in


@pytest.mark.parametrize(
    ("text", "question", "choices"),
    [
        ("Who made it? A. Ann B. Bo C. Cy", "Who made it?", ["Ann", "Bo", "Cy"]),
        ("Who made it? (a) Ann (b) Bo", "Who made it?", ["Ann", "Bo"]),
        ("It was made by ____. 1) Ann 2) Bo", "It was made by ____.", ["Ann", "Bo"]),
        ("Who made it, Ann or Bo?", "Who made it?", ["Ann", "Bo"]),
        ("Where did Ann make it: Bray, Cork or Ayr?", "Where did Ann make it?", None),
        ("In 1830, who made it, Ann Holm or Bo?", "In 1830, who made it?", ["Ann Holm", "Bo"]),
        ("Which is faster, a sloop or a ketch?", "Which is faster?", ["a sloop", "a ketch"]),
        ("Did Ann or Bo Holm make it?", "Did ____ make it?", ["Ann", "Bo Holm"]),
        ("作ったのは誰か。① 田中② 山本", "作ったのは誰か。", ["田中", "山本"]),
        ("作ったのは誰か。ア．田中イ．山本", "作ったのは誰か。", ["田中", "山本"]),
        ("作ったのは田中と山本のどちらですか。", "作ったのはどちらですか。", ["田中", "山本"]),
        ("作ったのは田中か、山本か。", "作ったのは____か。", ["田中", "山本"]),
        ("Did it burn in 1830 or 1831?", "Did it burn in ____?", ["1830", "1831"]),
    ],
)
def test_choices_are_parted_from_their_question(
    text: str, question: str, choices: list[str] | None
) -> None:
    assert choices_in(text) == (question, choices or ["Bray", "Cork", "Ayr"])


def test_yes_and_no_are_no_choices() -> None:
    assert choices_in("Did Ann make it? A. Yes B. No") == ("Did Ann make it?", [])


@pytest.mark.parametrize(
    "text",
    [
        "Who made it?",
        "Answer both: a) Who made it? b) When?",
        "Who made it? a) Who sold it? b) Who bought it?",
        "Who was killed, wounded or captured?",
        "Who made it? A man of Bray.",
        "Is it true that Ann or Bo made it?",
        "この文は正か誤か。",
        "田中と山本の違いは何か。",
        "Did Ann make it in Bray, Yes or No?",
        "Is osmosis active or passive?",
        "Who made or sold the mill in Bray or Cork?",
    ],
)
def test_other_questions_stay(text: str) -> None:
    assert choices_in(text) == (text, [])
