"""Spellings of one Japanese name have one key."""

from __future__ import annotations

import pytest

from indexer.languages.japanese import JAPANESE

NAMES = JAPANESE.recogniser()


def keys(text: str) -> list[str]:
    return [mention.key for mention in NAMES.mentions(text)]


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("英国とイギリスと大英帝国とイギリス人。", "イギリス"),
        ("米国とアメリカ合衆国と合衆国とアメリカ。", "アメリカ"),
        ("ソ連とソビエト連邦とソヴィエト連邦とソ連軍。", "ソビエト連邦"),
        ("ヴェネツィアとヴェネチアとベネチア。", "ベネチア"),
        ("ジャンヌ=ダルクとジャンヌ・ダルクとジャンヌ＝ダルク。", "ジャンヌ・ダルク"),
        ("ルイ十四世とルイ一四世とルイ14世とルイ１４世。", "ルイ14世"),
        ("第一次世界大戦と第1次世界大戦と第一次大戦。", "第1次世界大戦"),
        ("第三回十字軍と第3次十字軍。", "第3次十字軍"),
        ("清朝が滅んだ。", "清"),
        ("ゲルマン人とゲルマン民族。", "ゲルマン"),
        ("東ローマ帝国とビザンツ帝国。", "ビザンツ"),
        ("中華人民共和国。", "中華人民共和国"),
    ],
)
def test_spellings_have_one_key(text: str, key: str) -> None:
    assert set(keys(text)) == {key}
    assert len(keys(text)) == text.count("と") + 1


def test_short_countries_count_beside_each_other_and_before_an_army() -> None:
    assert keys("英仏協商が結ばれた。") == ["イギリス", "フランス"]
    assert keys("日米が対立した。") == ["日本", "アメリカ"]
    assert keys("米軍が上陸した。") == ["アメリカ"]
    assert keys("露店で米を買う。") == []


def test_a_listed_name_inside_a_longer_one_is_not_cut_out() -> None:
    assert keys("メキシコ合衆国が成立した。") == ["メキシコ"]
    assert keys("アメリカ大陸に渡った。") == ["アメリカ大陸"]


def test_a_listed_name_keeps_the_dictionarys_kind() -> None:
    (mention,) = NAMES.mentions("英国が栄えた。")
    assert NAMES.cue("英国が栄えた。", mention) == "place"


def test_numbered_events_are_periods() -> None:
    for text in ("第四次中東戦争", "第二次世界大戦", "第１次十字軍"):
        (mention,) = NAMES.mentions(f"{text}が起きた。")
        assert (mention.surface, NAMES.cue(text, mention)) == (text, "period")
