"""Answers by hand weights over small tables, and the filters and operators under them."""

from __future__ import annotations

import math

import pytest

from answerer.datasearch.operations.records import Derivation
from answerer.datasearch.operations.selection import row_filters
from answerer.datasearch.task import DerivedAnswer, rank
from tests.answerer.datasearch.tables import FARMS, RACES, best, match, ranked, view


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("who won the Hill Climb?", "Ann Lee"),
        ("when was the Night Sprint?", "June 20, 2010"),
        ("how many points did Bo Berg have?", "25"),
        ("which race came after the Harbour Run?", "Hill Climb"),
        ("what was the race before the Night Sprint?", "Hill Climb"),
        ("which race had the most points?", "Night Sprint"),
        ("which race had the least points?", "Hill Climb"),
        ("what is the last race listed?", "Last Lap"),
        ("what is the first race on the chart?", "Grand Opening"),
        ("which team won most times?", "Red"),
        ("who had more points, Bo Berg or Cy Young?", "Cy Young"),
    ],
)
def test_lists_of_records(question: str, answer: str) -> None:
    assert best(question, RACES) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How many goat farms were there in 2020?", "60"),
        ("What area did sheep farms have in 2019?", "4,557"),
        ("Which animal had the largest area in 2020?", "Sheep"),
        ("What was the total area in 2019?", "5,273"),
        ("In which year did goat farms have more area, 2019 or 2020?", "2020"),
    ],
)
def test_statistics(question: str, answer: str) -> None:
    assert best(question, FARMS) == answer


ENERGY = """|Electricity|||Heat
Year|Coal|Gas|Wind|Total
2018|11,500|8,900|1,300|20,050
2019|9,700|9,600|2,150|20,300
2020|7,300|9,100|3,400|18,900"""


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which fuel generated the most electricity in 2020?", "Gas"),
        ("In 2018, which source produced the least electricity?", "Wind"),
        ("In which year was electricity from coal lower, 2018 or 2019?", "2019"),
    ],
)
def test_a_name_is_asked_and_no_figure(question: str, answer: str) -> None:
    assert best(question, ENERGY) == answer


def test_a_word_of_order_that_the_table_has_orders_nothing() -> None:
    text = "|2019|2020\nHighest grade|4|5\nLower grade|7|8"
    assert match("the highest grade in 2019", text).asks_for_order is False
    assert match("the highest figure in 2019", ENERGY).asks_for_order is True


def test_a_total_beside_a_named_row() -> None:
    text = "|Men|Women\nNorland|10|20\nSouthmark|30|40\nTotal|40|60"
    assert best("What was the total number of women in Southmark?", text) == "40"
    assert best("What was the total number of women?", text) == "60"


def test_headings_over_each_other_are_read_apart() -> None:
    text = "地域|人口||増減\n|総数|男|男\n札幌市|200|90|1\n函館市|100|40|2"
    assert best("函館市の男性の人口は何人ですか", text) == "40"


def test_japanese_statistics() -> None:
    text = "地域|総数|男|女\n札幌市|1,973,395|918,682|1,054,713\n函館市|251,084|113,965|137,119"
    assert best("函館市の女の人口はいくつですか", text) == "137,119"
    assert best("男の人口が最も多い地域はどこですか", text) == "札幌市"


def test_years_of_eras_are_years() -> None:
    text = "|平成27年|令和2年\n総数|127,095|126,146"
    assert best("2015年の総数はいくつですか", text) == "127,095"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("平成30年の資源は何トンですか。", "9,900"),
        ("令和元年度の燃えるごみの量は？", "43,511"),
        ("資源が最も多かったのは何年ですか。", "R1"),
    ],
)
def test_eras_by_their_letters_are_years_across_a_japanese_table(
    question: str, answer: str
) -> None:
    assert (
        best(question, "区分|H29|H30|R1\n燃えるごみ|44,980|44,002|43,511\n資源|9,750|9,900|10,020")
        == answer
    )


def test_rounds_by_their_letters_are_no_years() -> None:
    rounds = view("Player|R1|R2|R3\nAnn|70|71|69\nBo|68|73|70")
    assert (rounds.table.matrix, rounds.columns[1].spelt_path) == (False, ("R1",))


def test_days_in_figures_are_found_by_their_names() -> None:
    counts = "Site|Date|Bikes\nQuay|2020-05-01|95\nQuay|2020-05-02|40\nQuay|2020-06-02|71"
    assert best("How many bikes were counted on 2 May 2020?", counts) == "40"
    assert (
        best(
            "How many bikes were counted on 2020-06-02?",
            counts.replace("2020-06-02", "June 2, 2020"),
        )
        == "71"
    )


def test_probabilities_are_those_of_all_derivations() -> None:
    found = ranked("who won the Hill Climb?", RACES)
    assert math.fsum(candidate.probability for candidate in found) == pytest.approx(1.0)
    assert [c.probability for c in found] == sorted((c.probability for c in found), reverse=True)
    assert found[0].derivation.text == "rows that match best (Hill Climb), column Winner"


def test_totals_are_no_plain_rows() -> None:
    (plain,) = [
        item
        for item in row_filters(match("which farm?", "Kind|N\nGoat|4\nSheep|5\nTotal|9"))
        if item.kind == "all"
    ]
    assert plain.rows == (0, 1)


def test_a_word_of_a_columns_own_heading_does_not_tell_its_rows_apart() -> None:
    text = "Dam|Year completed\nAldon Dam|1957\nCole Weir|1934\nBrack Dam|1969"
    assert best("Which is the oldest dam?", text) == "Cole Weir"
    assert best("When was Brack Dam completed?", text) == "1969"


def test_rows_under_a_total_are_no_totals() -> None:
    text = "区分|平成30年|令和元年\n総数|2,400|2,500\n　農業|930|890\n　漁業|220|210\n　製造業|700|760\n　建設業|550|640"
    assert view(text).totals == {0}
    assert best("平成30年に従業者が最も少ない産業は何か。", text) == "漁業"


def test_the_same_figure_in_two_cells_is_two_answers() -> None:
    cells = [
        Derivation("0", (), "a", (0, 1)),
        Derivation("0", (), "b", (1, 1)),
        Derivation("7", (), "c", (2, 1)),
    ]
    found = rank(cells, [0.0, 0.0, math.log(1.5)])
    assert found[0] == DerivedAnswer("7", pytest.approx(1.5 / (1 + 1 + 1.5)), cells[2])


def test_the_same_word_in_two_cells_is_one_answer() -> None:
    cells = [
        Derivation("Red", (), "a", (0, 1)),
        Derivation("Red", (), "b", (1, 1)),
        Derivation("Blue", (), "c", (2, 1)),
    ]
    assert rank(cells, [0.0, 0.0, math.log(1.5)])[0].probability == pytest.approx(2 / (1 + 1 + 1.5))


def test_a_question_of_nothing_known_still_derives() -> None:
    assert best("xyzzy?", RACES)


VISITORS = """国籍|合計|1月|2月|3月
総数|60|12|33|15
韓国|30|6|18|6
台湾|21|5|10|6
タイ|9|1|5|3"""

SPENDING = """都市|米|パン|外食
全国|100|200|300
札幌市|120|250|310
むつ市|90|260|240
東京都|95|210|500"""


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("台湾の2月の宿泊者数は何人ですか。", "10"),
        ("3月の総数は何人か。", "15"),
        ("タイの宿泊者が最も多い月は何月ですか。", "2月"),
        ("1月の宿泊者が最も多い国はどこですか。", "韓国"),
        ("韓国とタイでは、合計が多いのはどちらですか。", "韓国"),
    ],
)
def test_months_across_make_a_table_of_statistics(question: str, answer: str) -> None:
    assert best(question, VISITORS) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("外食の支出が最も多い市はどこですか。", "札幌市"),
        ("パンの支出が最も少ないのはどの市ですか。", "札幌市"),
        ("外食の支出が最も多いのはどこですか。", "東京都"),
    ],
)
def test_places_of_a_kind_are_compared_without_the_whole_country(
    question: str, answer: str
) -> None:
    assert best(question, SPENDING) == answer


def test_of_like_tables_the_one_that_holds_most_of_the_question_answers() -> None:
    men, women = (
        "男性|2015|2020|2025\n0歳|49|46|43\n5歳|53|48|46",
        "女性|2015|2020|2025\n0歳|47|44|41\n5歳|51|47|44",
    )
    assert best("2020年の5歳の女性は何千人ですか。", men, women) == "47"
    assert best("令和2年の5歳の男子は何千人ですか。", men, women) == "48"


LONG = """Country|Indicator|Year|Value
France|Inflation|2019|1.1
France|Inflation|2020|0.5
Italy|Inflation|2019|0.6
Italy|Inflation|2020|-0.1"""


def test_in_a_list_of_indicators_the_value_is_asked_for_by_no_name() -> None:
    assert best("What was the inflation of Italy in 2020?", LONG) == "-0.1"
    assert best("Which country had the highest inflation in 2019?", LONG) == "France"


def test_a_column_of_values_beside_names_that_differ_is_one_like_others() -> None:
    assert view("Coin|Metal|Value\nPenny|Copper|1\nDime|Silver|10\nCent|Copper|1").value_column == 2
    assert view("Coin|Value\nPenny|1\nDime|10\nCent|1").value_column is None


def test_figures_are_ordered_however_their_thousands_are_written() -> None:
    towns = (
        "Town|People|Budget\nBeja|33 401|998.500\nFaro|8 650|2.100.250\nGuarda|105 795|1.250.000"
    )
    assert best("Which town has the most people?", towns) == "Guarda"
    assert best("Which town has the largest budget?", towns) == "Faro"
    assert best("Which town has the cheapest budget?", towns) == "Beja"


LIBRARIES = """Branch|Opened|Books|Loans
Ashfield|1 May 1931|48200|310
Castle Street|3 Oct 1907|151300|1450
Dene Road|25 March 2011|18900|205"""


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is the second largest branch by books?", "Ashfield"),
        ("What is the largest branch by books?", "Castle Street"),
        ("Which is the oldest branch?", "Castle Street"),
        ("Which is the newest branch?", "Dene Road"),
    ],
)
def test_places_and_ages(question: str, answer: str) -> None:
    assert best(question, LIBRARIES) == answer


def test_the_oldest_of_several_libraries_is_told_by_its_date() -> None:
    libraries = """館名|開館日|蔵書数（冊）|貸出数（冊）
中央図書館|1975年4月1日|512,300|804,500
西図書館|1988年11月3日|120,450|201,300
東図書館|2001年7月20日|98,760|188,020"""
    assert best("最も古い図書館はどれですか。", libraries) == "中央図書館"


def test_the_whole_country_is_a_total_with_blanks_in_its_name_too() -> None:
    assert view("県|人口\n全　　国|50\n東 京 都|30\n沖 縄 県|20").totals == {0}


def test_words_of_a_heading_do_not_point_to_rows() -> None:
    libraries = "図書館名|蔵書数（冊）\n県立図書館|900\n村民図書室|20\n海辺図書館|90"
    assert best("最も蔵書数が少ない図書館はどこですか。", libraries) == "村民図書室"
