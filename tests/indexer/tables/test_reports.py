"""Reports are read as grids with the headings of every cell, from folders and archives, without
what is no report."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import pytest

from indexer.tables.reports import Report, read_reports, read_section

PAGE = """<html><body><h2>第5【経理の状況】</h2><h4>①【貸借対照表】</h4><p>(単位：百万円)</p>
<table table-id="R-0105010-tab1">
<tr><td cell-id="a" rowspan="2">科目</td><td cell-id="b" colspan="2">当事業年度</td></tr>
<tr><td cell-id="c">金額</td><td cell-id="d">構成比</td></tr>
<tr><td cell-id="e">流動資産</td><td cell-id="f"></td><td cell-id="g"></td></tr>
<tr><td cell-id="h">　現金</td><td cell-id="i"><p>※1</p><p>１，２３４</p></td><td cell-id="j">－</td></tr>
<tr><td cell-id="k">　預金</td><td cell-id="l">５，６７８</td><td cell-id="m">－</td></tr>
</table></body></html>"""


def test_spans_headings_and_sections_of_a_cell() -> None:
    (table,), _ = read_section(PAGE.encode(), "0105010", "page")
    cells = {cell.cell_id: cell for cell in table.cells}
    assert (table.headings, table.before) == (
        ("第5【経理の状況】", "1【貸借対照表】"),
        ("(単位:百万円)",),
    )
    assert (cells["i"].left, cells["i"].above, cells["i"].under) == (
        ("現金",),
        ("当事業年度", "金額"),
        ("流動資産",),
    )
    assert cells["j"].above == ("当事業年度", "構成比")
    assert [(cells[one].row, cells[one].column) for one in "cdj"] == [(1, 1), (1, 2), (3, 2)]
    assert [cells[one].kind for one in "ehij"] == ["text", "text", "number", "missing"]


@pytest.mark.parametrize(("end", "year"), [("2019-03-31", 2019), ("", 0), ("平成31年3月31日", 0)])
def test_the_last_year_of_a_report(end: str, year: int) -> None:
    assert Report("R1", (), "", end).last_year == year


def test_a_blank_behind_a_label_is_no_indent() -> None:
    rows = [("資産", 30), ("　現金", 20), ("\n負債　", 10)]
    cells = "".join(f"<tr><td>{label}</td><td>{figure}</td></tr>" for label, figure in rows)
    page = f'<table table-id="t"><tr><td>科目</td><td>金額</td></tr>{cells}</table>'
    (table,), _ = read_section(page.encode(), "0105010", "page")
    under = {cell.shown: cell.under for cell in table.cells}
    assert (under["20"], under["10"]) == (("資産",), ())


def test_signs_that_nobody_sees_are_no_part_of_cells_and_headings() -> None:
    """A soft hyphen, a zero-width space, a mark of direction."""
    marked = (
        PAGE.replace("現金", "現\u00ad金\u200b")
        .replace("金額", "\u200e金額")
        .replace("貸借", "貸\u200b借")
    )
    assert read_section(marked.encode(), "0105010", "page") == read_section(
        PAGE.encode(), "0105010", "page"
    )


def test_entities_of_a_page_are_not_expanded() -> None:
    page = '<!DOCTYPE html [<!ENTITY x SYSTEM "file:///etc/hostname">]>' + PAGE.replace(
        "科目", "&x;科目"
    )
    (table,), _ = read_section(page.encode(), "0105010", "page")
    assert table.cells[0].text in ("&x;科目", "科目")


def archived(path: Path, names: list[str]) -> str:
    with tarfile.open(path, "w:gz") as archive:
        for name in names:
            info = tarfile.TarInfo(name)
            info.size = len(PAGE.encode())
            archive.addfile(info, io.BytesIO(PAGE.encode()))
    return str(path)


def test_a_folder_and_an_archive_give_the_same_and_an_absent_report_no_table(
    tmp_path: Path,
) -> None:
    (tmp_path / "reports/R").mkdir(parents=True)
    (tmp_path / "reports/R/R-0105010.html").write_text(PAGE, "utf-8")
    packed = archived(tmp_path / "reports.tar.gz", ["x/R/R-0105010.html", "x/Q/Q-0105010.html"])
    found = list(read_reports(tmp_path / "reports", ["R", "S"]))
    assert found == list(read_reports(packed, ["R", "S"]))
    assert [(one.doc_id, len(one.tables)) for one in found] == [("R", 1), ("S", 0)]
