"""`evaluation u4-tqa` and `u4-tr`: values compared as the organisers do, ids refused, errors over
reports, by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evaluation.tasks import u4_tqa, u4_tr
from evaluation.tasks.u4 import normal_value
from indexer.files.errors import UserError
from tests.refusals import raises_at


@pytest.mark.parametrize(
    ("written", "compared"),
    [
        ("1,234百万円", "1234000000.0000"),
        ("１２千円", "12000.0000"),
        ("12千", "12000.0000"),
        ("△ 5", "-5.0000"),
        ("49.7%", "0.4970"),
        ("100株", "100.0000"),
        ("-0", "0.0000"),
        ("取締役 社長", "取締役社長"),
        ("1年", "1.0000"),
        ("5%減", "5%減"),
    ],
)
def test_a_value_as_the_organisers_compare_it(written: str, compared: str) -> None:
    assert normal_value(written) == compared


def test_accuracy_and_its_error_over_reports(tmp_path: Path) -> None:
    gold = {f"q{number}": f"{report}-1-tab1" for number, report in enumerate("AAAABB")}
    run = gold | {"q0": "A-1-tab2", "q1": "A-1-tab2", "q2": ""}
    for name, found in (("gold", gold), ("run", run)):
        (tmp_path / name).write_text(json.dumps(found), "utf-8")
    (row,) = u4_tr.score(tmp_path / "gold", tmp_path / "run").rows
    # 3 of 6; residuals of A sum to 1 - 4 * .5 = -1, of B to 1: sqrt((1 + 1) * 2 / 1) / 6
    assert row["value"] == 0.5
    assert row["standard error by report"] == pytest.approx(2 / 6)


@pytest.mark.parametrize("ids", [["q1"], ["q1", "q2", "q3"]])
def test_a_run_of_other_ids_is_refused(ids: list[str], tmp_path: Path) -> None:
    for name, own in (("gold", ["q1", "q2"]), ("run", ids)):
        (tmp_path / name).write_text(
            json.dumps({one: {"cell_id": "c", "value": "1"} for one in own}), "utf-8"
        )
    with pytest.raises(UserError):
        u4_tqa.report_questions(tmp_path / "gold", tmp_path / "run")


def test_a_blank_sheet_in_place_of_the_gold_is_refused(tmp_path: Path) -> None:
    for name, value in (("gold", ""), ("run", "1")):
        answers = {"q1": {"cell_id": value, "value": value}}
        (tmp_path / name).write_text(json.dumps(answers), "utf-8")
    with raises_at(tmp_path / "gold"):
        u4_tqa.report_questions(tmp_path / "gold", tmp_path / "run")
