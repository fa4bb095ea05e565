"""Candidates of a sentence in both languages, and what kind each is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerer.asking.phrases import spans_of
from answerer.ntcir.term import english, japanese
from answerer.ntcir.term.entity_types import CLASSES, KindModel
from answerer.ntcir.term.language import TermLanguage
from indexer.analysis.glossary import Entry, Glossary
from indexer.languages.registry import LANGUAGES

JAPANESE = TermLanguage(LANGUAGES["ja"], Glossary((Entry("万里の長城"),)))
ENGLISH = TermLanguage(LANGUAGES["en"], Glossary((Entry("Law of the Twelve Tables"),)))


def texts(language: TermLanguage, sentence: str, shape: str = "") -> list[str]:
    return [
        span.text
        for span in language.spans(language.tools.clean(sentence))
        if shape in ("", span.shape)
    ]


def test_japanese_runs_of_nouns_with_their_ends_and_beginnings() -> None:
    found = texts(JAPANESE, "首都ベルリンに入った。")
    assert {"首都ベルリン", "ベルリン", "首都"} <= set(found)


def test_a_glossary_name_is_found_over_its_particles() -> None:
    assert "万里の長城" in texts(JAPANESE, "始皇帝は万里の長城を築いた。", "name")


def test_katakana_is_never_cut_and_keeps_its_joints() -> None:
    found = texts(JAPANESE, "ガウタマ＝シッダールタはナポレオン・ボナパルトではない。")
    assert {"ガウタマ＝シッダールタ", "ナポレオン・ボナパルト"} <= set(found)
    assert not {"ガウタマ", "シッダールタ", "ナポレオン", "ボナパルト"} & set(found)


def test_a_dot_beside_other_letters_joins_no_names() -> None:
    assert "コガネムシ科" in texts(
        JAPANESE, "コウチュウ目・コガネムシ科・カブトムシ亜科に分類される。"
    )


def test_a_number_inside_a_name_does_not_break_it() -> None:
    assert "ルイ14世" in texts(JAPANESE, "ルイ14世が即位した。")


def test_japanese_dates_and_numbers_with_units() -> None:
    sentence = (
        "前221年に統一され、17世紀半ばに滅び、1793年6月に高さ105センチの像が4年ごとに建った。"
    )
    assert texts(JAPANESE, sentence, "time") == ["前221年", "17世紀半ば", "1793年6月", "1793年"]
    assert "4年" in texts(JAPANESE, "4年に一度開かれる。", "number")
    assert texts(JAPANESE, "距離は1億4960万kmである。", "number") == ["1億4960万km"]


def test_japanese_amounts_have_units_in_letters_and_limits() -> None:
    sentence = (
        "容量は140MBで、秒速17.2m/s以上、面積は約1400万km2、660cc以下の車が3D映像に1100人以上映る。"
    )
    found = ["140MB", "17.2m/s以上", "約1400万km2", "660cc以下", "1100人以上"]
    assert texts(JAPANESE, sentence, "number") == found
    assert "3D映像" in texts(JAPANESE, sentence)


def test_japanese_counters_and_bare_counts_before_their_noun() -> None:
    sentence = "第2の町に3社と45か所の店、2,100の家、7番目の塔があり、九州の議会は12議席である。"
    found = ["3社", "45か所", "2,100", "12議席"]
    assert texts(JAPANESE, sentence, "number") == found


def test_initials_are_joined_to_a_name() -> None:
    assert "H・G・ウェルズ" in texts(JAPANESE, "1895年にH・G・ウェルズが発表した。")
    assert "ジョン・H・ワトスン" in texts(JAPANESE, "相棒のジョン・H・ワトスン医師と暮らした。")


def test_a_few_years_may_be_a_year_or_a_term_and_an_age_is_a_time() -> None:
    assert texts(JAPANESE, "任期は6年で、1946年に定められた。", "years") == ["6年"]
    assert texts(JAPANESE, "平安時代の秋に始まった。", "period") == ["平安時代", "秋"]


def test_english_names_dates_and_numbers() -> None:
    sentence = (
        "In 44 BCE Julius Caesar was murdered by sixty senators after the Law of the Twelve Tables."
    )
    assert texts(ENGLISH, sentence, "time") == ["44 BCE"]
    assert {"Julius Caesar", "Law of the Twelve Tables"} <= set(texts(ENGLISH, sentence, "name"))
    assert texts(ENGLISH, "The war lasted for thirty years.", "number") == ["thirty years"]


@pytest.mark.parametrize("apostrophe", ["'", "’"])
def test_a_possessive_ends_a_phrase_with_either_apostrophe(apostrophe: str) -> None:
    """Textbooks print the curly one; both are one character."""
    spans = spans_of(f"It was newton{apostrophe}s law.", TermLanguage(LANGUAGES["en"], Glossary()))
    assert [span.text for span in spans] == ["newton", "law"]


def test_a_full_stop_is_no_part_of_an_era() -> None:
    assert texts(ENGLISH, "He died in 44 BCE.", "time") == ["44 BCE"]


@pytest.mark.parametrize("language", [JAPANESE, ENGLISH], ids=["ja", "en"])
@given(st.text(max_size=60))
def test_every_span_stands_where_it_says(language: TermLanguage, text: str) -> None:
    sentence = language.tools.clean(text)
    for span in language.spans(sentence):
        assert span.text
        assert 0 <= span.start < span.end <= len(sentence)
        assert span.text in sentence[span.start : span.end]


@pytest.mark.parametrize(
    ("before", "after", "there"),
    [
        ("首都", "に入った", True),
        ("首都は", "である", True),
        ("", "という首都", True),
        ("", "は遠い首都", False),
    ],
)
def test_japanese_apposition(before: str, after: str, there: bool) -> None:
    assert japanese.in_apposition(before, after, "首都") is there


@pytest.mark.parametrize(
    ("before", "after", "there"),
    [
        ("he took the capital, ", " and", True),
        ("", ", the capital of Persia", True),
        ("", " was the capital", True),
        ("he left the capital for ", " and", False),
    ],
)
def test_english_apposition(before: str, after: str, there: bool) -> None:
    assert english.in_apposition(before, after, "capital") is there


def _glossary() -> Glossary:
    people = [
        Entry(f"{name}王", ("国王",))
        for name in ("アレクサンドロス", "ハンムラビ", "カール", "フィリップ")
    ]
    wars = [
        Entry(f"{name}戦争", ("戦争",)) for name in ("ペロポネソス", "ポエニ", "百年", "アヘン")
    ]
    return Glossary(
        (*people, *wars, Entry("メンフィス", ("都市",), aliases=("白い壁",)), Entry("謎", ("謎",)))
    )


def test_a_glossary_name_is_of_its_kind_and_so_is_its_alias() -> None:
    model = KindModel(_glossary().by_name(), {})
    assert model.classes("メンフィス", "") == {"city": 1.0}
    assert model.classes("白い壁", "") == {"city": 1.0}


def test_kinds_of_unknown_names_are_learned_from_the_glossary() -> None:
    model = KindModel(_glossary().by_name(), {})
    for name, label in (("ダレイオス王", "person"), ("バラ戦争", "event")):
        shares = model.classes(name, "一般")
        assert max(shares, key=lambda one: shares[one]) == label


@given(st.text(min_size=1, max_size=12), st.sampled_from(["", "人名", "国", "一般", "proper"]))
def test_the_classes_of_any_name_sum_to_one(name: str, speech: str) -> None:
    for model in (KindModel(_glossary().by_name(), {}), KindModel({}, {})):
        assert sum(model.classes(name, speech).values()) == pytest.approx(1.0)


def test_without_a_glossary_the_part_of_speech_decides() -> None:
    shares = KindModel({}, {}).classes("ダレイオス", "人名")
    assert shares["person"] == 0.9
    assert set(shares) == set(CLASSES)
