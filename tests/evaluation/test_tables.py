"""How figures are printed: aligned, tab-separated, JSON lines."""

from __future__ import annotations

import json

import pytest

from evaluation.tables import print_rows, rows_of_groups
from indexer.files.errors import UserError

ROWS: list[dict[str, object]] = [
    {"id": "A1", "share": 0.5, "score": 1 / 3, "n": 3},
    {"id": "世界史", "share": None, "score": 2.0, "n": 12, "note": "a\tb"},
]


def printed(capsys: pytest.CaptureFixture[str], form: str) -> str:
    print_rows(ROWS, form)
    return capsys.readouterr().out


def test_a_table_aligns_wide_characters_and_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, "table").splitlines() == [
        "id      share   score   n  note",
        "A1       0.50  0.3333   3",
        "世界史      –  2.0000  12  a b",
    ]


def test_tsv_keeps_numbers_whole_and_cells_apart(capsys: pytest.CaptureFixture[str]) -> None:
    header, first, second = printed(capsys, "tsv").splitlines()
    assert header.split("\t") == ["id", "share", "score", "n", "note"]
    assert first.split("\t") == ["A1", "0.5", str(1 / 3), "3", ""]
    assert second.split("\t") == ["世界史", "", "2.0", "12", "a b"]


def test_json_lines_hold_the_rows_themselves(capsys: pytest.CaptureFixture[str]) -> None:
    assert [json.loads(line) for line in printed(capsys, "jsonl").splitlines()] == ROWS


def test_tsv_holds_no_formula_and_no_control_character(capsys: pytest.CaptureFixture[str]) -> None:
    texts = ["=1+1", "@SUM(A1)", "-A1", "+1", "-0.5", "a=b", "\x1b[31mred\x9b"]
    print_rows([{"text": text} for text in texts], "tsv")
    assert capsys.readouterr().out.splitlines()[1:] == [
        "'=1+1",
        "'@SUM(A1)",
        "'-A1",
        "+1",
        "-0.5",
        "a=b",
        "\\x1b[31mred\\x9b",
    ]


@pytest.mark.parametrize("form", ["table", "tsv", "jsonl"])
def test_no_rows_print_nothing(capsys: pytest.CaptureFixture[str], form: str) -> None:
    print_rows([], form)
    assert capsys.readouterr().out == ""


GROUPED: list[tuple[str, dict[str, object]]] = [
    ("all", {"share": 0.5}),
    ("shape", {"share": 1.0}),
    ("answer × knowledge type", {"share": 0.0}),
]


@pytest.mark.parametrize(
    ("groups", "form", "shares"),
    [
        ((), "table", [0.5]),
        ((), "tsv", [0.5, 1.0, 0.0]),
        (("Shape",), "table", [0.5, 1.0]),
        (("answer-knowledge-type",), "jsonl", [0.5, 0.0]),
    ],
)
def test_a_table_has_the_total_and_the_groups_asked_for(
    groups: tuple[str, ...], form: str, shares: list[float]
) -> None:
    assert [row["share"] for row in rows_of_groups(GROUPED, groups, form)] == shares


def test_a_group_that_no_row_is_of_is_refused() -> None:
    with pytest.raises(UserError, match=r"--by x: .* shape, answer-knowledge-type"):
        rows_of_groups(GROUPED, ("x",), "table")
