"""KBQA measures: the guideline's and the official tool's, against sums done by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from evaluation import score
from evaluation.measures.answer_sets import accuracy_at, precision_recall, reciprocal_rank
from evaluation.tasks.nlpcc_kbqa import command, report_questions
from evaluation.tasks.results import scores_of
from indexer.files.errors import UserError
from tests.programs import json_lines

RULE = "=" * 50


def blocks(answers: dict[int, str | None]) -> str:
    """A file of questions; None leaves out the answer line."""
    lines = []
    for number, text in answers.items():
        lines.append(f"<question id={number}>\tQ{number}")
        if text is not None:
            lines.append(f"<answer id={number}>\t{text}")
        lines.append(RULE)
    return "\n".join(lines) + "\n"


def run(
    tmp_path: Path, gold: dict[int, str | None], answers: dict[int, str | None], *options: str
) -> Result:
    (tmp_path / "gold").write_text(blocks(gold), "utf-8")
    (tmp_path / "run").write_text(blocks(answers), "utf-8")
    arguments = [str(tmp_path / "gold"), str(tmp_path / "run"), "--format", "jsonl", *options]
    return CliRunner().invoke(command, arguments)


def figures(result: Result) -> dict[str, float]:
    assert result.exception is None, result.exception
    return {row["measure"]: row["value"] for row in json_lines(result.stdout)}


def test_reciprocal_rank_is_that_of_the_first_right_answer() -> None:
    assert reciprocal_rank(["x", "a", "b"], {"a", "b"}) == 1 / 2
    assert reciprocal_rank([], {"a"}) == 0


def test_accuracy_looks_at_the_first_n() -> None:
    assert [accuracy_at(["x", "a"], {"a"}, n) for n in (1, 2)] == [0, 1]


def test_f1_of_two_sets() -> None:
    found = precision_recall(["a", "b", "b", "x"], {"a", "b", "c", "d"})
    assert found == pytest.approx((2 / 3, 2 / 4, 2 * (2 / 3) * (2 / 4) / (2 / 3 + 2 / 4)))
    assert precision_recall([], set()) == (0, 0, 0)


def test_the_guideline_averages_over_all_gold_questions(tmp_path: Path) -> None:
    gold: dict[int, str | None] = {1: "甲\t乙", 2: "Abc", 3: "x", 4: "y"}
    found = figures(run(tmp_path, gold, {1: "丙\t甲", 2: "aBC", 3: ""}))
    assert found["MRR"] == (1 / 2 + 1 + 0 + 0) / 4
    assert found["Accuracy@1"] == (0 + 1 + 0 + 0) / 4
    assert found["Accuracy@3"] == (1 + 1 + 0 + 0) / 4
    assert found["F1"] == (1 / 2 + 1 + 0 + 0) / 4  # the first: P 1/2, R 1/2


def test_signs_that_nobody_sees_make_no_other_answer_under_the_guideline(tmp_path: Path) -> None:
    gold: dict[int, str | None] = {1: "Kath\u00admandu\u200b"}
    answers: dict[int, str | None] = {1: "\ufeffKathmandu\u200e"}
    assert figures(run(tmp_path, gold, answers))["F1"] == 1
    assert figures(run(tmp_path, gold, answers, "--rules", "tool"))["F1"] == 0


def test_accuracy_at_the_ranks_that_are_chosen(tmp_path: Path) -> None:
    gold: dict[int, str | None] = {1: "庚", 2: "乙"}
    found = figures(
        run(tmp_path, gold, {1: "甲\t乙\t丙\t丁\t戊\t己\t庚", 2: "甲\t乙"}, "--at", "7,1,2")
    )
    chosen = {name: value for name, value in found.items() if name.startswith("Accuracy")}
    # The first is right at rank 7, the second at rank 2.
    assert chosen == {"Accuracy@1": 0, "Accuracy@2": 1 / 2, "Accuracy@7": 2 / 2}


@pytest.mark.parametrize("at", ["0", "1,", "1;2", "-1", "a"])
def test_ranks_that_are_none_are_refused(tmp_path: Path, at: str) -> None:
    ended = run(tmp_path, {1: "甲"}, {1: "甲乙"}, "--at", at)
    assert ended.exit_code == 2
    assert "expected whole numbers from 1" in ended.stderr


def test_the_tool_has_no_accuracy(tmp_path: Path) -> None:
    ended = run(tmp_path, {1: "甲"}, {1: "乙"}, "--at", "1", "--rules", "tool")
    assert str(ended.exception).startswith("at: ")
    with pytest.raises(UserError, match="at: the official tool has no Accuracy@N"):
        score("nlpcc-kbqa", tmp_path / "gold", tmp_path / "run", rules="tool", at=(1,))


def test_the_tool_averages_over_the_answered_compares_exactly_and_gives_an_empty_gold(
    tmp_path: Path,
) -> None:
    gold: dict[int, str | None] = {1: "甲\t乙", 2: "Abc", 3: "", 4: "y"}
    found = figures(run(tmp_path, gold, {1: "甲", 2: "abc", 3: "z"}, "--rules", "tool"))
    assert found["P"] == (1 + 0 + 1) / 3
    assert found["R"] == (1 / 2 + 0 + 1) / 3
    assert found["F1"] == pytest.approx((2 / 3 + 0 + 1) / 3)  # 2 * 1 * .5 / 1.5


def test_the_tool_takes_a_trailing_tab_for_an_empty_answer(tmp_path: Path) -> None:
    found = figures(run(tmp_path, {1: "甲"}, {1: "甲\t"}, "--rules", "tool"))
    assert (found["P"], found["R"]) == (1 / 2, 1)


def test_bars_separate_answers_under_the_guideline_only(tmp_path: Path) -> None:
    gold: dict[int, str | None] = {1: "甲 ||| 乙"}
    assert figures(run(tmp_path, gold, {1: "甲"}))["F1"] == pytest.approx(2 * 1 * 0.5 / 1.5)
    assert figures(run(tmp_path, gold, {1: "甲"}, "--rules", "tool"))["F1"] == 0


def test_the_standard_error_is_that_of_the_mean(tmp_path: Path) -> None:
    result = run(tmp_path, {1: "a", 2: "b"}, {1: "a", 2: "x"})
    rows = {row["measure"]: row for row in json_lines(result.stdout)}
    assert rows["F1"]["standard error"] == pytest.approx(1 / 2)  # variance .5 over 2 questions


def test_each_question_can_be_shown(tmp_path: Path) -> None:
    result = run(tmp_path, {1: "a", 2: "b"}, {2: "b"}, "-q")
    rows = json_lines(result.stdout)
    assert [(row["id"], row["gold"], row["system"], row["F1"]) for row in rows] == [
        ("1", "a", "", 0),
        ("2", "b", "b", 1),
    ]


def test_what_does_not_match_is_said(tmp_path: Path) -> None:
    said = run(tmp_path, {1: "a", 2: "b"}, {1: "a", 9: "b"}).stderr
    assert [line.rpartition(": ")[2] for line in said.splitlines()] == ["2", "9"]


@pytest.mark.parametrize(
    ("gold", "answers", "named"),
    [
        ({1: None}, {1: "a"}, "gold: no block has an `<answer id=N>` line"),
        ({1: "a"}, {1: None}, "run: "),
        ({1: "a"}, {2: "a"}, "run: answers none of the questions"),
    ],
)
def test_files_that_cannot_be_scored_are_refused(
    tmp_path: Path, gold: dict[int, str | None], answers: dict[int, str | None], named: str
) -> None:
    error = run(tmp_path, gold, answers).exception
    assert isinstance(error, UserError)
    assert str(error).startswith(f"{tmp_path}/{named}")


def test_an_interval_holds_the_mean(tmp_path: Path) -> None:
    gold: dict[int, str | None] = dict.fromkeys(range(8), "a")
    answers: dict[int, str | None] = {number: "a" if number % 4 else "b" for number in range(8)}
    (_, accuracy, *_) = map(
        json.loads, run(tmp_path, gold, answers, "--interval").stdout.splitlines()
    )
    assert accuracy["low"] < accuracy["value"] == 6 / 8 < accuracy["high"]


def test_questions_can_be_compared_by_f1(tmp_path: Path) -> None:
    run(tmp_path, {1: "a\tb", 2: "b"}, {1: "a"})
    assert scores_of(report_questions(tmp_path / "gold", tmp_path / "run")) == {
        "1": 2 * 1 * 0.5 / 1.5,
        "2": 0.0,
    }
