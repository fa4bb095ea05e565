"""Countries by their names, peoples and codes."""

from __future__ import annotations

from answerer.datasearch.question.words import countries, words


def test_a_people_stands_for_its_country() -> None:
    assert list(countries(words("the only Cuban swimmer"))) == [("cuban", ("cuba", "cub", "cu"))]


def test_the_longest_name_at_each_place() -> None:
    found = countries(words("North Korea, South Korea and the U.S."))
    assert [name for name, _ in found] == ["north korea", "south korea", "u"]


def test_codes_are_words_in_questions() -> None:
    assert not list(countries(words("can a sui den win?")))
