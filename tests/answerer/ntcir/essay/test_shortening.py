"""Sentences made shorter: which clauses can go, and which stand alone."""

from __future__ import annotations

import pytest

from answerer.ntcir.essay.language import essay_language
from answerer.ntcir.essay.writing import FORMS, shorten
from indexer.languages.chinese import CHINESE
from indexer.languages.english import ENGLISH
from indexer.languages.japanese import JAPANESE


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The canal, which was long, cost much money.", ["The canal cost much money."]),
        ("The canal cost much money, making Egypt poor.", ["The canal cost much money."]),
        (
            "Babur, a prince from Ferghana, defeated the sultan Lodi.",
            ["Babur defeated the sultan Lodi."],
        ),
        ("In 1526, Babur defeated the sultan of Delhi.", ["Babur defeated the sultan of Delhi."]),
        (
            "Two attempts to invade Japan failed, and revolts against Mongol rule erupted.",
            ["Two attempts to invade Japan failed.", "Revolts against Mongol rule erupted."],
        ),
        (
            "The Company seized the spice islands and was granted a monopoly.",
            ["The Company seized the spice islands."],
        ),
        # A list has one verb: none of its members is a clause, and it is not cut before its last
        # one.
        ("Wheat, barley, goats, and cattle were brought into the region.", []),
        ("In Athens, Sparta, and Corinth, people built temples.", []),
        (
            "Rome fought long wars with Carthage, Macedon, and the Gauls.",
            ["Rome fought long wars with Carthage."],
        ),
        # What opens a sentence is no sentence.
        ("After the walls fell, the sultan entered the city.", ["The sultan entered the city."]),
        ("The canal was opened in 1869.", []),
    ],
)
def test_english_clauses(text: str, expected: list[str]) -> None:
    assert shorten(text, essay_language(ENGLISH), False) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("戦争が始まり、ムガル帝国の支配は終わった。", ["ムガル帝国の支配は終わった。"]),
        # The topic goes with each clause, and た with each that goes on.
        (
            "オスマン帝国はビザンツ帝国を滅ぼし、首都をイスタンブールに移した。",
            [
                "オスマン帝国は首都をイスタンブールに移した。",
                "オスマン帝国はビザンツ帝国を滅ぼした。",
            ],
        ),
        (
            "ブドウの栽培は1860年から続き、各地に広がる。",
            ["ブドウの栽培は1860年から続く。", "ブドウの栽培は各地に広がる。"],
        ),
        # 「には」 is no topic: the second clause has none.
        (
            "1941年にはダルランが就任して、ドイツに譲歩を重ねた。",
            ["1941年にはダルランが就任した。"],
        ),
        ("帝国の都市は包囲されていたが、援軍が近くまで来た。", ["帝国の都市は包囲されていた。"]),
        ("運河は1869年に開通した。", []),
        # The first clause has no subject, and no bracket is parted from its fellow.
        ("長年オスマン帝国の侵略を受け、王国は滅びた。", []),
        ("議員は「王国の存在を認めず、併合を続ける」と述べた。", []),
    ],
)
def test_japanese_clauses(text: str, expected: list[str]) -> None:
    assert shorten(text, essay_language(JAPANESE), False) == expected


@pytest.mark.parametrize(
    ("goes_on", "ended"),
    [
        ("書き", "書いた"),
        ("防ぎ", "防いだ"),
        ("移し", "移した"),
        ("勝ち", "勝った"),
        ("破り", "破った"),
        ("行い", "行った"),
        ("死に", "死んだ"),
        ("滅び", "滅びた"),
        ("学び", "学んだ"),
        ("望み", "望んだ"),
        ("続けており", "続けていた"),
        ("置いて", "置いた"),
        ("学んで", "学んだ"),
        ("国王であり", "国王であった"),
    ],
)
def test_a_japanese_clause_that_goes_on_ends_in_the_past(goes_on: str, ended: str) -> None:
    text = f"その皇帝は三つの首都で{goes_on}、元老院の支持を失った。"
    assert f"その皇帝は三つの首都で{ended}。" in shorten(text, essay_language(JAPANESE), False)


def test_where_the_limit_is_tight_a_sentence_is_cut_at_commas_too() -> None:
    text = "戦後、憲法の制定が求められた。"
    assert shorten(text, essay_language(JAPANESE), False) == []
    assert shorten(text.replace("憲法", "新しい共和国の憲法"), essay_language(JAPANESE), True) == [
        "新しい共和国の憲法の制定が求められた。"
    ]


def test_a_sentence_has_so_many_forms_at_most_and_the_longest_come_first() -> None:
    text = (
        "王国は"
        + "、".join(f"{number}番目の都市を占領し" for number in range(1, 8))
        + "、ついに滅びた。"
    )
    forms = shorten(text, essay_language(JAPANESE), False)
    assert len(forms) == FORMS
    assert [len(form) for form in forms] == sorted(map(len, forms), reverse=True)
    assert shorten("罗马帝国分裂，东部继续存在。", essay_language(CHINESE), False) == []


@pytest.mark.parametrize(
    "text",
    [
        "Where Europeans ruled through local leaders, and taxed the villages, trade grew.",
        "Although the soldiers served the sultan, and guarded his palace, they were slaves.",
    ],
)
def test_a_subordinate_clause_is_no_sentence_by_itself(text: str) -> None:
    for form in shorten(text, essay_language(ENGLISH), tight=True):
        assert "trade" in form or "slaves" in form
