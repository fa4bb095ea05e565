"""A recogniser with a glossary: aliases are their term, kinds override cues, years go with the
name."""

from __future__ import annotations

import pytest

from indexer.analysis.glossary import Entry, Glossary
from indexer.analysis.glossary_file import parse_entry
from indexer.entities.gazetteer import name_kind
from indexer.languages.english import ENGLISH
from indexer.languages.japanese import JAPANESE

GLOSSARY = Glossary(
    tuple(
        parse_entry(*cells)
        for cells in [
            ["King Bertan", "person", "1400", "1440", "Amber King@Bertan of the Hill"],
            ["Battle of Kressfeld", "event", "1450", "", "Kressfeld Slaughter"],
            ["Odoria", "empire", "-200", "900", "Odorheim@Selmland"],
            ["Malvenia", "kingdom", "", "", "Selmland"],
            ["Talbek", "city", "", "", ""],
            ["Talbek", "person", "1700", "1750", ""],
        ]
    )
)
NAMES = ENGLISH.recogniser(GLOSSARY)


def keys(text: str) -> list[str]:
    return [mention.key for mention in NAMES.mentions(text)]


def test_an_alias_is_its_term() -> None:
    assert keys("Then the Amber King came to Odorheim.") == keys("Then King Bertan came to Odoria.")


def test_an_alias_of_two_terms_is_a_name_of_its_own() -> None:
    assert keys("They met Selmland there.") == ["selmland"]


def test_a_listed_name_is_found_whole_and_a_longer_name_keeps_it() -> None:
    assert keys("There Bertan of the Hill died.") == keys("There King Bertan died.")
    assert "odoria" not in keys("They signed the Treaty of Odoria.")


def test_a_longer_listed_name_that_ends_inside_a_word_hides_no_shorter_one() -> None:
    names = ENGLISH.recogniser(Glossary((parse_entry("velum"), parse_entry("velum s"))))
    (velum,) = names.mentions("They found velum stones.")
    assert velum.surface == "velum"


def test_a_part_of_a_word_and_a_small_letter_are_no_listed_name() -> None:
    assert keys("Some odoria grew in Talbekistan.") == ["talbekistan"]


def test_kinds_override_cues_unless_entries_disagree() -> None:
    (kressfeld,) = NAMES.mentions("In Kressfeld Slaughter they fell.")
    assert NAMES.cue("In Kressfeld Slaughter they fell.", kressfeld) == "period"
    (talbek,) = NAMES.mentions("They lived in Talbek.")
    plain = ENGLISH.recogniser()
    assert NAMES.cue("They lived in Talbek.", talbek) == plain.cue("They lived in Talbek.", talbek)


def test_years_go_with_the_name_and_its_aliases() -> None:
    (slaughter, king) = NAMES.mentions("At Kressfeld Slaughter the Amber King fell.")
    assert slaughter.years == (1450, 1450)
    assert king.years == (1400, 1440)


def test_what_only_began_has_no_years_unless_it_is_an_event() -> None:
    cells = [("Odoria", "empire", "900"), ("Fall of Odoria", "event", "1200")]
    listed = Glossary(tuple(parse_entry(*row) for row in cells))
    names = ENGLISH.recogniser(listed)
    assert [m.years for m in names.mentions("In Odoria, Fall of Odoria was long ago.")] == [
        None,
        (1200, 1200),
    ]


def test_japanese_aliases_and_years() -> None:
    names = JAPANESE.recogniser(
        Glossary((Entry("アウクスブルク", ("都市", "市"), None, None, ("アウグスブルグ",)),))
    )
    (mention,) = names.mentions("アウグスブルグで会議が開かれた。")
    assert mention.key == "アウクスブルク"
    assert names.cue("", mention) == "place"


@pytest.mark.parametrize(
    ("kinds", "kind"),
    [
        (("理論物理学者",), "person"),
        (("国家", "国", "王朝"), "period"),
        (("国家", "国"), "place"),
        (("戦争", "紛争"), "period"),
        (("民族",), "people"),
        (("絵画",), "other"),
        (("dynasty",), "period"),
        ((), None),
    ],
)
def test_the_kind_that_a_glossary_means(kinds: tuple[str, ...], kind: str | None) -> None:
    assert name_kind(kinds) == kind
