"""What stands beside a name: words where they are parted, signs where they are not, an edge where
nothing stands."""

from __future__ import annotations

import pytest

from indexer.entities import EDGE, neighbour_words


@pytest.mark.parametrize(
    ("text", "name", "beside"),
    [
        ("King Cyrus ruled.", "Cyrus", ("king", "ruled")),
        ("The “Cyrus”, a king", "Cyrus", ("“", "”")),
        ("Cyrus", "Cyrus", (EDGE, EDGE)),
        ("  Cyrus  ", "Cyrus", (EDGE, EDGE)),
        ("then  Cyrus's", "Cyrus", ("then", "'")),
        ("都のローマは栄えた", "ローマ", ("の", "は")),
        ("王国 ローマ帝国", "ローマ", ("国", "帝")),
        ("第2次ローマABC戦", "ローマ", ("次", "abc")),
        ("1914ローマ", "ローマ", ("1914", EDGE)),
        ("Élan Cyrus été", "Cyrus", ("élan", "été")),
    ],
)
def test_the_word_or_sign_on_either_side(text: str, name: str, beside: tuple[str, str]) -> None:
    start = text.index(name)
    assert neighbour_words(text, start, start + len(name)) == beside


def test_of_a_word_the_nearest_sixty_letters_count() -> None:
    text = "b" * 61 + "a Cyrus c" + "d" * 61
    start = text.index("Cyrus")
    assert neighbour_words(text, start, start + 5) == ("b" * 58 + "a", "c" + "d" * 58)
