"""Statistics asked as people ask: choices, lists, changes, what a name is asked of, misspelt
words."""

from __future__ import annotations

import pytest

from tests.answerer.datasearch.tables import best, match

BAKERIES = """Type of bakery|Loaves sold||Owners with a second job
|2019|2020|percent
Village and roadside|120|140|38.5
Market hall|310|280|41.2
Hotel and canteen|95|60|12.0
Steam mill|30|45|44.0"""


READERS = """|Share of readers|Interval
||from|to
Aged 6 to 12|
2010|41.0|38.0|44.0
2020|30.5|27.0|34.0
Aged 13 to 17|
2010|22.4|20.0|25.0
2020|35.9|33.0|39.0
Aged 18 and over|
2010|18.3|17.0|20.0
2020|21.7|20.0|23.0"""


def test_one_of_two_that_are_named_in_part() -> None:
    question = "Which sold more loaves in 2020, village bakeries or hotel bakeries?"
    assert best(question, BAKERIES) == "Village and roadside"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which types sold fewer than 100 loaves in 2019?", "Hotel and canteen, Steam mill"),
        ("Which type sold fewer than 50 loaves in 2019?", "Steam mill"),
        ("Which types sold more than 130 loaves in 2020?", "Village and roadside, Market hall"),
    ],
)
def test_labels_that_fulfil_a_comparison_are_listed_where_several_are_asked(
    question: str, answer: str
) -> None:
    assert best(question, BAKERIES) == answer


@pytest.mark.parametrize("total", ["総額", "全体", "全世界", "World", "世 界"])
def test_what_is_called_the_whole_is_not_the_most(total: str) -> None:
    table = f"国・地域|輸出額|差引額\n{total}|68,399|388\nアメリカ|12,610|5,157\n中国|15,081|△2,425\n韓国|4,766|1,924"
    assert best("輸出額が最も多い国はどこか", table) == "中国"


@pytest.mark.parametrize(
    "dates",
    [
        "2020-01-02 2020-01-03 2020-02-03",
        "2020/1/2 2020/01/03 2020/2/3",
        "令和2年1月2日 令和2年1月3日 令和2年2月3日",
    ],
)
@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What was the close on January 3, 2020?", "14.0"),
        ("What was the close on 2020-01-02?", "10.5"),
        ("What was the open on 3 February 2020?", "12.2"),
        ("2020年1月3日のcloseは？", "14.0"),
    ],
)
def test_a_date_is_found_however_the_table_writes_it(
    dates: str, question: str, answer: str
) -> None:
    first, second, third = dates.split()
    assert (
        best(question, f"Date|Open|Close\n{first}|10.1|10.5\n{second}|10.6|14.0\n{third}|12.2|11.1")
        == answer
    )


def test_a_misspelt_label_is_found() -> None:
    found = match("How many loaves did the marckt hall and the steem mill sell?", BAKERIES)
    assert {row for row in found.row_masks if found.row_weight(found.row_masks[row]) > 0} >= {1, 3}
