"""Names found in sentences, folded to one key, and told by kind."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.names import Recogniser, recogniser
from indexer.names.aliases import aliases, kinds_of

ENGLISH, JAPANESE = recogniser("en"), recogniser("ja")


def keys(names: Recogniser, sentence: str) -> list[str]:
    return [mention.key for mention in names.mentions(sentence)]


def test_runs_of_capitals_and_dates_are_names() -> None:
    found = keys(ENGLISH, "In 1492 Christopher Columbus, backed by Queen Isabella of Spain, sailed west.")
    assert found == ["y:1492", "christopher columbus", "isabella", "spain"]


def test_of_joins_after_a_treaty_and_not_after_a_person() -> None:
    assert keys(ENGLISH, "The Treaty of Versailles and Philip II of Spain.") == [
        "treaty of versailles",
        "philip ii",
        "spain",
    ]


@pytest.mark.parametrize(
    ("surface", "key"),
    [("French", "france"), ("the Mongols", "mongolia"), ("Romans", "rome"), ("Napoléon", "napoleon")],
)
def test_peoples_plurals_and_accents_are_folded(surface: str, key: str) -> None:
    assert keys(ENGLISH, f"They met {surface} there.") == [key]


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("the fifteenth century", (1401, 1500)),
        ("the 3rd century BCE", (-300, -201)),
        ("331 BCE", (-331, -331)),
        ("the 1930s", (1930, 1939)),
        ("A.D. 70", (70, 70)),
    ],
)
def test_dates_have_spans(text: str, span: tuple[int, int]) -> None:
    (mention,) = [m for m in ENGLISH.mentions(f"It happened in {text} there.") if m.span]
    assert mention.span == span


def test_a_capital_of_the_sentence_alone_is_not_sure() -> None:
    (first, second) = ENGLISH.mentions("Farmers fed Rome.")
    assert (first.key, first.sure) == ("farmer", False)
    assert (second.key, second.sure) == ("rome", True)


def test_an_opening_word_without_meaning_is_no_part_of_a_name() -> None:
    assert keys(ENGLISH, "The Han fought.") == ["han"]
    assert keys(ENGLISH, "However, Rome fell.") == ["rome"]


def test_japanese_names_run_on_over_the_middle_dot_and_with_their_ends() -> None:
    found = keys(JAPANESE, "1616年にウィレム・ヤンスゾーンがアッバース朝とイギリスを訪れた。")
    assert found == ["y:1616", "ウィレム・ヤンスゾーン", "アッバース朝", "イギリス"]


def test_japanese_people_fold_to_their_country() -> None:
    assert keys(JAPANESE, "フランス人が来た。") == keys(JAPANESE, "フランスが来た。")


def test_japanese_dates_before_christ() -> None:
    (mention,) = JAPANESE.mentions("前5世紀に栄えた。")
    assert mention.span == (-500, -401)


def test_a_glossary_name_is_found_whole() -> None:
    assert "東インド会社" in keys(recogniser("ja", ["東インド会社"]), "オランダ東インド会社の船。")


@given(st.text(alphabet="ABab 'é.。、年世紀19アィー・第", max_size=60))
def test_mentions_stand_where_they_say_and_never_overlap(text: str) -> None:
    for names in (ENGLISH, JAPANESE):
        found = names.mentions(text)
        assert all(text[m.start : m.end] == m.surface and m.key for m in found)
        assert all(left.end <= right.start for left, right in pairwise(found))


def test_a_surname_is_the_full_name_where_only_one_has_it() -> None:
    counts = {"christopher columbus": 3, "columbus": 9, "henry ford": 2, "gerald ford": 2, "ford": 4}
    assert aliases(counts, {}, ENGLISH) == {"columbus": "christopher columbus"}


def test_a_place_inside_a_longer_name_stays_itself() -> None:
    assert aliases({"new spain": 5, "spain": 9}, {"spain": "place"}, ENGLISH) == {}


def test_a_much_rarer_full_name_does_not_swallow_its_part() -> None:
    assert aliases({"peter parker": 1, "parker": 13}, {}, ENGLISH) == {}


def test_kind_is_the_cue_of_half_of_the_mentions() -> None:
    from collections import Counter

    cues = {"a": Counter({"person": 2, "place": 1}), "b": Counter({"person": 1, "place": 1, "people": 1})}
    assert kinds_of(cues) == {"a": "person", "b": "other"}
