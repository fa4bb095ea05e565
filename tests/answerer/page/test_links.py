"""What a name was taken for is told where a reader would not see it, and only there."""

from __future__ import annotations

import pytest

from answerer.page.drawn import link


@pytest.mark.parametrize(
    ("said", "key"),
    [
        ("Khufu", "khufu"),
        ("Law of the Twelve Tables", "law of twelve tables"),
        ("Meditations", "meditation"),
        ("Mohenjo-daro", "mohenjo daro"),
        ("Germans", "germany"),
        ("Königsberg", "konigsberg"),
        ("イブン＝ハルドゥーン", "イブン・ハルドゥーン"),
        ("1453", "y:1453"),
    ],
)
def test_the_same_name_in_another_form_is_no_news(said: str, key: str) -> None:
    assert link(said, key) == ""


@pytest.mark.parametrize(
    ("said", "key"),
    [
        ("Han", "later han"),
        ("Constitutional Democratic Party", "germany social democratic party"),
        ("Li Yuan", "yuan"),
        ("French", "france"),
        ("ソ連", "ソビエト連邦"),
        ("バグダード", "バクダード"),
    ],
)
def test_another_name_is_told(said: str, key: str) -> None:
    assert link(said, key) == key


def test_words_that_are_no_name_of_the_index_are_told_as_such() -> None:
    assert link("Kingdom of Kush", "“kingdom”") == "looked up as plain words"
