"""Header paths, sections, units and notes of tables that look like those of statistics offices."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from indexer.languages.japanese import JAPANESE
from indexer.tables.table import read_table
from indexer.tables.workbook import Grid, MergedSpan, read_workbook
from tests.indexer.tables.open_data import milk_workbook


def grid(text: str, merged: tuple[MergedSpan, ...] = ()) -> Grid:
    """A grid from lines of cells between bars, blanks at the left of a cell kept."""
    rows = [
        [cell.rstrip().removeprefix(" ") for cell in line.split("|")]
        for line in text.strip("\n").split("\n")
    ]
    width = max(map(len, rows))
    return Grid("", [row + [""] * (width - len(row)) for row in rows], merged)


def test_a_statistics_sheet() -> None:
    table = read_table(next(read_workbook(milk_workbook(), JAPANESE)))
    assert table.title == "Table 1: Milk deliveries, 2019 and 2020"
    assert table.notes == ("Source: the tests",)
    assert table.columns == (
        (), ("Product",), ("Farms", "2019", "number"), ("Farms", "2020", "number"),
        ("Deliveries", "2019", "litres"), ("Deliveries", "2020", "litres"),
    )  # fmt: skip
    assert (table.labels, table.sections, table.matrix) == (2, 1, True)
    assert table.rows[0] == ("Fresh products", "Whole milk", "1,200", "1,100", "25,000", "26,000")
    assert table.rows[2] == ("Other products", "Cheese", "300", "310", "700", "720")


def test_a_list_of_records_is_no_matrix() -> None:
    table = read_table(grid("Name| Country| Gold\nUsain Bolt| Jamaica| 3\nMo Farah| Britain| 2"))
    assert (table.labels, table.matrix, table.title) == (0, False, "")
    assert table.columns == (("Name",), ("Country",), ("Gold",))
    assert len(table.rows) == 2


def test_shared_headings_without_merged_ranges() -> None:
    table = read_table(
        grid("| Year ended December 31|\n| 2018| 2017\nCargo| 1,237| 1,114\nFuel| 9,307| 6,913")
    )
    assert table.columns == (
        (),
        ("Year ended December 31", "2018"),
        ("Year ended December 31", "2017"),
    )
    assert table.labels == 1


def test_labels_fill_down_beside_their_rows() -> None:
    table = read_table(grid("| | 2018\nCosts:| Fuel| 5\n| Rent| 6\nIncome| | 7\n| Cargo| 8"))
    assert [row[:2] for row in table.rows] == [
        ("Costs:", "Fuel"),
        ("Costs:", "Rent"),
        ("Income", ""),
        ("Income", "Cargo"),
    ]


def test_a_heading_inside_a_heading_and_its_neighbour() -> None:
    text = "| n\nAdults|\nBoth sexes|\n2004| 5\nMales|\n2004| 6\n2015| 7"
    table = read_table(grid(text))
    assert [row[:2] for row in table.rows] == [
        ("Adults", "Both sexes"),
        ("Adults", "Males"),
        ("Adults", "Males"),
    ]
    assert table.sections == 2


def test_a_unit_row_inside_the_body_names_the_rows_below() -> None:
    text = (
        "Drink| 2004| 2015\nShare|\n| %|\nWater| 73.1| 88.1\nQuantity|\n| grams|\nWater| 411| 508"
    )
    table = read_table(grid(text))
    assert table.rows[0][:3] == ("Share", "%", "Water")
    assert table.rows[1][:3] == ("Quantity", "grams", "Water")


def test_a_unit_row_above_no_row_is_a_note() -> None:
    table = read_table(grid("| n| m\nGoat| 5| 6\nHorse| 7| 8\n| grams| %"))
    assert (len(table.rows), table.notes) == (2, ("grams %",))


def test_indented_labels_have_parents() -> None:
    table = read_table(grid("| n\nTotal| 9\n   Goat| 4\n   Horse| 5\nOther| 1"))
    assert [row[:2] for row in table.rows] == [
        ("", "Total"),
        ("Total", "Goat"),
        ("Total", "Horse"),
        ("", "Other"),
    ]


def test_one_blank_only_aligns_figures() -> None:
    table = read_table(grid("| n\n  0～4| 9\n 10～14| 4"))
    assert table.sections == 0


def test_titles_units_and_notes_are_no_rows() -> None:
    table = read_table(
        grid(
            "表1 人口| |\n| | （単位：人）\n地域| 男| 女\n札幌市| 918,682| 1,054,713\n注 外国人を含む| |"
        )
    )
    assert table.title == "表1 人口"
    assert table.notes == ("（単位：人）", "注 外国人を含む")
    assert table.rows == (("札幌市", "918,682", "1,054,713"),)


def test_keys_and_values_above_a_table_of_the_e_stat_database() -> None:
    table = read_table(
        grid(
            "統計名：|国勢調査|||\n表番号：|0010|||\n実施年月：|2020年10月||時点：|2020/10/1\n"
            "***||数字が得られないもの||\n注釈：||||\n||||\n地域 コード|地域|/男女|男|女\n"
            "13000|東京都||6,898,388|7,149,206\n27000|大阪府||4,235,956|4,601,729"
        )
    )
    assert table.title == "統計名： 国勢調査"
    assert table.notes == (
        "表番号： 0010", "実施年月： 2020年10月 時点： 2020/10/1", "*** 数字が得られないもの", "注釈：",
    )  # fmt: skip
    assert table.columns[3:] == (("男",), ("女",))
    assert [row[1] for row in table.rows] == ["東京都", "大阪府"]


def test_a_report_names_itself_above_its_table() -> None:
    table = read_table(
        grid("Report:|Monthly rainfall|\nStation:|Alton|\n||\nMonth|2020|2021\nJan|80.1|60.2")
    )
    assert (table.title, table.notes) == ("Report: Monthly rainfall", ("Station: Alton",))
    assert table.columns == (("Month",), ("2020",), ("2021",))


def test_labels_that_end_in_colons_are_no_keys() -> None:
    costs = read_table(grid("Costs:|2018|2017\nFuel|5|6\nRent|7|8"))
    assert costs.columns == (("Costs:",), ("2018",), ("2017",))
    person = read_table(grid("Name:|Ann\nTown:|York\nBorn:|1970"))
    assert [*person.columns, *person.rows] == [
        ("Name:",),
        ("Ann",),
        ("Town:", "York"),
        ("Born:", "1970"),
    ]


def test_headings_that_html_marks_are_taken_as_they_are() -> None:
    table = read_table(Grid("", [["a", "b"], ["c", "d"], ["e", "f"]], (), 2))
    assert table.columns == (("a", "c"), ("b", "d"))
    assert table.rows == (("e", "f"),)


def test_headings_are_found_where_html_marks_every_row_as_one() -> None:
    rows = [["Year", "Sales"], ["2019", "5"], ["2020", "7"], ["Note: in tons", ""]]
    table = read_table(Grid("", rows, (), 4))
    assert table.columns == (("Year",), ("Sales",))
    assert table.rows == (("2019", "5"), ("2020", "7"))
    assert table.notes == ("Note: in tons",)


def test_a_range_of_empty_cells_at_the_edge_is_left_out() -> None:
    span = MergedSpan(1, 2, 2, 2)
    table = read_table(grid("|Sales|\n|2019|\nOats|5|", (span,)))
    assert table.columns == ((), ("Sales", "2019"))
    assert table.rows == (("Oats", "5"),)


def test_a_lone_label_that_only_a_unit_follows_stays_a_row() -> None:
    table = read_table(grid("|2019|2020\nOats|5|6\nRye|7|8\nImports||\n|tons|tons"))
    assert table.rows == (("Oats", "5", "6"), ("Rye", "7", "8"), ("Imports", "", ""))
    assert table.notes == ("tons",)


def test_an_empty_sheet_has_no_rows() -> None:
    assert read_table(Grid("", [["", ""], ["", ""]])).rows == ()


@given(
    st.lists(
        st.lists(
            st.sampled_from(["", "a", "12", "2015", "%", "Total", "  b"]), min_size=3, max_size=3
        ),
        max_size=9,
    )
)
def test_every_cell_of_any_grid_stays_somewhere(rows: list[list[str]]) -> None:
    table = read_table(Grid("", [list(row) for row in rows]))
    kept = " ".join(
        (table.title, *table.notes, *map(" ".join, table.columns), *map(" ".join, table.rows))
    )
    assert all(cell.strip() in kept for row in rows for cell in row)
    assert all(len(row) == len(table.columns) for row in table.rows)


def test_years_across_make_a_matrix_of_series() -> None:
    series = read_table(grid("区分|合計|2019年|2020年|2021年\n男|9|2|3|4\n女|12|3|4|5"))
    assert (series.matrix, series.labels) == (True, 1)
    records = read_table(grid("Name|2019|2020|Town\nAnn|1|2|York\nBo|3|4|Hull"))
    assert not records.matrix
