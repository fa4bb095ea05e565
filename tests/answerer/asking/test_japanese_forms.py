"""What a Japanese candidate is like: its script, its counter, what is behind it, its brackets."""

from __future__ import annotations

import pytest

from answerer.asking.japanese_forms import has_counter, japanese_forms, particle_behind, wording
from answerer.ntcir.term.candidates import TermCandidate
from answerer.ntcir.term.entity_types import Shape, Span
from retriever.passages import Passage


def candidate(text: str, sentence: str, shape: Shape = "noun") -> TermCandidate:
    start = sentence.index(text)
    passage = Passage("b-1-1", "b-1", "", sentence, 1.0, 1.0)
    return TermCandidate(text, Span(text, start, start + len(text), shape, "一般"), passage)


@pytest.mark.parametrize(
    ("question", "text", "sentence", "has_one"),
    [
        ("祭りには何人が来ましたか", "二百人", "祭りには二百人が来た。", True),
        ("壁の長さは何メートルですか", "300", "壁の長さは300メートルである。", True),
        ("祭りには何人が来ましたか", "二百日", "祭りは二百日続いた。", False),
        ("太郎は何歳で勝ちましたか", "九才", "太郎は九才で勝った。", True),
        ("祭りには誰が来ましたか", "二百人", "祭りには二百人が来た。", None),
    ],
)
def test_the_counter_that_is_asked_for(
    question: str, text: str, sentence: str, has_one: bool | None
) -> None:
    assert has_counter(question, candidate(text, sentence, "number")) is has_one


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("港湾組合の略称は", "short name"),
        ("この橋は何と呼ばれていますか", "called"),
        ("塔を建てたのはどこの国ですか", "country"),
        ("塔を建てたのは誰ですか", ""),
    ],
)
def test_how_a_name_is_asked_for(question: str, name: str) -> None:
    assert wording(question) == name


@pytest.mark.parametrize(
    ("text", "sentence", "behind"),
    [
        ("石川", "橋は石川によって架けられた。", "によって"),
        ("石川", "橋を「石川」が架けた。", "が"),
        ("石川", "橋は石川大橋である。", "other"),
    ],
)
def test_the_particle_behind(text: str, sentence: str, behind: str) -> None:
    assert particle_behind(candidate(text, sentence)) == behind


def test_the_forms_of_a_name_in_brackets() -> None:
    short = candidate("KKR", "港湾組合(KKR)は塔を建てた。")
    assert list(japanese_forms(short, ["港湾", "組合"])) == [
        "script latin", "length 4", "behind )", "in brackets", "in brackets of asked",
    ]  # fmt: skip
    whole = candidate("港湾組合", "港湾組合(KKR)は塔を建てた。")
    assert list(japanese_forms(whole, ["塔"])) == [
        "script kanji", "length 4", "behind (", "before brackets",
    ]  # fmt: skip
