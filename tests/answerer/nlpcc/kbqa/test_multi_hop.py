"""Multi-hop questions: two facts in a row."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from answerer.nlpcc.kbqa.task import command
from answerer.trace import read_trace
from tests.answerer.nlpcc.kbqa.knowledge import build

FACTS = """双桥村 ||| 所属县 ||| 石河县
双桥村 ||| 人口 ||| 812人
石河县 ||| 县长 ||| 高远山
石河县 ||| 人口 ||| 31万人
高远山 ||| 妻子 ||| 林小雨
林小雨 ||| 身高 ||| 1.66米
林小雨 ||| 职业 ||| 教师
鲁迅 ||| 别名 ||| 鲁迅
鲁迅 ||| 妻子 ||| 许广平
大青峰 ||| 海拔 ||| 3127米
小青峰 ||| 海拔 ||| 2090米
小青峰 ||| 所在县 ||| 石河县
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("further")
    kb = place / "facts.kb"
    kb.write_text(FACTS, "utf-8")
    build(str(place / "plain"), kb=kb)
    return place


def answered(folder: Path, question: str, *options: str) -> str:
    """The answer to one question, tabs between its objects; "" for none."""
    asked = folder / "asked.txt"
    asked.write_text(f"<question id=1>\t{question}\n{'=' * 50}\n", "utf-8")
    result = CliRunner().invoke(command, [str(asked), "--index", str(folder / "plain"), *options])
    assert result.exception is None, result.exception
    return next(
        line.partition("\t")[2] for line in result.stdout.splitlines() if line.startswith("<answer")
    )


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("高远山的妻子的身高是多少？", "1.66米"),
        ("高远山的老婆的职业是什么？", "教师"),
        ("双桥村所属县的县长是谁？", "高远山"),
        ("双桥村所属县的人口有多少？", "31万人"),
        ("高远山的妻子是谁？", "林小雨"),
        ("双桥村的人口有多少？", "812人"),
    ],
)
def test_the_object_of_a_fact_leads_to_the_next(folder: Path, question: str, answer: str) -> None:
    assert answered(folder, question) == answer


@pytest.mark.parametrize(
    ("question", "answer"), [("鲁迅的老婆是谁？", "许广平"), ("鲁迅的别名是什么？", "鲁迅")]
)
def test_the_name_that_is_asked_about_answers_only_where_its_property_is_asked(
    folder: Path, question: str, answer: str
) -> None:
    assert answered(folder, question) == answer


def test_the_baseline_takes_one_fact(folder: Path) -> None:
    assert answered(folder, "高远山的妻子的身高是多少？", "--method", "overlap") == "林小雨"


def test_a_subject_is_not_found_by_its_object(folder: Path) -> None:
    assert answered(folder, "哪座山的海拔是3127米？", "--allow-unanswered") == ""


def test_the_trace_has_both_facts(folder: Path) -> None:
    trace = folder / "trace.jsonl"
    answered(folder, "高远山的妻子的身高是多少？", "--trace", str(trace))
    best = read_trace(str(trace))[1][0].candidates[0]
    assert (best.through, best.fact) == (("高远山", "妻子", "林小雨"), ("林小雨", "身高", "1.66米"))
