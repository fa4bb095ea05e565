"""Hypernyms: what a book says that a name is, counted by hand; readings in brackets are no
candidates."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from answerer.ntcir.term import english, japanese
from answerer.ntcir.term.candidates import TermCandidate, is_reading
from answerer.ntcir.term.language import index_language
from answerer.ntcir.term.questions import analyse
from answerer.ntcir.term.ranking import rank_candidates
from indexer import build_textbook
from indexer.engines.opening import open_index
from indexer.languages.english import ENGLISH
from indexer.languages.japanese import JAPANESE
from indexer.languages.language import Language


@pytest.mark.parametrize(
    ("sentence", "says"),
    [
        ("テニスはラケットを使う球技である。", True),
        ("テニス(庭球)とは、球技の一種。", True),
        ("テニスという球技。", True),
        ("テニスと呼ばれる新しい型の球技。", True),
        ("テニスや卓球などの球技。", True),
        ("球技にはテニスがある。", True),
        ("好きな球技はテニスだ。", True),
        ("テニスは冬に流行した。球技である。", False),
        ("テニスは球技場で行う。", False),
        ("テニスの球技連盟。", False),
    ],
)
def test_what_a_japanese_sentence_says_of_a_name(sentence: str, says: bool) -> None:
    before, after = sentence.split("テニス", 1)
    assert japanese.is_said_to_be(before, after, "球技") is says


@pytest.mark.parametrize(
    ("sentence", "says"),
    [
        ("troy was an ancient city in asia.", True),
        ("troy is one of the oldest cities.", True),
        ("he took troy, a city on the coast.", True),
        ("troy, sparta, and other cities fell.", True),
        ("cities such as sparta and troy fell.", True),
        ("a city called troy fell.", True),
        ("destroy is a city.", False),
        ("troy was near a city.", False),
        ("troy fell. a city burned.", False),
    ],
)
def test_what_an_english_sentence_says_of_a_name(sentence: str, says: bool) -> None:
    before, after = sentence.split("troy", 1)
    assert english.is_said_to_be(before, after, "city") is says


def test_a_noun_in_a_vowel_and_y_has_a_plural_in_s() -> None:
    assert english.is_said_to_be("he wrote plays such as ", " for the queen.", "play")
    assert not english.is_said_to_be("at pla called ", ".", "play")


def _ranked(
    folder: Path, texts: list[str], language: Language, asked: str
) -> dict[str, TermCandidate]:
    index = open_index(
        build_textbook([{"text": text} for text in texts], folder, language=language.code).address
    )
    (ranked,) = rank_candidates(
        [analyse("q", language, ((asked, 1.0),))], index, index_language(index)
    )
    return {one.text: one for one in ranked}


def test_the_whole_book_is_read_for_what_is_one(tmp_path: Path) -> None:
    book = [
        "Troy burned, and Priam of Troy died.",
        "Troy was a city. Sparta was a city. Sparta, a city of soldiers, fell.",
        "Cities such as Sparta and Troy fell.",
    ]
    found = _ranked(tmp_path / "book", book, ENGLISH, "Which city burned when Priam died?")
    # was a city, such as … Troy
    assert found["Troy"].features["hypernym"] == math.log1p(2)
    # another candidate of the question's passages, of which that is said three times
    assert found["Sparta"].features["hypernym"] == math.log1p(3)


def test_a_compound_counts_by_its_head_and_no_noun_in_focus_by_nothing(tmp_path: Path) -> None:
    book = ["仏教は日本に伝わった宗教である。", "仏教は奈良で栄えた。"]
    found = _ranked(tmp_path / "book", book, JAPANESE, "日本に伝わった外来宗教は？")
    assert found["仏教"].features["hypernym"] == math.log1p(1)
    found = _ranked(tmp_path / "other", book, JAPANESE, "奈良で栄えたのは？")
    assert found["仏教"].features["hypernym"] == 0.0


def test_how_a_word_is_read_is_an_answer_only_where_that_is_asked(tmp_path: Path) -> None:
    book = ["鴨脚(いちょう)は京都に多い姓である。"]
    assert "いちょう" not in _ranked(tmp_path / "book", book, JAPANESE, "京都に多い姓は？")
    assert "いちょう" in _ranked(
        tmp_path / "other", book, JAPANESE, "京都に多い姓、鴨脚の読み方は？"
    )


def test_a_reading_stands_first_in_the_brackets_behind_kanji() -> None:
    assert is_reading("鴨脚(", "いちょう", "")
    assert not is_reading("モズ(", "はやにえ", "")
    assert not is_reading("鴨脚(別名、", "いちょう", "")
    assert not is_reading("鴨脚(", "ユダ", "")  # katakana alone may be a name
    assert not is_reading("Troy (", "troy", "")
