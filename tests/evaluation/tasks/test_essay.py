"""Essays, extraction and evaluation method as `evaluation` scores them, by hand."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from evaluation.__main__ import main
from evaluation.tasks import ntcir_evaluation_method
from evaluation.tasks.ntcir_essay import report_questions
from evaluation.tasks.ntcir_extraction import passage_scores
from evaluation.tasks.results import scores_of
from tests.answerer.formats.sheets import section, sheet, write
from tests.programs import figures, invoked, json_lines, refused, run
from tests.refusals import raises_at


def copied(path: Path | str) -> str:
    """A run with the text of a gold, in a file of other bytes."""
    copy = Path(path).with_suffix(".run.xml")
    copy.write_text(Path(path).read_text("utf-8") + "\n", "utf-8")
    return str(copy)


def evaluate(*arguments: str) -> dict[str, float]:
    """The value of each measure."""
    return {row["measure"]: row["value"] for row in figures(*arguments)}


def test_essays_are_scored_over_content_words(tmp_path: Path) -> None:
    gold = write(
        tmp_path,
        sheet(
            section("S", expressions=("The canal opened trade.",)),
            section("T", expressions=("War.",)),
        ),
    )
    run = write(
        tmp_path,
        sheet(section("S", expressions=("A canal opened ports.",)), section("T")),
        "run.xml",
    )
    found = evaluate("ntcir-essay", str(gold), str(run))
    # S: canal, opened of three terms each; T is unanswered and scores 0
    assert found["ROUGE-1"] == pytest.approx((2 * 2 / (3 + 3) + 0) / 2)
    assert found["ROUGE-2"] == pytest.approx((1 / 2 + 0) / 2)
    assert found["unanswered"] == 1 / 2
    assert scores_of(report_questions(gold, run)) == {"S": pytest.approx(2 / 3), "T": 0.0}


@pytest.mark.parametrize("before", ["運河が開かれ、貿易はさかんになった。" * 9, "A canal. " * 30])
def test_an_essay_is_scored_in_the_only_language_of_the_gold(tmp_path: Path, before: str) -> None:
    """The other half of the run was filled before, with more letters than the essay, and maybe not
    in its own language."""
    halves = '<locale id="en">{}</locale><locale id="ja">{}</locale>'
    english, japanese = (
        section(style="description_limited", instruction=asked, expressions=("{}",))
        .partition("<answer_style>")[2]
        .removesuffix("</answer_section>\n")
        for asked in ("Describe the canal.", "運河について述べよ。")
    )
    both = halves.format(f"<answer_style>{english}", f"<answer_style>{japanese}")
    text = f'<answer_sheet ver="0.1"><answer_section id="S" label="S">{both}</answer_section></answer_sheet>'
    gold = write(tmp_path, text.format("The canal opened trade.", ""))
    run = write(tmp_path, text.format("A canal opened ports.", before), "run.xml")
    assert evaluate("ntcir-essay", str(gold), str(run))["ROUGE-1"] == pytest.approx(2 / 3)
    # A gold sheet of one language alone says the same.
    gold = write(tmp_path, sheet(section("S", expressions=("The canal opened trade.",))))
    assert evaluate("ntcir-essay", str(gold), str(run))["ROUGE-1"] == pytest.approx(2 / 3)


def test_the_printed_limit_and_keywords_count(tmp_path: Path) -> None:
    asked = {
        "limit": "no more than 4 English words",
        "keywords": ("canal", "war"),
        "instruction": "Explain.",
    }
    gold = write(tmp_path, sheet(section("S", expressions=("The canal opened.",), **asked)))  # type: ignore[arg-type]
    for text, over, used in (
        ("the canal opened late", 0.0, 1 / 2),
        ("the canal and the war", 1.0, 2 / 2),
    ):
        run = write(tmp_path, sheet(section("S", expressions=(text,), **asked)), "run.xml")  # type: ignore[arg-type]
        found = evaluate("ntcir-essay", str(gold), str(run))
        assert (found["over the limit"], found["keywords used"]) == (over, used)


def test_the_limit_of_an_instruction_counts_where_none_is_printed(tmp_path: Path) -> None:
    asked = {"limit": "-1", "instruction": "Explain, in no more than 1 English words."}
    gold = write(tmp_path, sheet(section("S", expressions=("War came.",), **asked)))  # type: ignore[arg-type]
    assert evaluate("ntcir-essay", str(gold), copied(gold))["over the limit"] == 1.0
    passage = '<PASSAGE RANK="1" SOURCE_ID="x" SOURCE_ID_TYPE="WEB" SCORE="1" NORMALIZED_SCORE="1">{}</PASSAGE>'
    text = f'<TOPIC ID="S"><PASSAGE_SET>{passage.format("war " * 11)}</PASSAGE_SET></TOPIC>'
    found = evaluate("ntcir-extraction", str(gold), str(write(tmp_path, text, "extraction.xml")))
    assert found["over the limit"] == 1.0


def test_figures_are_split_by_complex_and_simple_essays(tmp_path: Path) -> None:
    asked = (
        section("A", expressions=("War.",), keywords=("war",)),
        section("B", expressions=("War.",), limit="300字以内"),
        section("C", expressions=("War.",), limit="no more than 30 English words"),
    )
    gold = write(tmp_path, sheet(*asked))
    answers = (section("A", expressions=("War.",)), section("B"), section("C"))
    run = write(tmp_path, sheet(*answers), "run.xml")
    rows = figures("ntcir-essay", str(gold), str(run))
    assert {
        (row["essays"], row["sections"]): row["value"]
        for row in rows
        if row["measure"] == "ROUGE-1"
    } == {
        ("all", 3): 1 / 3,
        ("complex", 2): 1 / 2,
        ("simple", 1): 0,
    }


def test_the_nugget_file_says_whether_an_essay_is_complex(tmp_path: Path) -> None:
    gold = write(
        tmp_path, sheet(section("S", expressions=("War.",)), section("T", expressions=("War.",)))
    )
    one = '<answer><proposition value="War."/></answer>'
    nuggets = write(
        tmp_path, f'<doc><exam id="L_S" type="complex essay">{one}</exam></doc>', "nuggets.xml"
    )
    rows = figures("ntcir-essay", str(gold), copied(gold), "--nuggets", str(nuggets), "-q")
    assert [(row["section"], row["essay"]) for row in rows] == [("S", "complex"), ("T", "simple")]


def test_nuggets_are_found_and_weighed(tmp_path: Path) -> None:
    gold = write(tmp_path, sheet(section("S", expressions=("The canal opened. Trade grew.",))))
    run = write(tmp_path, sheet(section("S", expressions=("The canal opened.",))), "run.xml")
    propositions = "".join(
        f'<proposition value="{text}"><evaluation value="{mark}"/></proposition>'
        for text, mark in (("The canal opened.", 3), ("Trade grew.", 1))
    )
    nuggets = write(
        tmp_path, f'<doc><exam id="L_S"><answer>{propositions}</answer></exam></doc>', "nuggets.xml"
    )
    found = evaluate("ntcir-essay", str(gold), str(run), "--nuggets", str(nuggets))
    assert (found["pyramid"], found["nugget recall"]) == (3 / (3 + 1), 1 / 2)
    two = write(
        tmp_path, sheet(*(section(name, expressions=("War.",)) for name in "ST")), "two.xml"
    )
    said = invoked(main, "ntcir-essay", two, run, "--nuggets", nuggets).stderr
    assert "no nuggets of T: pyramid and nugget recall are of the others only" in said


def test_of_several_answers_the_first_is_scored_and_that_is_said(tmp_path: Path) -> None:
    one = section("S", expressions=("War came.",), answers=2).replace("War came.", "Trade grew.", 1)
    gold = write(tmp_path, sheet(one))
    assert evaluate("ntcir-essay", str(gold), copied(gold))["ROUGE-1"] == 1.0
    said = invoked(main, "ntcir-essay", gold, copied(gold)).stderr.splitlines()[-1]
    assert said == f"warning: {gold}: more than one answer in S: the first of each is scored"


def test_sheets_that_share_no_section_are_refused(tmp_path: Path) -> None:
    gold = write(tmp_path, sheet(section("S", expressions=("The canal opened.",))))
    other = write(tmp_path, sheet(section("T", expressions=("It fell.",))), "other.xml")
    with raises_at(other):
        evaluate("ntcir-essay", str(gold), str(other))
    with raises_at(asked := write(tmp_path, sheet(section("S")), "asked.xml")):
        evaluate("ntcir-essay", str(asked), str(gold))


def test_passages_include_statements_by_half_their_weight() -> None:
    statements = [["canal", "opened", "egypt"], ["trade", "grew"]]
    passages = [["canal", "opened", "late"], ["war"], ["trade"]]
    found = passage_scores(statements, passages, lambda term: 1.0)
    # the first statement by 2/3 in the first passage, the second by 1/2 in the third
    assert found["precision"] == 2 / 3
    assert found["recall"] == 2 / 2
    assert found["F1"] == pytest.approx(2 * (2 / 3) * 1 / (2 / 3 + 1))
    assert found["word recall"] == 3 / 5
    assert passage_scores(statements, [], lambda term: 1.0)["F1"] == 0.0


def test_extraction_files_are_scored_with_their_limit(tmp_path: Path) -> None:
    asked = {"instruction": "Explain.", "limit": "no more than 1 English words"}
    gold = write(tmp_path, sheet(section("S", expressions=("Canals opened.",), **asked)))  # type: ignore[arg-type]
    passage = '<PASSAGE RANK="{0}" SOURCE_ID="x" SOURCE_ID_TYPE="WEB" SCORE="1" NORMALIZED_SCORE="1">{1}</PASSAGE>'
    for words, over in (("canals opened " * 5, 0.0), ("canals opened " * 6, 1.0)):
        text = f'<TOPIC ID="S"><PASSAGE_SET>{passage.format(1, words)}</PASSAGE_SET></TOPIC>'
        found = evaluate(
            "ntcir-extraction", str(gold), str(write(tmp_path, text, "extraction.xml"))
        )
        assert (found["precision"], found["recall"], found["over the limit"]) == (1.0, 1.0, over)
    other = write(tmp_path, re.sub("ID=.S.", 'ID="T"', text), "other.xml")
    with raises_at(other):
        evaluate("ntcir-extraction", str(gold), str(other))


def test_agreement_with_experts_marks(tmp_path: Path) -> None:
    answers = "".join(
        f'<ANSWER FILE_NAME="{name}" RANK="{rank}" SCORE="{score}">x</ANSWER>'
        for rank, (name, score) in enumerate((("a", 3), ("b", 2), ("c", 1)), 1)
    )
    run = write(tmp_path, f'<TOPIC ID="D"><ANSWER_SET>{answers}</ANSWER_SET></TOPIC>', "run.xml")
    marks = write(tmp_path, "D\ta\t9\nD\tb\t2\nD\tc\t5\nD\tz\t1\n", "marks.tsv")
    found = evaluate("ntcir-evaluation-method", str(marks), str(run))
    assert found["kendall"] == pytest.approx((2 - 1) / 3)
    assert found["spearman"] == pytest.approx(1 - 6 * (0 + 1 + 1) / (3 * 8))
    with raises_at(run):
        evaluate(
            "ntcir-evaluation-method", str(write(tmp_path, "E\ta\t9\n", "marks.tsv")), str(run)
        )


def judged_file(folder: Path, name: str, **topics: str) -> Path:
    """Topics with the answers a, b, c … of these scores, ranked in this order."""
    sets = (
        f'<TOPIC ID="{topic}"><ANSWER_SET>'
        + "".join(
            f'<ANSWER FILE_NAME="{file}" RANK="{rank}" SCORE="{score}">x</ANSWER>'
            for rank, (file, score) in enumerate(zip("abc", scores.split(), strict=False), 1)
        )
        + "</ANSWER_SET></TOPIC>"
        for topic, scores in topics.items()
    )
    return write(folder, f"<TOPIC_SET>{''.join(sets)}</TOPIC_SET>", name)


def test_topics_that_a_run_lacks_or_leaves_without_an_order_count_as_no_agreement(
    tmp_path: Path,
) -> None:
    marks = judged_file(tmp_path, "marks.xml", D="9 5 2", E="3 1", F="3 1", G="2 2")
    run = judged_file(tmp_path, "run.xml", D="3 2 1", E="7 7", G="2 1")
    found = invoked(main, "ntcir-evaluation-method", marks, run, "--format", "jsonl")
    assert json.loads(found.stdout.splitlines()[0]) == {
        "measure": "kendall",
        "value": (1 + 0 + 0) / 3,
        "topics": 3,
    }
    agreed = ntcir_evaluation_method.report_questions(marks, run)
    assert [(one.question_id, one.score, one.answer) for one in agreed.questions] == [
        ("D", pytest.approx(1.0), "1.0000"),
        ("E", 0.0, "0.0000"),
        ("F", 0.0, ""),
    ]


def test_experts_marks_are_a_column_beside_rouge(tmp_path: Path) -> None:
    gold = write(
        tmp_path, sheet(section("S", expressions=("War.",)), section("T", expressions=("War.",)))
    )
    run, marks = write(tmp_path, gold.read_text("utf-8"), "run.xml"), tmp_path / "marks.tsv"
    marks.write_text("S\trun.xml\t7\nS\tother.xml\t1\nT\trun\t4\n", "utf-8")
    run.write_text(run.read_text("utf-8") + "\n", "utf-8")  # other bytes than the gold
    assert (
        evaluate("ntcir-essay", str(gold), str(run), "--marks", str(marks))["experts' mark"]
        == (7 + 4) / 2
    )
    by_section = figures("ntcir-essay", str(gold), str(run), "--marks", str(marks), "-q")
    assert [row["experts' mark"] for row in by_section] == [7, 4]
    marks.write_text("S\tother.xml\t1\n", "utf-8")
    with raises_at(marks):
        figures("ntcir-essay", gold, run, "--marks", marks)


def test_essays_are_scored_by_style_and_knowledge_type_and_by_both(tmp_path: Path) -> None:
    limited, unlimited = "description_limited", "description_unlimited"
    asked = [("S", limited, "KS"), ("T", unlimited, "KS"), ("U", limited, "IC")]
    sections = [
        section(name, expressions=("War came.",), style=style).replace(
            "</answer_type>", f"</answer_type><knowledge_type>{knowledge}</knowledge_type>"
        )
        for name, style, knowledge in asked
    ]
    gold = write(tmp_path, sheet(*sections))
    rows = figures("ntcir-essay", str(gold), copied(gold))
    counted = {row["essays"]: row["sections"] for row in rows if row["measure"] == "ROUGE-1"}
    both = {f"{limited} × IC": 1, f"{limited} × KS": 1, f"{unlimited} × KS": 1}
    assert counted == {"all": 3, limited: 2, unlimited: 1, "IC": 1, "KS": 2, **both}


# Four runs on one essay, from all of its three terms to none of them, and experts' marks of them.
ESSAYS = {
    "A": "The canal opened trade.",
    "B": "The canal opened ports.",
    "C": "Canal, war, ports.",
    "D": "War, ports, ships.",
}
MARKS = {"A": 3, "B": 4, "C": 2, "D": 2}


def teams(folder: Path, marks: dict[str, int]) -> tuple[str, str, str]:
    """The paths of a gold sheet, of a tree of the four runs and of the marks of some of them."""
    gold = write(folder, sheet(section("S", expressions=(ESSAYS["A"],))))
    for team, text in ESSAYS.items():
        (own := folder / "tree" / team).mkdir(parents=True)
        filled = sheet(section("S", expressions=(text,))).replace(
            "<instruction>", "\n<instruction>"
        )
        write(own, filled, f"S_{team}_e2e_01.xml")
    lines = "".join(f"S\tS_{team}_e2e_01.xml\t{mark}\n" for team, mark in marks.items())
    return str(gold), str(folder / "tree"), str(write(folder, lines, "marks.tsv"))


def nuggets_of(folder: Path) -> str:
    """Two nuggets, `canal` of weight 3 and `trade` of weight 1."""
    propositions = "".join(
        f'<proposition id="{number}" value="{text}"><evaluation evaluator="1" value="{weight}"/>'
        "</proposition>"
        for number, (text, weight) in enumerate((("canal", 3), ("trade", 1)), 1)
    )
    text = f'<doc><exam id="L_S" type="complex essay"><answer>{propositions}</answer></exam></doc>'
    return str(write(folder, text, "nuggets.xml"))


def test_teams_are_listed_with_rouge_pyramid_and_marks(tmp_path: Path) -> None:
    gold, tree, marks = teams(tmp_path, {"A": 3, "B": 4})
    words = ("ntcir-essay", gold, tree, "--marks", marks, "--nuggets", nuggets_of(tmp_path))
    rows = figures(*words)
    shown = ("rank", "team", "ROUGE-1", "ROUGE-2", "pyramid", "nugget recall", "experts' mark")
    assert [tuple(row[name] for name in shown) for row in rows] == [
        ("1", "A", 1.0, 1.0, 1.0, 1.0, 3.0),
        ("2", "B", pytest.approx(2 / 3), pytest.approx(1 / 2), 3 / 4, 1 / 2, 4.0),
        ("3", "C", pytest.approx(1 / 3), 0.0, 3 / 4, 1 / 2, None),
        ("4", "D", 0.0, 0.0, 0.0, 0.0, None),
    ]


def test_measures_are_compared_with_the_marks_over_the_runs(tmp_path: Path) -> None:
    gold, tree, marks = teams(tmp_path, MARKS)
    rows = figures("ntcir-essay", gold, tree, "--marks", marks, "--correlation")
    assert [row["measure"] for row in rows] == ["ROUGE-1", "ROUGE-2", "ROUGE-L", "ROUGE-SU4"]
    # ROUGE-1 orders A > B > C > D, the marks B > A > C = D: 4 pairs agree, A and B do not, C and D
    # are equal in the marks. τ-b = (4 − 1) / √(6 · (6 − 1)).
    # Ranks 4 3 2 1 against 3 4 1.5 1.5: ρ = 3.5 / √(5 · 4.5).
    assert rows[0] == {
        "measure": "ROUGE-1",
        "runs": 4,
        "sections": 1,
        "kendall": pytest.approx(3 / 30**0.5),
        "spearman": pytest.approx(3.5 / 22.5**0.5),
        "equal in the measure": 0,
        "equal in the marks": 1,
    }
    # By ROUGE-2 C and D are equal too (0): the other 5 pairs are 4 that agree and 1 that does not.
    assert rows[1]["kendall"] == pytest.approx((4 - 1) / 5)
    assert rows[1]["equal in the measure"] == 1


def test_pyramid_is_compared_with_the_marks_too(tmp_path: Path) -> None:
    gold, tree, marks = teams(tmp_path, {"A": 2, "B": 1, "D": 3})
    words = ("--nuggets", nuggets_of(tmp_path), "--marks", marks, "--correlation")
    ended = run("evaluation", "ntcir-essay", gold, tree, *words, "--format", "jsonl")
    rows = {row["measure"]: row for row in json_lines(ended.out)}
    # Pyramid orders A > B > D, the marks D > A > B: 1 pair of 3 agrees.
    assert rows["pyramid"]["kendall"] == pytest.approx((1 - 2) / 3)
    assert rows["pyramid"]["runs"] == 3
    assert "left out, as there are no marks of them: C" in ended.err


def test_equal_marks_have_no_correlation(tmp_path: Path) -> None:
    gold, tree, marks = teams(tmp_path, {"A": 2, "B": 2})
    row, *_ = figures("ntcir-essay", gold, tree, "--marks", marks, "--correlation")
    assert (row["runs"], row["kendall"], row["spearman"]) == (2, None, None)


def test_a_correlation_without_marks_or_runs_is_refused(tmp_path: Path) -> None:
    gold, tree, marks = teams(tmp_path, {"Z": 1})
    words = ("evaluation", "ntcir-essay", gold)
    assert refused(*words, tree, "--correlation").startswith("--correlation needs --marks")
    for more in ((), ("--correlation",)):
        said = refused(*words, tree, *more, "--marks", marks)
        assert said.startswith(f"{marks}: no mark of any run of {tree}")
    (Path(tree) / "A/S_A_e2e_01.xml").rename(Path(tree) / "A/run.xml")
    (Path(tree) / "B/S_B_e2e_01.xml").rename(Path(tree) / "B/run.xml")
    write(tmp_path, "S\trun.xml\t3\n", "marks.tsv")
    for more in ((), ("--correlation",)):
        assert "are both called run.xml" in refused(*words, tree, *more, "--marks", marks)
