"""Gold, runs and traces joined: which row belongs to which question, and what does not fit
together."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
import pytest

from evaluation.report.data import Bin, Group, Step, divisions, report_data, run_figures, supports
from evaluation.tasks.results import Reported, ReportedQuestion
from indexer.files.errors import UserError
from tests.refusals import raises_at


class Known:
    """A task whose runs are known: the questions of each, by the run's name."""

    command = click.Command("known")

    def __init__(self, **runs: Reported) -> None:
        self.runs = runs

    def report_questions(self, gold: Path, run: Path) -> Reported:
        return self.runs[run.name]


def trace(folder: Path, *rows: dict[str, Any], **header: Any) -> Path:
    path = folder / f"trace-{len(list(folder.iterdir()))}.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in [{"run": header}, *rows]), "utf-8")
    return path


def row(question_id: str, system: str = "1", exam: str = "", margin: float = 1.0) -> dict[str, Any]:
    candidates = [{"id": "1", "text": "a", "score": margin}, {"id": "2", "text": "b", "score": 0.0}]
    return {
        "question_id": question_id,
        "exam": exam,
        "shape": "s",
        "system": system,
        "candidates": candidates,
    }


def questions(*scores: float, **more: Any) -> Reported:
    return Reported(
        "right", [ReportedQuestion(f"A{n}", s, **more) for n, s in enumerate(scores, 1)], True
    )


GOLD = Path("gold")


def test_a_question_asked_again_takes_the_next_row_of_its_name(tmp_path: Path) -> None:
    told = Reported("right", [ReportedQuestion("A1", 1.0), ReportedQuestion("A1", 0.0)])
    path = trace(tmp_path, row("A1", "1"), row("A1", "2"))
    found = report_data("t", Known(run=told), GOLD, [Path("run")], [path]).questions
    assert [one.runs[0].drawn.answer for one in found if one.runs[0].drawn] == ["1", "2"]
    assert [one.name for one in found] == ["A1", "A1 (2)"]
    assert len({one.anchor for one in found}) == 2


def test_rows_go_to_their_exam(tmp_path: Path) -> None:
    told = Reported(
        "right", [ReportedQuestion("A1", 1.0, exam="x"), ReportedQuestion("A1", 0.0, exam="y")]
    )
    path = trace(tmp_path, row("A1", "2", "y"), row("A1", "1", "x"))
    found = report_data("t", Known(run=told), GOLD, [Path("run")], [path]).questions
    assert [(one.name, one.runs[0].drawn.answer) for one in found if one.runs[0].drawn] == [
        ("x A1", "1"),
        ("y A1", "2"),
    ]


def test_guessing_among_given_choices_is_one_in_their_number(tmp_path: Path) -> None:
    path = trace(tmp_path, row("A1"))
    found = report_data("t", Known(run=questions(1.0)), GOLD, [Path("run")], [path])
    assert found.questions[0].question.chance == 1 / 2


def test_what_does_not_belong_together_is_refused(tmp_path: Path) -> None:
    module = Known(run=questions(1.0), other=questions(1.0, 0.0))
    with pytest.raises(UserError, match=r"^2 .* 1 "):
        report_data("t", module, GOLD, [Path("run")], [Path("a"), Path("b")])
    with raises_at("other"):
        report_data("t", module, GOLD, [Path("run"), Path("other")], [])
    of_another_task = trace(tmp_path, row("A1"), task="selqa")
    with raises_at(of_another_task) as error:
        report_data("t", module, GOLD, [Path("run")], [of_another_task])
    assert "selqa" in str(error.value)
    of_another_run = trace(tmp_path, row("B9"))
    with raises_at(of_another_run):
        report_data("t", module, GOLD, [Path("run")], [of_another_run])
    damaged = trace(tmp_path, {"question_id": "A1", "candidates": [{"score": "high"}]})
    with raises_at(damaged, 2):
        report_data("t", module, GOLD, [Path("run")], [damaged])
    with raises_at(GOLD):
        report_data("t", Known(run=Reported("right", [])), GOLD, [Path("run")], [])


@pytest.mark.parametrize(
    ("told", "system", "said"),
    [
        (ReportedQuestion("A1", 1.0, gold_ids=frozenset("1"), answer="1"), "1", False),
        (ReportedQuestion("A1", 1.0, gold_ids=frozenset("1"), answer="1"), "2", True),
        (ReportedQuestion("A1", 1.0, gold=("a", "b"), answer="a ||| b"), "a\tb", False),
        (ReportedQuestion("A1", 1.0, gold=("a",), answer="a"), ["b"], True),
        (ReportedQuestion("A1", 0.5, answer="0.5000"), "essay.xml", False),
        (ReportedQuestion("A1", 1.0, gold_ids=frozenset("1")), "2", True),
        (ReportedQuestion("A1", 0.5, gold_ids=frozenset("1")), "2", False),
    ],
    ids=[
        "choice",
        "other choice",
        "texts",
        "other text",
        "no gold answers",
        "scores, right",
        "scores, not right",
    ],
)
def test_a_trace_that_answers_otherwise_than_its_run_is_told(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    told: ReportedQuestion,
    system: Any,
    said: bool,
) -> None:
    path = trace(tmp_path, row("A1", system))
    report_data("t", Known(run=Reported("right", [told])), GOLD, [Path("run")], [path])
    warning = (
        f"warning: {path}: answers 1 of 1 questions differently from the run (the first is A1)\n"
    )
    assert capsys.readouterr().err == (warning if said else "")


@pytest.mark.parametrize(("text", "said"), [("Who  built it?", False), ("Who?", True), ("", False)])
def test_a_trace_that_asks_otherwise_than_the_gold_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, said: bool
) -> None:
    path = trace(tmp_path, {**row("A1"), "question": "Who built it?"})
    told = ReportedQuestion("A1", 0.5, gold_ids=frozenset("1"), text=text)
    report_data("t", Known(run=Reported("right", [told])), GOLD, [Path("run")], [path])
    asked = f"warning: {path}: asks 1 of 1 questions with another text than the gold (the first is A1)\n"
    assert capsys.readouterr().err == (asked if said else "")


def test_runs_are_called_by_their_methods_where_these_differ(tmp_path: Path) -> None:
    module = Known(**{"one.xml": questions(1.0), "two.xml": questions(0.0)})
    runs = [Path("one.xml"), Path("two.xml")]
    traces = [
        trace(tmp_path, row("A1"), method="names"),
        trace(tmp_path, row("A1"), method="slqal"),
    ]
    assert [run.name for run in report_data("t", module, GOLD, runs, traces).runs] == [
        "names",
        "slqal",
    ]
    assert [run.name for run in report_data("t", module, GOLD, runs, traces[:1]).runs] == [
        "one",
        "two",
    ]


def test_margins_are_counted_in_equal_steps_and_calibrated_in_equal_groups(tmp_path: Path) -> None:
    margins = [1.0, 2.0, 3.0, 4.0, 5.0, 16.0]
    told = questions(0.0, 0.0, 1.0, 1.0, 1.0, 1.0, worth=5.0)
    path = trace(tmp_path, *(row(f"A{n}", margin=m) for n, m in enumerate(margins, 1)))
    found = run_figures(report_data("t", Known(run=told), GOLD, [Path("run")], [path]), 0)
    assert (found.right, found.points) == (4, (20.0, 30.0))
    assert found.margins[1:4] == [Bin(1.0, 2.0, 0, 1), Bin(2.0, 3.0, 0, 1), Bin(3.0, 4.0, 1, 0)]
    assert found.margins[-1] == Bin(15.0, 16.0, 1, 0)
    error = (1 / 3 * 2 / 3 / 3) ** 0.5
    assert found.steps == [Step(2.0, 1 / 3, pytest.approx(error), 3), Step(5.0, 1.0, 0.0, 3)]


def test_classes_have_their_means_the_largest_first() -> None:
    told = Reported(
        "right",
        [
            ReportedQuestion(str(n), float(n > 1), kinds={"type": "x" if n < 3 else "y"})
            for n in range(4)
        ],
    )
    found = divisions(report_data("t", Known(run=told), GOLD, [Path("run")], []))
    assert list(found) == ["type"]
    assert found["type"][0] == Group("x", 3, [(1 / 3, pytest.approx((2 / 3 / 2 / 3) ** 0.5))], None)
    assert found["type"][1] == Group("y", 1, [(1.0, None)], None)


def test_open_questions_are_supported_where_a_candidate_is_right(tmp_path: Path) -> None:
    told = Reported("F1", [ReportedQuestion("A1", 1.0, ["a"]), ReportedQuestion("A2", 0.0, ["z"])])
    path = trace(tmp_path, row("A1", "a"), row("A2", "a"))
    assert (
        run_figures(report_data("t", Known(run=told), GOLD, [Path("run")], [path]), 0).supported
        == 1 / 2
    )


def test_given_choices_are_supported_where_the_right_one_has_a_passage(tmp_path: Path) -> None:
    def shown(question_id: str, *with_passage: int) -> dict[str, Any]:
        found = row(question_id)
        for place in with_passage:
            found["candidates"][place]["evidence"] = [
                {"doc_id": "d", "text": "t", "score": 1.0, "terms": {}}
            ]
        return found

    told = questions(1.0, 0.0, 0.0, gold_ids=frozenset("1"))
    path = trace(tmp_path, shown("A1", 0, 1), shown("A2", 1), shown("A3"))
    found = report_data("t", Known(run=told), GOLD, [Path("run")], [path])
    assert supports(found, 0) == [True, False, False]
    assert run_figures(found, 0).supported == 1 / 3


def test_a_run_that_shows_no_passages_tells_nothing_of_support(tmp_path: Path) -> None:
    told = questions(1.0, 0.0, gold_ids=frozenset("1"))
    found = report_data(
        "t", Known(run=told), GOLD, [Path("run")], [trace(tmp_path, row("A1"), row("A2"))]
    )
    assert supports(found, 0) == [None, None]
    assert run_figures(found, 0).supported is None
