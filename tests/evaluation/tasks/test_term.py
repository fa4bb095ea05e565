"""Scores of term questions: alternatives, lists, partial credit, ranks, and the files that are
refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from evaluation.tasks.ntcir_term import command, report_questions, score
from evaluation.tasks.results import scores_of
from indexer.files.errors import UserError
from tests.answerer.formats.sheets import bilingual, section, sheet, write
from tests.refusals import raises_at


def _section(name: str, *texts: str, kind: str = "singleton", match: str = "exact") -> str:
    """A term section; each text is an answer, its alternatives joined by |."""
    one = section(
        name,
        kind="term_person",
        match=match,
        limit="-1",
        answer_set=f'type="{kind}" number="{len(texts)}"',
    )
    head, rest = one.split("<answer match_type", 1)
    tail = rest[rest.index("</answer_set>") :]
    answers = "".join(
        f'<answer match_type="{match}" length_limit="-1"><expression_set>'
        + "".join(f"<expression>{alternative}</expression>" for alternative in text.split("|"))
        + "</expression_set></answer>"
        for text in texts
    )
    return f"{head}{answers}{tail}"


def _files(folder: Path, gold: str, run: str) -> tuple[Path, Path]:
    return write(folder, sheet(gold), "gold.xml"), write(folder, sheet(run), "run.xml")


@pytest.mark.parametrize(
    ("gold", "run", "right"),
    [
        ("マルコ＝ポーロ", "マルコ・ポーロ", 1.0),
        ("James Watt|Watt", "watt", 1.0),
        ("James Watt", "Watt", 0.0),
        ("James Watt", "(PREASE WRITE YOUR ANSWER)", 0.0),
        ("１４５３年", "1453年", 1.0),
    ],
)
def test_an_alternative_counts_and_an_exact_match_is_all_or_nothing(
    tmp_path: Path, gold: str, run: str, right: float
) -> None:
    (row,) = report_questions(*_files(tmp_path, _section("A", gold), _section("A", run))).questions
    assert tuple(row.measures.values()) == (right, right)


def test_a_broad_match_gives_partial_credit(tmp_path: Path) -> None:
    gold, run = _section("A", "James Watt", match="broad"), _section("A", "Watt", match="broad")
    (row,) = report_questions(*_files(tmp_path, gold, run)).questions
    # one word of one, one word of two: F1 = 2 * 1 / (1 + 2)
    assert tuple(row.measures.values()) == (0.0, pytest.approx(2 * 1 / (1 + 2)))


def test_the_slots_of_an_ordered_list_come_by_their_order(tmp_path: Path) -> None:
    def listed(first: str, second: str, *orders: str) -> str:
        one = _section("A", first, second, kind="ordered_list").replace(
            "<answer match", '<answer order="0" match'
        )
        for order in orders:
            one = one.replace('order="0"', f'order="{order}"', 1)
        return one

    gold = listed("Athens", "Rome", "2", "1")
    (row,) = report_questions(*_files(tmp_path, gold, listed("Rome", "Athens", "1", "2"))).questions
    assert (row.score, row.cells["gold"]) == (1.0, "Rome / Athens")
    (row,) = report_questions(*_files(tmp_path, gold, listed("Rome", "Athens", "2", "1"))).questions
    assert row.score == 0.0


def test_an_unordered_list_may_be_filled_in_any_order_each_answer_once(tmp_path: Path) -> None:
    gold = _section("A", "Rome", "Athens", "Sparta", kind="unordered_list")
    (row,) = report_questions(
        *_files(tmp_path, gold, _section("A", "Sparta", "Rome", "Rome", kind="unordered_list"))
    ).questions
    assert tuple(row.measures.values()) == (0.0, pytest.approx((1 + 0 + 1) / 3))


def test_an_ordered_list_is_filled_in_place(tmp_path: Path) -> None:
    gold = _section("A", "Rome", "Athens", "Sparta", kind="ordered_list")
    (row,) = report_questions(
        *_files(tmp_path, gold, _section("A", "Rome", "Sparta", "Athens", kind="ordered_list"))
    ).questions
    assert row.measures["partly right"] == pytest.approx((1 + 0 + 0) / 3)


def test_a_slot_that_the_gold_leaves_empty_keeps_its_place(tmp_path: Path) -> None:
    gold = _section("A", "Rome", "", "Sparta", kind="ordered_list")
    (row,) = report_questions(
        *_files(tmp_path, gold, _section("A", "Rome", "Athens", "Sparta", kind="ordered_list"))
    ).questions
    assert row.measures["partly right"] == (1 + 1) / 2


def test_a_section_that_the_run_lacks_is_unanswered(tmp_path: Path) -> None:
    files = _files(tmp_path, _section("A", "Rome") + _section("B", "Athens"), _section("A", "Rome"))
    assert scores_of(report_questions(*files)) == {"A": 1.0, "B": 0.0}
    assert score(*files).rows[0] | {"right: standard error": None} == {
        "group": "all",
        "value": "",
        "sections": 2,
        "answered": 1,
        "right": (1 + 0) / 2,
        "right: standard error": None,
        "partly right": (1 + 0) / 2,
    }


def test_ranks_come_from_the_trace(tmp_path: Path) -> None:
    gold, run = _files(
        tmp_path, _section("A", "Rome|Roma") + _section("B", "Athens"), _section("A", "Ostia")
    )
    trace = tmp_path / "trace.jsonl"
    rows = [
        {"question_id": "A", "candidates": [{"text": text} for text in ("Ostia", "ROMA", "Rome")]}
    ]
    trace.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    judged = score(gold, run, trace=trace).by_question
    assert [row["reciprocal rank"] for row in judged] == [1 / 2, 0.0]


def test_a_candidate_below_rank_five_has_no_reciprocal_rank(tmp_path: Path) -> None:
    gold, run = _files(tmp_path, _section("A", "Rome"), _section("A", "Ostia"))
    trace = tmp_path / "trace.jsonl"
    row = {
        "question_id": "A",
        "candidates": [{"text": text} for text in ("a", "b", "c", "d", "e", "Rome")],
    }
    trace.write_text(json.dumps(row) + "\n", "utf-8")
    assert report_questions(gold, run, trace=trace).questions[0].measures["reciprocal rank"] == 0.0


def test_the_trace_of_another_run_is_refused(tmp_path: Path) -> None:
    gold, run = _files(tmp_path, _section("A", "Rome"), _section("A", "Ostia"))
    trace = tmp_path / "trace.jsonl"
    trace.write_text('{"question_id": "Z", "candidates": []}\n', "utf-8")
    with raises_at(trace):
        report_questions(gold, run, trace=trace)


def test_gold_and_run_that_share_no_section_are_refused(tmp_path: Path) -> None:
    gold, run = _files(tmp_path, _section("A", "Rome"), _section("B", "Rome"))
    done = CliRunner().invoke(command, [str(gold), str(run)])
    assert isinstance(done.exception, UserError)
    assert (
        str(done.exception)
        == f"{run}: shares no section with {gold}; expected the same section ids"
    )


def test_a_gold_without_answers_is_refused(tmp_path: Path) -> None:
    gold, run = _files(tmp_path, _section("A", "(PREASE WRITE YORE ANSWER)"), _section("A", "Rome"))
    with raises_at(gold):
        report_questions(gold, run)


@pytest.mark.parametrize(
    "before", ["", "マルコ・ポーロという商人", "クビライという皇帝の名をもつ人"]
)
@pytest.mark.parametrize(("answer", "right"), [("marco polo", 1.0), ("Kublai", 0.0)])
def test_a_run_is_scored_in_the_only_language_of_the_gold(
    tmp_path: Path, before: str, answer: str, right: float
) -> None:
    gold = write(tmp_path, bilingual("Marco Polo", ""), "gold.xml")
    run = write(tmp_path, bilingual(answer, before), "run.xml")
    assert [row.score for row in report_questions(gold, run).questions] == [right]


@pytest.mark.parametrize(("answer", "right"), [("マルコ・ポーロ", 1.0), ("フビライ・ハン", 0.0)])
def test_a_bilingual_sheet_is_scored_in_the_language_that_was_answered(
    tmp_path: Path, answer: str, right: float
) -> None:
    gold = write(tmp_path, bilingual("Marco Polo", "マルコ＝ポーロ"), "gold.xml")
    run = write(
        tmp_path, bilingual("Marco Polo", answer), "run.xml"
    )  # what is not answered keeps what stood there
    assert [row.score for row in report_questions(gold, run).questions] == [right]


def test_answers_in_both_languages_are_said_to_be_scored_in_one(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    gold = write(tmp_path, bilingual("Marco Polo", "マルコ＝ポーロ"), "gold.xml")
    run = write(tmp_path, bilingual("Kublai", "マルコ・ポーロだ"), "run.xml")
    report_questions(gold, run)
    assert f"{run}: has answers in English too; only those in Japanese are scored" in caplog.text
