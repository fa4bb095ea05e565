"""Names found in sentences, folded to one key, and told by kind."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.analysis.analyser import Recogniser
from indexer.analysis.glossary import Entry, Glossary
from indexer.entities import Kind
from indexer.entities.aliases import aliases, names_of
from indexer.languages.english import ENGLISH
from indexer.languages.japanese import JAPANESE

ENGLISH_NAMES, JAPANESE_NAMES = ENGLISH.recogniser(), JAPANESE.recogniser()


def keys(names: Recogniser, sentence: str) -> list[str]:
    return [mention.key for mention in names.mentions(sentence)]


def test_runs_of_capitals_and_dates_are_names() -> None:
    found = keys(
        ENGLISH_NAMES,
        "In 1492 Christopher Columbus, backed by Queen Isabella of Spain, sailed west.",
    )
    assert found == ["y:1492", "christopher columbus", "isabella", "spain"]


def test_of_joins_after_a_treaty_and_not_after_a_person() -> None:
    assert keys(ENGLISH_NAMES, "The Treaty of Versailles and Philip II of Spain.") == [
        "treaty of versailles",
        "philip ii",
        "spain",
    ]


def test_an_epithet_belongs_to_the_name_also_in_the_possessive() -> None:
    text = "They saw Peter the Great’s army meet Ivan the Terrible."
    assert keys(ENGLISH_NAMES, text) == ["peter great", "ivan terrible"]


@pytest.mark.parametrize(
    ("surface", "key"),
    [
        ("French", "france"),
        ("the Mongols", "mongolia"),
        ("Romans", "rome"),
        ("Napoléon", "napoleon"),
        ("Cæsar", "caesar"),
        ("Œdipus", "oedipus"),
    ],
)
def test_peoples_plurals_accents_and_ligatures_are_folded(surface: str, key: str) -> None:
    assert keys(ENGLISH_NAMES, f"They met {surface} there.") == [key]


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("the Hapsburgs", "the Habsburgs"),
        ("the House of Hapsburg", "the House of Habsburg"),
        ("Chou Dynasty", "Zhou Dynasty"),
        ("Jenghis Khan", "Genghis Khan"),
        ("Rumanians", "Romania"),
    ],
)
def test_what_older_books_spell_otherwise_is_the_same_name(older: str, newer: str) -> None:
    assert ENGLISH_NAMES.key(older) == ENGLISH_NAMES.key(newer)


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
    (mention,) = [m for m in ENGLISH_NAMES.mentions(f"It happened in {text} there.") if m.span]
    assert mention.span == span


@pytest.mark.parametrize(
    ("sentence", "spans"),
    [
        ("In 750, the Umayyads fell.", [(750, 750)]),
        ("By 711 the Arabs had crossed.", [(711, 711)]),
        ("The Zhou (1046–256 BCE) ruled.", [(-1046, -1046), (-256, -256)]),
        ("He ruled from 264 to 146 BCE.", [(-264, -264), (-146, -146)]),
        ("Between 642 and 709 they came.", [(642, 642), (709, 709)]),
        ("The war of 1914-1918 ended.", [(1914, 1914), (1918, 1918)]),
        ("The third and fourth centuries BCE passed.", [(-300, -201), (-400, -301)]),
        ("The 630s saw change.", [(630, 639)]),
        ("They won 500 men and 300 camels, in 200 ships.", []),
        ("It took from 300 to 500 soldiers.", []),
        ("It cost $1,500 and 200,000 lives.", []),
    ],
)
def test_years_are_told_from_counts_and_ranges_have_two(
    sentence: str, spans: list[tuple[int, int]]
) -> None:
    assert [m.span for m in ENGLISH_NAMES.mentions(sentence) if m.span] == spans


def test_a_direction_is_part_of_a_name_and_alone_none() -> None:
    assert keys(ENGLISH_NAMES, "They left South Korea for the East.") == ["south korea"]


@pytest.mark.parametrize(
    ("surface", "key"),
    [
        ("Great Britain", "britain"),
        ("the U.S.", "united states"),
        ("Athenians", "athens"),
        ("Athens", "athens"),
        ("the Netherlands", "netherlands"),
        ("Genghis Khan", "chinggis khan"),
        ("the Second World War", "world war ii"),
    ],
)
def test_other_names_and_spellings_are_folded_to_one(surface: str, key: str) -> None:
    assert keys(ENGLISH_NAMES, f"They met {surface} there.") == [key]


def test_the_head_of_a_name_is_no_part_that_stands_for_it() -> None:
    assert ENGLISH_NAMES.parts("achaemenid empire") == []
    assert ENGLISH_NAMES.parts("henry vii") == []
    assert ENGLISH_NAMES.parts("sir charles parsons") == ["charles parsons", "parsons"]


def test_a_plural_is_the_singular_and_a_rare_direction_falls_away() -> None:
    counts = {
        "gupta": 9,
        "guptas": 2,
        "italy": 50,
        "southern italy": 3,
        "south korea": 20,
        "korea": 50,
    }
    found = aliases(counts, {}, ENGLISH_NAMES)
    assert found == {"guptas": "gupta", "southern italy": "italy"}


def test_a_capital_of_the_sentence_alone_is_not_sure() -> None:
    (first, second) = ENGLISH_NAMES.mentions("Farmers fed Rome.")
    assert (first.key, first.sure) == ("farmer", False)
    assert (second.key, second.sure) == ("rome", True)


@pytest.mark.parametrize(
    ("sentence", "surfaces"),
    [
        ("Shah Jahan built a tomb.", ["Shah Jahan"]),
        ("The tomb of Shah Jahan stands.", ["Shah Jahan"]),
        ("King Akbar fought.", ["Akbar"]),
        ("The Shah fled.", []),
    ],
)
def test_a_title_said_with_the_name_is_part_of_its_surface(
    sentence: str, surfaces: list[str]
) -> None:
    assert [mention.surface for mention in ENGLISH_NAMES.mentions(sentence)] == surfaces


def test_a_title_said_with_the_name_is_no_part_of_its_key() -> None:
    (mention,) = ENGLISH_NAMES.mentions("Shah Jahan built a tomb.")
    assert (mention.key, mention.sure, ENGLISH_NAMES.cue("Shah Jahan built a tomb.", mention)) == (
        "jahan",
        True,
        "person",
    )


def test_an_opening_word_without_meaning_is_no_part_of_a_name() -> None:
    assert keys(ENGLISH_NAMES, "The Han fought.") == ["han"]
    assert keys(ENGLISH_NAMES, "However, Rome fell.") == ["rome"]


def test_japanese_names_run_on_over_the_middle_dot_and_with_their_ends() -> None:
    found = keys(JAPANESE_NAMES, "1616年にウィレム・ヤンスゾーンがアッバース朝とイギリスを訪れた。")
    assert found == ["y:1616", "ウィレム・ヤンスゾーン", "アッバース朝", "イギリス"]


def test_japanese_people_fold_to_their_country() -> None:
    assert keys(JAPANESE_NAMES, "フランス人が来た。") == keys(JAPANESE_NAMES, "フランスが来た。")


def test_japanese_dates_before_christ() -> None:
    (mention,) = JAPANESE_NAMES.mentions("前5世紀に栄えた。")
    assert mention.span == (-500, -401)


def test_a_glossary_name_is_found_whole() -> None:
    assert "東インド会社" in keys(
        JAPANESE.recogniser(Glossary((Entry("東インド会社"),))), "オランダ東インド会社の船。"
    )


@given(st.text(alphabet="ABab 'é.。、年世紀19アィー・第", max_size=60))
def test_mentions_stand_where_they_say_and_never_overlap(text: str) -> None:
    for names in (ENGLISH_NAMES, JAPANESE_NAMES):
        found = names.mentions(text)
        assert all(text[m.start : m.end] == m.surface and m.key for m in found)
        assert all(left.end <= right.start for left, right in pairwise(found))


def test_a_surname_is_the_full_name_where_only_one_has_it() -> None:
    counts = {
        "christopher columbus": 3,
        "columbus": 9,
        "henry ford": 2,
        "gerald ford": 2,
        "ford": 4,
    }
    assert aliases(counts, {}, ENGLISH_NAMES) == {"columbus": "christopher columbus"}


def test_a_place_inside_a_longer_name_stays_itself() -> None:
    assert aliases({"new spain": 5, "spain": 9}, {"spain": "place"}, ENGLISH_NAMES) == {}


def test_a_much_rarer_full_name_does_not_swallow_its_part() -> None:
    assert aliases({"peter parker": 1, "parker": 13}, {}, ENGLISH_NAMES) == {}


def test_kind_is_the_cue_of_half_of_the_mentions() -> None:
    cues: dict[tuple[str, Kind], int] = {
        ("a b", "person"): 2,
        ("a b", "place"): 1,
        ("c d", "person"): 1,
        ("c d", "place"): 1,
        ("c d", "people"): 1,
        ("e f", "person"): 2,
        ("e f", "other"): 3,
    }
    mentions = dict.fromkeys(("a b", "c d", "e f"), 3)
    _, kinds, _ = names_of(mentions, mentions, cues, {}, ENGLISH_NAMES, ENGLISH.analyser())
    assert kinds == {"a b": "person", "c d": "other", "e f": "other"}
