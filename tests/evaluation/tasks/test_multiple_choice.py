"""`python -m evaluation ntcir-mc`: points by hand, pairing, misaligned gold, shares by kind, the
paper's Table 2."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from answerer.formats.exam.parts import answer_table_text
from evaluation.tasks.ntcir_mc import command, report_questions
from evaluation.tasks.results import scores_of
from tests.answerer.ntcir.multiple_choice.table2 import ROWS
from tests.programs import figures, refusal
from tests.refusals import names, raises_at

EXAM = "Center-2005--Main-WorldHistoryB"


def gold_row(
    column: str, answer: str, score: str = "3", number: str = "", kind: str = "sentence"
) -> str:
    printed = f"<answer_column>{number}</answer_column>" if number else ""
    return (
        f"<data>{printed}<answer>{answer}</answer><score>{score}</score><answer_type>{kind}</answer_type>"
        f"<knowledge_type>KS</knowledge_type><anscolumn_ID>{column}</anscolumn_ID></data>\n"
    )


def gold(folder: Path, *rows: str, filename: str = EXAM, name: str = "gold.xml") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    attribute = f' filename="{filename}"' if filename else ""
    path.write_text(f"<answerTable{attribute}>\n{''.join(rows)}</answerTable>", "utf-8")
    return path


def run_file(
    folder: Path, *answers: tuple[str, str], filename: str = EXAM, name: str = "run.xml"
) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(answer_table_text(filename, answers), "utf-8")
    return path


def trace_file(folder: Path, *rows: dict[str, object]) -> Path:
    path = folder / "trace.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in ({"run": {}}, *rows)) + "\n", "utf-8")
    return path


def trace_row(
    column: str, asks: str, system: str, scores: tuple[float, ...], shape: str = "sentence"
) -> dict[str, object]:
    candidates = [{"id": str(n), "score": score} for n, score in enumerate(scores, 1)]
    return {
        "question_id": column,
        "asks": asks,
        "shape": shape,
        "system": system,
        "candidates": candidates,
    }


def evaluate(*arguments: str | Path) -> Result:
    return CliRunner().invoke(command, [str(argument) for argument in arguments])


def rows_of(*arguments: str | Path) -> list[dict[str, object]]:
    return figures("ntcir-mc", *arguments)


refused = partial(refusal, command)


def test_a_run_of_another_name_is_scored_when_told_so_and_loudly(tmp_path: Path) -> None:
    key = gold(tmp_path, gold_row("A1", "1"), filename="Center-2009--Main-SekaishiB")
    for name in ("exam", "Center-2009--Main-WorldHistoryB"):
        run = run_file(tmp_path, ("A1", "1"), filename=name)
        assert "--any-name" in refused(key, run)
        done = evaluate(key, run, "--any-name", "--format", "jsonl")
        assert json.loads(done.stdout.splitlines()[0])["points"] == 3
        assert done.stderr.startswith("warning: ")
        assert "do not name the same exam" in done.stderr


def test_a_run_without_gold_of_its_name_is_refused(tmp_path: Path) -> None:
    for name in ("A2005", "B2005"):
        gold(tmp_path / "gold", gold_row("A1", "1"), filename=f"gold {name} x", name=f"{name}.xml")
        run_file(tmp_path / "run", ("A1", "1"), filename=f"run {name}", name=f"{name}.xml")
    assert "no gold for exam run A2005" in refused(tmp_path / "gold", tmp_path / "run")


def test_gold_and_run_in_the_wrong_order_are_told(tmp_path: Path) -> None:
    key, run = gold(tmp_path, gold_row("A1", "1")), run_file(tmp_path, ("A1", "1"))
    assert "swapped? The gold comes first" in refused(run, key)
    assert evaluate(key, run).exception is None


def test_a_wrong_choice_of_a_question_file_is_no_answer_without_a_choice(tmp_path: Path) -> None:
    key, run = tmp_path / "quiz.txt", tmp_path / "run.tsv"
    key.write_text("1. Who?\nA) Ann\nB) Bob\nAnswer: A\n2. Who?\nA) Ann\nB) Bob\nAnswer: A\n")
    run.write_text("id\tanswer\n1\tB\n2\tC\n")
    assert evaluate(key, run).stderr == "answers that are not choices, which score 0: 2 'C'\n"


def test_answers_that_are_not_choices_are_named(tmp_path: Path) -> None:
    key = gold(tmp_path, gold_row("A1", "1"), gold_row("A2", "2"), gold_row("A3", "c"))
    run = run_file(tmp_path, ("A1", "99"), ("A2", "5"), ("A3", "c"))
    assert evaluate(key, run).stderr == "answers that are not choices, which score 0: A1 '99'\n"
    four = (1.0, 2.0, 3.0, 4.0)
    trace = trace_file(tmp_path, *(trace_row(f"A{n}", "T", "1", four) for n in (1, 2, 3)))
    assert "A1 '99', A2 '5', A3 'c'" in evaluate(key, run, "--trace", trace).stderr


def test_an_unanswered_question_scores_nothing_and_counts(tmp_path: Path) -> None:
    key = gold(tmp_path, gold_row("A1", "1"), gold_row("A2", "4", "2"), gold_row("A3", "2"))
    run = run_file(tmp_path, ("A1", "1"), ("A2", ""))
    done = evaluate(key, run, "--format", "jsonl")
    everything = json.loads(done.stdout.splitlines()[0])
    assert everything == {
        "group": "all", "value": "", "points": 3, "possible": 3 + 2 + 3, "right": 1, "questions": 3, "share": 1 / 3,
    }  # fmt: skip
    assert done.stderr.endswith(": A2, A3\n")


def test_intervals_of_the_shares(tmp_path: Path) -> None:
    """Standard error of 1, 0, 0, 1: sqrt(4 * .25 / 3 / 4)."""
    key = gold(tmp_path, *(gold_row(f"A{n}", "1") for n in range(1, 5)))
    run = run_file(tmp_path, ("A1", "1"), ("A2", "2"), ("A3", "2"), ("A4", "1"))
    row = rows_of(key, run, "--interval")[0]
    assert row["standard error"] == pytest.approx((4 * 0.25 / 3 / 4) ** 0.5)
    assert (row["low"], row["share"], row["high"]) == (0.0, 0.5, 1.0)


def test_scores_by_question_for_comparing_runs(tmp_path: Path) -> None:
    key = gold(tmp_path, gold_row("A1", "1"), gold_row("A2", "2"), gold_row("A2", "3"))
    run = run_file(tmp_path, ("A1", "1"), ("A2", "1"), ("A2", "3"))
    assert scores_of(report_questions(key, run)) == {"A1": 1.0, "A2": 0.0, "A2 (2)": 1.0}


def test_shares_by_kind_of_question(tmp_path: Path) -> None:
    key = gold(
        tmp_path,
        gold_row("A1", "1"),
        gold_row("A2", "2", "2", kind="term_other"),
        gold_row("A3", "3"),
    )
    run = run_file(tmp_path, ("A1", "1"), ("A2", "1"), ("A3", "3"))
    trace = trace_file(
        tmp_path,
        trace_row("A1", "T", "1", (2, 1)),
        trace_row("A2", "T", "1", (2, 1), "filling"),
        trace_row("A3", "F", "3", (2, 1, 0)),
    )
    found = {
        (row["group"], row["value"]): (row["right"], row["questions"])
        for row in rows_of(key, run, "--trace", trace)
    }
    assert found == {
        ("all", ""): (2, 3),
        ("shape", "filling"): (0, 1),
        ("shape", "sentence"): (2, 2),
        ("asks", "F"): (1, 1),
        ("asks", "T"): (1, 2),
        ("answer_type", "sentence"): (2, 2),
        ("answer_type", "term_other"): (0, 1),
        ("knowledge_type", "KS"): (2, 3),
    }


def test_the_papers_table_2(tmp_path: Path) -> None:
    """Its printed absdiff of A11 (0.96) and A14 (7.01) do not follow from its averages: 12.02 -
    9.3, 5.83 - 4.87."""
    key = gold(tmp_path, *(gold_row(id_, answer) for id_, _, answer, _, _ in ROWS))
    run = run_file(tmp_path, *((id_, system) for id_, _, _, system, _ in ROWS))
    trace = trace_file(
        tmp_path, *(trace_row(id_, asks, system, scores) for id_, asks, _, system, scores in ROWS)
    )
    table = {row["id"]: row for row in rows_of(key, run, "-q", "--trace", trace)}
    assert list(table) == [row[0] for row in ROWS]
    assert table["A2"] == {
        "id": "A2", "T/F": "F", "gold": "3", "system": "4",
        "1": 9.31, "2": 7.2, "3": 9.31, "4": 6.32, "5": None, "6": None, "absdiff": round(9.31 - 6.32, 2),
    }  # fmt: skip
    printed = {
        "A1": 0,
        "A5": 0.33,
        "A11": 2.72,
        "A14": 0.96,
        "A15": 7.01,
        "A25": 0,
        "A26": 5.07,
        "A32": 4.19,
        "A34": 2.7,
    }
    assert {id_: table[id_]["absdiff"] for id_ in printed} == printed


def test_questions_without_a_trace(tmp_path: Path) -> None:
    key = gold(tmp_path, gold_row("A1", "1"), gold_row("A2", "2", "2.5"))
    assert rows_of(key, run_file(tmp_path, ("A1", "2"), ("A2", "2")), "-q") == [
        {"id": "A1", "gold": "1", "system": "2", "points": 0, "possible": 3},
        {"id": "A2", "gold": "2", "system": "2", "points": 2.5, "possible": 2.5},
    ]


def test_folders_pair_by_filename(tmp_path: Path) -> None:
    gold(tmp_path, gold_row("A1", "1"), filename="X-1997", name="key/1997/a.xml")
    gold(tmp_path, gold_row("A1", "2"), filename="", name="key/2005/X-2005-answers.xml")
    run_file(tmp_path, ("A1", "2"), filename="X-2005", name="runs/first.xml")
    run_file(tmp_path, ("A1", "1"), filename="", name="runs/X-1997_TEAM_EN_01.xml")
    judged = report_questions(tmp_path / "key", tmp_path / "runs").questions
    assert [(row.exam, row.score) for row in judged] == [("X-1997", True), ("X-2005", True)]
    found = rows_of(tmp_path / "key", tmp_path / "runs")
    assert [(row["value"], row["points"]) for row in found if row["group"] == "exam"] == [
        ("X-1997", 3),
        ("X-2005", 3),
    ]


def test_runs_of_plain_questions_beside_answer_tables_are_told(tmp_path: Path) -> None:
    gold(tmp_path, gold_row("A1", "1"), filename="X-1997", name="key/a.xml")
    run_file(tmp_path, ("A1", "1"), filename="X-1997", name="runs/a.xml")
    (tmp_path / "runs" / "quiz.tsv").write_text("id\tanswer\n1\tA\n")
    done = evaluate(tmp_path / "key", tmp_path / "runs")
    assert "runs: only .xml files are scored, give a folder of their own to quiz.tsv" in done.stderr


def test_an_exam_without_run_counts_as_unanswered(tmp_path: Path) -> None:
    gold(tmp_path, gold_row("A1", "1"), filename="X-1997", name="key/a.xml")
    gold(tmp_path, gold_row("A1", "2"), filename="X-2005", name="key/b.xml")
    run_file(tmp_path, ("A1", "2"), filename="X-2005", name="runs/b.xml")
    done = evaluate(tmp_path / "key", tmp_path / "runs")
    assert "X-1997: no run" in done.stderr
    assert [
        row.answer for row in report_questions(tmp_path / "key", tmp_path / "runs").questions
    ] == ["", "2"]


def test_a_run_without_gold_is_refused_and_two_runs_for_one_exam_are_scored_apart(
    tmp_path: Path,
) -> None:
    gold(tmp_path, gold_row("A1", "1"), filename="X-1997", name="key/a.xml")
    run_file(tmp_path, ("A1", "2"), filename="X-2005", name="runs/b.xml")
    assert names(refused(tmp_path / "key", tmp_path / "runs"), tmp_path / "runs/b.xml")
    run_file(tmp_path, ("A1", "2"), filename="X-1997", name="more/b.xml")
    run_file(tmp_path, ("A1", "2"), filename="X-1997", name="more/c.xml")
    assert [row["run"] for row in rows_of(tmp_path / "key", tmp_path / "more")] == [
        "b.xml",
        "c.xml",
    ]
    with raises_at(tmp_path / "more/c.xml"):
        report_questions(tmp_path / "key", tmp_path / "more")


@pytest.mark.parametrize(
    ("filename", "name"),
    [
        ("Center-1997--Main-WorldHistoryB", "g.xml"),
        ("", "Center-1997--Main-WorldHistoryB-answers.xml"),
    ],
)
def test_gold_for_another_exam_is_refused(tmp_path: Path, filename: str, name: str) -> None:
    key = gold(tmp_path, gold_row("A1", "1"), filename=filename, name=name)
    assert "gold for another exam (Center-1997--Main-WorldHistoryB)" in refused(
        key, run_file(tmp_path, ("A1", "1"))
    )


def test_gold_without_a_telling_name_is_paired_and_that_is_said(tmp_path: Path) -> None:
    key = gold(tmp_path, gold_row("A1", "1"), filename="", name=f"{EXAM}-answers.xml")
    assert evaluate(key, run_file(tmp_path, ("A1", "1"))).stderr == ""
    nameless = gold(tmp_path, gold_row("A1", "1"), filename="", name="key-2005.xml")
    assert evaluate(nameless, run_file(tmp_path, ("A1", "1"))).stderr.startswith(
        f"warning: {nameless} ("
    )


def test_a_run_with_none_of_the_columns_is_refused(tmp_path: Path) -> None:
    key = gold(tmp_path, gold_row("A1", "1"))
    assert names(refused(key, run := run_file(tmp_path, ("B1", "1"))), run)


def test_columns_without_gold_are_named_and_not_scored(tmp_path: Path) -> None:
    key = gold(tmp_path, gold_row("A1", "1"), gold_row("A2", ""))
    done = evaluate(key, run_file(tmp_path, ("A1", "1"), ("A2", "1"), ("A9", "1")))
    assert done.stderr.endswith(": A2, A9\n")
    assert len(report_questions(key, tmp_path / "run.xml").questions) == 1


def test_gold_that_is_not_one_choice_is_named(tmp_path: Path) -> None:
    key = gold(tmp_path, gold_row("A1", "1,3"), gold_row("A2", "2"))
    done = evaluate(key, run_file(tmp_path, ("A1", "1"), ("A2", "2")))
    assert (
        done.stderr
        == f"warning: {key}: not one choice, and matched by the very same text only: A1 '1,3'\n"
    )


def test_gold_rows_that_do_not_say_their_points_are_named(tmp_path: Path) -> None:
    run = run_file(tmp_path, ("A1", "1"), ("A2", "2"))
    some = evaluate(gold(tmp_path, gold_row("A1", "1"), gold_row("A2", "2", score="")), run)
    assert some.stderr == f"warning: {tmp_path / 'gold.xml'}: without a score, worth 0 points: A2\n"
    none = evaluate(
        gold(tmp_path, gold_row("A1", "1", score=""), gold_row("A2", "2", score="")), run
    )
    assert "no row has a score: every question is worth 0 points" in none.stderr


def test_a_column_answered_twice_is_refused(tmp_path: Path) -> None:
    key = gold(tmp_path, gold_row("A1", "1"))
    assert "A1 is answered twice" in refused(key, run_file(tmp_path, ("A1", "1"), ("A1", "2")))


def test_columns_that_repeat_in_merged_years_pair_in_order(tmp_path: Path) -> None:
    key = gold(tmp_path, gold_row("A1", "1"), gold_row("A1", "2"))
    assert [
        row.score
        for row in report_questions(key, run_file(tmp_path, ("A1", "1"), ("A1", "3"))).questions
    ] == [
        True,
        False,
    ]


def misaligned(folder: Path) -> Path:
    """As the public 2001 file: anscolumn_ID skips A3, the printed numbers do not."""
    rows = [("A1", "1", "1"), ("A2", "2", "2"), ("A4", "3", "3"), ("A5", "4", "4")]
    return gold(
        folder, *(gold_row(column, answer, number=number) for column, answer, number in rows)
    )


def test_misaligned_gold_is_said_loudly_and_the_user_chooses(tmp_path: Path) -> None:
    key = misaligned(tmp_path)
    run = run_file(tmp_path, *((f"A{n}", str(n)) for n in range(1, 5)))
    done = evaluate(key, run)
    assert "warning: " in done.stderr
    assert "anscolumn_ID A4 is beside answer_column 3: 2 of 4 rows are misaligned" in done.stderr
    assert [row.score for row in report_questions(key, run).questions] == [True, True, False, False]
    assert [row.score for row in report_questions(key, run, "answer_column").questions] == [
        True
    ] * 4
    assert "Scored by answer_column" in evaluate(key, run, "--align", "answer_column").stderr


def test_a_steady_distance_between_the_numberings_is_no_misalignment(tmp_path: Path) -> None:
    key = gold(tmp_path, gold_row("A11", "1", number="1"), gold_row("A12", "2", number="2"))
    assert evaluate(key, run_file(tmp_path, ("A11", "1"), ("A12", "2"))).stderr == ""


def test_a_trace_of_another_run_is_refused(tmp_path: Path) -> None:
    key, run = gold(tmp_path, gold_row("A1", "1")), run_file(tmp_path, ("A1", "1"))
    trace = trace_file(tmp_path, trace_row("A7", "T", "1", (1, 0)))
    assert names(line := refused(key, run, "--trace", trace), trace)
    assert " A1 " in line


@pytest.mark.parametrize(
    "line", ["no json", "[]", '{"question_id": "A1", "candidates": [{"score": "1"}]}']
)
def test_a_damaged_trace_stops_in_one_line(tmp_path: Path, line: str) -> None:
    key, run = gold(tmp_path, gold_row("A1", "1")), run_file(tmp_path, ("A1", "1"))
    trace = tmp_path / "trace.jsonl"
    trace.write_text(f'{{"run": {{}}}}\n{line}\n')
    assert names(refused(key, run, "--trace", trace), trace, 2)


def test_a_key_alone_is_a_point_a_question_in_any_case(tmp_path: Path) -> None:
    key, run = tmp_path / "key.csv", tmp_path / "run.tsv"
    key.write_text("id,answer\n1,b\n2,A\n", "utf-8")
    run.write_text("id\tanswer\n1\tB\n2\tB\n", "utf-8")
    scored = evaluate(key, run, "--format", "jsonl")
    everything = json.loads(scored.stdout.splitlines()[0])
    assert (everything["points"], everything["possible"], everything["right"]) == (1, 2, 1)
    assert scored.stderr == ""
