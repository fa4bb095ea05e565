"""Whether a text uses a keyword, however it is printed."""

from __future__ import annotations

import pytest

from answerer.formats.keywords import as_printed, find_keyword, mentions, uses


@pytest.mark.parametrize(
    ("keyword", "text"),
    [
        ("steamship", "Steamships crossed the ocean."),
        ("the Boxers", "In 1900 the Boxers rose."),
        ("the Boxers", "The Boxers rose."),
        ("Russo-Japanese War", "The Russo–Japanese War ended."),
        ("Pericles’ law", "Pericles' law held."),
        ("Timur", "Tīmūr took Delhi."),
        ("the Phoenicians", "the Phœnicians sailed."),
        ("ダライ＝ラマ", "ダライ・ラマはチベットの指導者である。"),
        ("マルコ一ニ", "マルコーニが無線電信を発明した。"),
        ("スエズ運河", "スエズ運河が開通した。"),
        ("ＡＢＣ兵器", "ABC兵器の禁止。"),
    ],
)
def test_a_keyword_is_used_however_it_is_printed(keyword: str, text: str) -> None:
    assert uses(keyword, text)


@pytest.mark.parametrize(
    ("keyword", "text"),
    [
        ("インド", "インドネシアが独立した。"),
        ("ローマ", "アローマの香り。"),
        ("Tang", "Tangible results."),
        ("rule", "A ferrule."),
        ("Boxers", "The Boxer Rebellion."),
        ("the Boxers", "In 1900 Boxers rose."),
        ("the Boxers", "Soothe Boxers."),
        ("Suez Canal", ""),
    ],
)
def test_part_of_another_word_is_no_use(keyword: str, text: str) -> None:
    assert not uses(keyword, text)


def test_a_text_without_the_article_mentions_a_keyword_and_does_not_use_it() -> None:
    assert mentions("the Boxers", "In 1900 Boxers rose.")
    assert not mentions("the Boxers", "The Boxer Rebellion.")


@pytest.mark.parametrize("keyword", ["Alexander the Great", "China trade"])
def test_an_article_or_its_letters_inside_a_keyword_stay(keyword: str) -> None:
    assert mentions(keyword, f"Then came {keyword}.")


def test_the_place_found_is_the_text_s_own() -> None:
    text = "その後ダライ・ラマが"
    assert find_keyword("ダライ＝ラマ", text) == (3, 9)
    assert text[3:9] == "ダライ・ラマ"


def test_the_question_s_spelling_is_taken_over_but_not_its_case() -> None:
    assert as_printed("後にダライ・ラマとなる。", ("ダライ＝ラマ",)) == "後にダライ＝ラマとなる。"
    assert as_printed("Steamships came.", ("steamship",)) == "Steamships came."
