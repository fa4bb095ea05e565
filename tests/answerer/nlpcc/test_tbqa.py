"""Which part of a candidate table a trace shows, and which of its cells hold words of the
question."""

from __future__ import annotations

from answerer.nlpcc.tbqa import shown_table
from answerer.page.drawn import shown_table as drawn_table
from indexer.formats.table_rows import TableRow


def table(header: list[str], *rows: list[str]) -> TableRow:
    return TableRow(
        1, None, "q", "caption", "_|_".join(header), "_||_".join("_|_".join(row) for row in rows)
    )


def test_cells_with_a_term_are_named_headings_too() -> None:
    found = shown_table(
        table(["Bridges", "Year"], ["Tovey Bridge", "1932"], ["Mill", "1900"]), {"bridg"}
    )
    assert found.columns == (("Bridges",), ("Year",))
    assert found.rows == ((0, ("Tovey Bridge", "1932")), (1, ("Mill", "1900")))
    assert found.matched == ((-1, 0), (0, 0))


def test_of_a_large_table_what_holds_terms_comes_before_the_rest() -> None:
    rows = [[f"r{r}c{c}" for c in range(20)] for r in range(50)]
    rows[40][15] = "the river Tovey"
    found = shown_table(table([f"h{c}" for c in range(20)], *rows), {"tovey"})
    assert [number for number, _ in found.rows] == [0, 1, 2, 3, 4, 40]
    assert [path for (path,) in found.columns] == ["h0", "h1", "h2", "h3", "h4", "h5", "h6", "h15"]
    assert found.matched == ((5, 7),)
    assert found.rows[5][1][7] == "the river Tovey"
    assert found.size == (50, 20)


def test_more_matches_than_fit_are_left_out() -> None:
    found = shown_table(table(["h"], *[["tovey"]] * 9), {"tovey"})
    assert found.matched == tuple((r, 0) for r in range(6))


def test_ragged_rows_are_filled_and_long_cells_cut() -> None:
    found = shown_table(table(["h"], ["x" * 100, "second"], ["y"]), set())
    assert found.columns == (("h",), ("",))
    assert found.rows == ((0, ("x" * 59 + "…", "second")), (1, ("y", "")))


def test_it_is_drawn_with_the_cells_that_matched_and_none_as_the_answer() -> None:
    drawn = drawn_table(shown_table(table(["Bridges", "Year"], ["Mill", "bridge"]), {"bridg"}))
    assert [one.kind for one in drawn.heads] == ["matched", ""]
    assert [[one.kind for one in row] for row in drawn.rows] == [["", "matched"]]
    assert drawn.whole == ""
