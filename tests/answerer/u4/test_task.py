"""`answerer u4-tqa` and `u4-tr` on the sample, with the program's own models and models trained
here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from answerer.answering import answer
from answerer.asking.command import ask
from answerer.formats.u4 import read_questions
from answerer.u4.features import (
    ParsedQuestion,
    associate,
    closeness,
    decode_associations,
    encode_associations,
    key,
    read_question,
)
from evaluation import score
from indexer.analysis.japanese import romaji
from indexer.build import BuildOptions
from indexer.files.errors import UserError
from indexer.sources.reports.build import build as build_reports
from tests.places import SAMPLES

REPORTS = str(SAMPLES / "u4-reports.tar.xz")


def test_a_question_by_its_grammar() -> None:
    text = "東亜株式会社の2020年時点の個別決算のRow1Memberにおける「所有株式数（単元）－個人以外、株式、（甲、乙）」は？"
    heads = ("個人以外", "株式", "(甲、乙)")
    assert read_question(text) == ParsedQuestion(
        2020, True, "個別", "Row1Member", "所有株式数(単元)-個人以外", heads, "東亜株式会社"
    )
    assert read_question("東亜の2019年における「現金」は？") == ParsedQuestion(
        2019, False, "", "", "現金", (), "東亜"
    )
    assert read_question("現金は？") == ParsedQuestion(0, False, "", "", "現金は?", ())


def test_answers_in_question_files_are_dropped() -> None:
    one = {
        "question": "現金は？",
        "doc_id": "R",
        "table_id": "R-1-tab1",
        "cell_id": "R-1-tab1-r1c1",
        "value": "5",
    }
    assert read_questions({"q": one}, table_given=True)[0] == ("q", "現金は？", "R", "R-1-tab1")
    assert read_questions({"q": one}, table_given=False)[0] == ("q", "現金は？", "R", "")


def test_without_the_report_its_id_is_dropped_too() -> None:
    one = {"question": "現金は？", "doc_id": "R", "table_id": "R-1-tab1"}
    assert read_questions({"q": one}, table_given=False, report_given=False)[0] == (
        "q",
        "現金は？",
        "",
        "",
    )


def test_what_goes_together_by_hand() -> None:
    told = [
        ([key("a")], {"row": [key("x")]}),
        ([key("a")], {"row": [key("x")]}),
        ([key("b")], {"row": [key("y")]}),
    ] * 2
    found = associate(told)
    pmi = found.scores("row", ["a", "unknown"])["best"]
    # n_ax = 4, n_a n_x / n = 4 * 4 / 6: log(4.5 / 3.1667) = .35, kept in steps of .25
    assert pmi[found.items[key("x")]] == 0.25
    assert pmi[found.items[key("y")]] == pmi[-1] == 0.0
    again = decode_associations(json.loads(json.dumps(encode_associations(found))))
    assert (
        again.scores("row", ["b"])["mean"].tolist() == found.scores("row", ["b"])["mean"].tolist()
    )


def test_names_in_romaji() -> None:
    assert [romaji("ショウジュン"), romaji("イチロー"), romaji("ユウコ"), romaji("オオノ")] == [
        "shojun",
        "ichiro",
        "yuko",
        "ono",
    ]
    assert closeness("TadashiKawagoishiMember", "皮籠石斉(かわごいしただし)") > 0.9
    assert closeness("TadashiKawagoishiMember", "原田真治(はらだしんじ)") < 0.5


@pytest.mark.parametrize(("task", "measure"), [("u4-tqa", "value"), ("u4-tr", "table")])
def test_the_sample_is_answered(task: str, measure: str, tmp_path: Path) -> None:
    run = answer(task, str(SAMPLES / f"{task}.questions.json"), reports=REPORTS)
    run.save(tmp_path / "run.json")
    rows = score(task, SAMPLES / f"{task}.gold.json", tmp_path / "run.json").rows
    assert next(row["value"] for row in rows if row["measure"] == measure) >= 0.9  # type: ignore[operator]
    first = run.questions[0]
    assert first.candidates[0].features.keys() >= {"label", "headings", "together", "period"}


def test_all_reports_of_an_index_are_searched(tmp_path: Path) -> None:
    build_reports([REPORTS], f"{tmp_path}/ix/", BuildOptions())
    asked = json.loads((SAMPLES / "u4-tr.questions.json").read_text("utf-8"))
    given = answer("u4-tr", asked, reports=REPORTS, evidence=False)
    found = answer(
        "u4-tr",
        {name: {"question": one["question"]} for name, one in asked.items()},
        index=f"{tmp_path}/ix/",
    )
    assert found.files == given.files


def test_cells_of_the_reports_of_an_index_are_those_of_the_archive(tmp_path: Path) -> None:
    build_reports([REPORTS], f"{tmp_path}/ix/", BuildOptions())
    source = str(SAMPLES / "u4-tqa.questions.json")
    given = answer("u4-tqa", source, reports=REPORTS, evidence=False)
    assert answer("u4-tqa", source, index=f"{tmp_path}/ix/", evidence=False).files == given.files


def test_a_question_in_words_is_answered_by_an_index_of_reports(tmp_path: Path) -> None:
    build_reports([REPORTS], f"{tmp_path}/ix/", BuildOptions())
    asked = json.loads((SAMPLES / "u4-tqa.questions.json").read_text("utf-8"))["sample_tqa_1"]
    reply = ask(asked["question"], index=f"{tmp_path}/ix/", evidence=True)
    gold = json.loads((SAMPLES / "u4-tqa.gold.json").read_text("utf-8"))["sample_tqa_1"]
    assert (reply[0].text, reply.task, reply.doubt) == (gold["value"], "u4-tqa", "")
    assert reply.row is not None
    assert reply.row.candidates[0].table is not None


@pytest.mark.parametrize(
    "given", [{}, {"reports": REPORTS, "index": "reports"}, {"reports": "none"}, {"reports": 3}]
)
def test_reports_or_an_index_are_needed(
    given: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UserError):
        answer("u4-tr", {"q": {"question": "現金は？", "doc_id": "S000"}}, **given)


def test_questions_are_an_object_by_ids() -> None:
    with pytest.raises(UserError, match="no object by ids"):
        answer("u4-tr", ["現金は？"], reports=REPORTS)


def test_a_report_that_is_absent_leaves_its_questions_unanswered(
    capsys: pytest.CaptureFixture[str],
) -> None:
    asked = {
        "q1": {
            "question": "甲の2020年における「現金」は？",
            "doc_id": "S000",
            "table_id": "S000-1-tab1",
        }
    }
    run = answer("u4-tqa", asked, reports=REPORTS, evidence=False, allow_unanswered=True)
    assert json.loads(next(iter(run.files.values()))) == {"q1": {"cell_id": "", "value": ""}}
    assert "S000" in capsys.readouterr().err


def test_an_id_that_is_no_name_of_a_file_is_refused() -> None:
    asked = {"q1": {"question": "現金は？", "doc_id": "../S000", "table_id": "t"}}
    with pytest.raises(UserError):
        answer("u4-tqa", asked, reports=REPORTS, evidence=False)


def test_right_answers_in_the_reports_of_one_fold_alone_are_refused(tmp_path: Path) -> None:
    from answerer.u4.training import learn

    questions = str(SAMPLES / "u4-tr.questions.json")
    gold = json.loads((SAMPLES / "u4-tr.gold.json").read_text("utf-8"))
    absent = {name: table.replace("S900TST2-", "S900TST2-9") for name, table in gold.items()}
    (tmp_path / "gold.json").write_text(json.dumps(absent), "utf-8")
    with pytest.raises(UserError, match="in one fold of 2"):
        learn("u4-tr", [questions, str(tmp_path / "gold.json")], REPORTS, 2, 0)


def test_training_on_the_sample_gives_a_model_that_answers(tmp_path: Path) -> None:
    from answerer.u4.training import learn
    from retriever.learning.model import save_model

    files = [str(SAMPLES / f"u4-tqa.{one}.json") for one in ("questions", "gold")]
    learned = learn("u4-tqa", files, REPORTS, 2, 0)
    save_model(learned.model, tmp_path / "model.json")
    assert "現金" not in (tmp_path / "model.json").read_text("utf-8")
    source, model = str(SAMPLES / "u4-tqa.questions.json"), str(tmp_path / "model.json")
    run = answer("u4-tqa", source, reports=REPORTS, model=model)
    run.save(tmp_path / "run.json")
    scored = score("u4-tqa", SAMPLES / "u4-tqa.gold.json", tmp_path / "run.json").by_question
    assert [row["value"] for row in scored] == [1.0] * len(scored)
    older = (tmp_path / "model.json").read_text("utf-8").replace('"cell: number"', '"cell: length"')
    (tmp_path / "model.json").write_text(older, "utf-8")
    with pytest.raises(UserError, match=r"model\.json: the model's features are not those of this"):
        answer("u4-tqa", source, reports=REPORTS, model=model)
