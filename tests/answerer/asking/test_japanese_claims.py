"""A sentence contradicts a Japanese claim by its particles, opposites, negation or dates."""

from __future__ import annotations

import pytest

from answerer.ntcir.claims.japanese_claims import differences, is_stated, lacks_noun


def parts(claim: str, sentence: str) -> list[str]:
    return [difference.part for difference in differences(claim, sentence)]


@pytest.mark.parametrize(
    ("claim", "sentence", "part"),
    [
        ("大阪は京都を破りましたか", "京都は1923年に大阪を破った。", "roles"),
        ("町は島から港に移りましたか", "町は港から島に移った。", "roles"),
        ("市長は橋を廃止しましたか", "市長は橋を導入した。", "opposite"),
        ("大阪は京都に敗れましたか", "大阪は京都を破った。", "opposite"),
        ("市長は橋を渡りましたか", "市長は橋を渡らなかった。", "negation"),
        ("市長は橋を渡りませんでしたか", "市長は橋を渡った。", "negation"),
        ("橋は1920年に建ちましたか", "橋は1931年に建った。", "number"),
        ("市長は14歳で橋を渡りましたか", "市長は5歳で橋を渡った。", "number"),
        ("橋は90万ドルでしたか", "橋は1億900万ドルだった。", "number"),
        ("市長は船を沈めましたか", "市長は船に沈められた。", "roles"),
        ("橋は前3世紀に建ちましたか", "橋は前2世紀に建った。", "number"),
    ],
)
def test_what_contradicts(claim: str, sentence: str, part: str) -> None:
    assert part in parts(claim, sentence)


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("京都は大阪を破りましたか", "京都は1923年に大阪を破った。"),
        ("京都は大阪に敗れましたか", "大阪は京都を破った。"),
        ("市長は橋を渡りましたか", "市長は橋を渡った。"),
        ("橋は1931年に建ちましたか", "橋は1931年10月に建った。"),
        ("船は市長に沈められましたか", "市長は船を沈めた。"),
        ("船は市長によって港に移されましたか", "市長は船を港に移した。"),
        # of another matter nothing is said
        ("橋は1920年に建ちましたか", "橋は広い。"),
        ("", ""),
    ],
)
def test_what_does_not(claim: str, sentence: str) -> None:
    assert parts(claim, sentence) == []


def test_yes_is_stated_only_with_the_same_roles() -> None:
    assert is_stated("町は橋を壊しましたか", "橋は町に壊された。")
    assert not is_stated("町は橋を壊しましたか", "町では橋が話題で、壁を壊した。")


def test_a_verbal_noun_is_no_noun_of_a_claim() -> None:
    assert lacks_noun("市長は法令を発布しましたか", ["法令"])
    assert not lacks_noun("市長は法令を発布しましたか", ["発布"])
