"""A Japanese answer to 誰 is a name that the question does not have, one to 何歳 has 歳, and one to
何年 is a year."""

from __future__ import annotations

import pytest

from answerer.asking.japanese_answers import fitting_answers, misfit
from answerer.ntcir.term.candidates import TermCandidate
from answerer.ntcir.term.entity_types import Shape, Span
from retriever.passages import Passage


def candidate(text: str, speech: str, sentence: str = "", shape: Shape = "noun") -> TermCandidate:
    start = max(0, sentence.find(text))
    passage = Passage("b-1-1", "b-1", "", sentence, 1.0, 1.0)
    return TermCandidate(text, Span(text, start, start + len(text), shape, speech), passage)


@pytest.mark.parametrize(
    ("question", "text", "speech", "fits"),
    [
        ("花子から賞を受けたのは誰ですか", "努力", "サ変接続", False),
        ("花子から賞を受けたのは誰ですか", "花子", "人名", False),
        ("花子から賞を受けたのは誰ですか", "太郎", "人名", True),
        ("花子から賞を受けたのは誰ですか", "画家", "一般", True),
        ("花子から賞を受けたのは誰ですか", "ミレイ", "一般", True),
        ("ミレイ法典を定めたのはだれですか", "ミレイ", "一般", True),
        ("花子は何を受けましたか", "賞", "一般", True),
        ("花子が訪れたのはどこですか", "同市", "一般", False),
    ],
)
def test_who_is_answered_by_a_name(question: str, text: str, speech: str, fits: bool) -> None:
    answer = candidate(text, speech)
    assert fitting_answers(question, [answer]) == [answer] * fits


def test_a_number_has_the_counter_of_the_question() -> None:
    crowd = candidate("約二千人", "数", "約二千人が見た。", "number")
    age = candidate("九才", "数", "太郎は九才で勝った。", "number")
    assert fitting_answers("太郎は何歳で勝ちましたか", [crowd, age]) == [age]
    assert (
        misfit("太郎は何歳で勝ちましたか", crowd) == "this asks 何歳, and “約二千人” is not in 歳"
    )
    assert not misfit("太郎は何人に勝ちましたか", crowd)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("橋は町から何位ですか", "二千人"),
        ("橋を守るのは第何条ですか", "三つ"),
        ("祭りは何年に一度ですか", "17回"),
    ],
)
def test_a_place_article_or_period_is_counted_as_such(question: str, text: str) -> None:
    assert misfit(question, candidate(text, "数", shape="number"))


def test_a_day_of_the_week_is_no_date() -> None:
    date = candidate("1931年5月", "数", shape="time")
    assert misfit("市場が休むのは何曜日ですか", date)
    assert not misfit("市場が休むのは何曜日ですか", candidate("月曜", "副詞可能"))
    assert not misfit("市場が休むのはいつですか", date)


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("橋が建ったのは何年ですか", ["1931年", "1920年"]),
        ("橋が建った年は？", ["1931年", "1920年"]),
        ("橋が建ったのは何年何月ですか", ["1931年5月10日", "1931年8月", "1920年"]),
        ("橋が建ったのはいつですか", ["1931年5月10日", "1931年8月", "1920年"]),
    ],
)
def test_a_year_is_asked_for_without_month_and_day(question: str, answers: list[str]) -> None:
    dates = [
        candidate(text, "数", shape="time") for text in ("1931年5月10日", "1931年8月", "1920年")
    ]
    assert [one.text for one in fitting_answers(question, dates)] == answers


@pytest.mark.parametrize(
    ("question", "sentence", "fits"),
    [
        ("町には何がありますか", "町には有名な橋がある。", False),
        ("町には何がありますか", "町の橋は有名になった。", False),
        ("町の橋はどうなりましたか", "町の橋は有名になった。", True),
    ],
)
def test_an_adjectival_noun_says_how_and_not_what(question: str, sentence: str, fits: bool) -> None:
    answer = candidate("有名", "形容動詞語幹", sentence)
    assert fitting_answers(question, [answer]) == [answer] * fits


@pytest.mark.parametrize("sentence", ["町は平和を求めた。", "町の望みは平和である。"])
def test_an_adjectival_noun_may_be_a_thing(sentence: str) -> None:
    answer = candidate("平和", "形容動詞語幹", sentence)
    assert fitting_answers("町の望みは何ですか", [answer]) == [answer]


def test_a_year_comes_before_a_period() -> None:
    period = candidate("王政時代", "一般", "橋は王政時代の1931年に建った。", "period")
    year = candidate("1931年", "数", "橋は王政時代の1931年に建った。", "time")
    assert fitting_answers("橋が建ったのは何年ですか", [period, year]) == [year, period]
    assert fitting_answers("橋が建ったのはいつですか", [period, year]) == [period, year]


def test_from_when_to_when_gets_both_ends() -> None:
    end = candidate("1935年", "数", "橋は1931年5月から1935年まで閉じた。", "time")
    (answer,) = fitting_answers("橋はいつからいつまで閉じていましたか", [end])
    assert answer.text == "1931年5月から1935年"
    assert fitting_answers("橋はいつまで閉じていましたか", [end]) == [end]
