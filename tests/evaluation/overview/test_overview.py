"""`evaluation TASK GOLDS TREE`: runs × exams, matched by what the files say; what is left out is
said."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from answerer.formats.exam.parts import answer_table_text
from evaluation.overview import Total, as_printed
from tests.answerer.formats.sheets import bilingual
from tests.places import SAMPLES
from tests.programs import figures, json_lines, refused, run


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def gold(folder: Path, exam: str, **answers: str) -> Path:
    """An exam's gold: 3 points for each answer."""
    rows = [
        f"<data><answer>{answer}</answer><score>3</score><anscolumn_ID>{column}</anscolumn_ID></data>"
        for column, answer in answers.items()
    ]
    return write(
        folder / f"{exam}-answers.xml",
        f'<answerTable filename="{exam}">{"".join(rows)}</answerTable>',
    )


def table(path: Path, exam: str, **answers: str) -> Path:
    return write(path, answer_table_text(exam, list(answers.items())))


@pytest.fixture
def golds(tmp_path: Path) -> Path:
    gold(tmp_path / "golds", "X-1997", A1="1", A2="2")
    gold(tmp_path / "golds", "X-2005", A1="3")
    return tmp_path / "golds"


def said(*arguments: str | Path) -> str:
    return run("evaluation", *map(str, arguments)).err


def test_runs_by_exams_best_first_with_ties_named(tmp_path: Path, golds: Path) -> None:
    tree = tmp_path / "teams"
    for team, number, first, second in (
        ("P", 1, "11", "3"),
        ("P", 2, "12", "3"),
        ("Q", 1, "12", "9"),
    ):
        folder = tree / team / "phase1" / "mutiple_choice" / f"run{number}"
        table(folder / f"X-1997_{team}_EN_0{number}.xml", "X-1997", A1=first[0], A2=first[1])
        table(folder / f"X-2005_{team}_EN_0{number}.xml", "X-2005", A1=second)
        write(folder / "README.md", "# System description")
    found = figures("ntcir-mc", golds, tree)
    assert [
        (row["rank"], row["team"], row["run"], row["X-1997"], row["X-2005"], row["points"])
        for row in found
    ] == [
        ("1", "P", "P/phase1/mutiple_choice/run2", 6, 3, 9),
        ("2=", "P", "P/phase1/mutiple_choice/run1", 3, 3, 6),
        ("2=", "Q", "Q/phase1/mutiple_choice/run1", 6, 0, 6),
    ]
    assert [
        (row["X-1997: possible"], row["X-2005: possible"], row["possible"]) for row in found
    ] == [(6, 3, 9)] * 3
    assert [(row["right"], row["questions"], row["unanswered"]) for row in found] == [
        (3, 3, 0),
        (2, 3, 0),
        (2, 3, 0),
    ]


def test_a_table_has_each_exam_as_papers_print_it(tmp_path: Path, golds: Path) -> None:
    table(tmp_path / "tree/run1/a.xml", "X-1997", A1="1", A2="2")
    table(tmp_path / "tree/run1/b.xml", "X-2005", A1="4")
    head, row = run(
        "evaluation", "ntcir-mc", str(golds), str(tmp_path / "tree"), "--interval"
    ).out.splitlines()
    assert head.split()[:4] == ["rank", "run", "X-1997", "X-2005"]
    assert row.startswith("1     run1  6/6 [6, 6]  0/3     ")  # one question has no interval


def test_points_above_9999_are_whole_numbers() -> None:
    assert as_printed(Total(12345.5, 20000.0, 9999.6, 13000.0)) == "12346/20000 [10000, 13000]"
    assert as_printed(Total(9999.4, 9999.4, None, None)) == "9999/9999"


def test_the_interval_of_points_is_that_of_the_questions_times_their_number(tmp_path: Path) -> None:
    """Of two questions a bootstrap sample has 0, 1 or 2 right, each extreme in one of four: 2.5 %
    lies there."""
    golds = gold(tmp_path / "golds", "X-1997", A1="1", A2="2").parent
    table(tmp_path / "tree/run1/a.xml", "X-1997", A1="1", A2="1")
    row = figures("ntcir-mc", golds, tmp_path / "tree", "--interval")[0]
    assert (row["points"], row["low"], row["high"]) == (3, 0.0, 6.0)


def test_an_exam_that_a_run_lacks_counts_as_unanswered(tmp_path: Path, golds: Path) -> None:
    table(tmp_path / "tree/one/a.xml", "X-1997", A1="1", A2="2")
    table(tmp_path / "tree/two/a.xml", "X-2005", A1="3")
    first, second = figures("ntcir-mc", golds, tmp_path / "tree")
    assert (first["run"], first["X-2005"], first["points"], first["unanswered"]) == (
        "one",
        None,
        6,
        1,
    )
    assert (second["X-1997"], second["points"], second["possible"], second["unanswered"]) == (
        None,
        3,
        9,
        2,
    )


def test_an_exam_that_nobody_answers_is_no_column(tmp_path: Path, golds: Path) -> None:
    table(tmp_path / "tree/one/a.xml", "X-1997", A1="1", A2="2")
    row = figures("ntcir-mc", golds, tmp_path / "tree")[0]
    assert "X-2005" not in row
    assert row["possible"] == 6
    assert "no run answers this exam, which does not count: X-2005" in said(
        "ntcir-mc", golds, tmp_path / "tree"
    )


def test_what_cannot_be_scored_is_said_and_the_rest_scored(tmp_path: Path, golds: Path) -> None:
    tree = tmp_path / "tree"
    table(tree / "one/a.xml", "X-1997", A1="1", A2="2")
    table(tree / "one/other.xml", "Y-2011", A1="1")
    write(tree / "one/broken.xml", "<answerTable>")
    write(tree / "one/essay.xml", "<answer_sheet/>")
    table(tree / "two/b.xml", "X-2005", B7="1")
    (tree / "one/link.xml").symlink_to("/etc/passwd")
    err = said("ntcir-mc", golds, tree)
    assert f"left out: {tree / 'one/other.xml'}: no gold for it" in err
    assert f"left out: {tree / 'one/broken.xml'}:1: " in err
    assert f"left out: {tree / 'one/link.xml'}: " in err
    assert "\n1 files ignored: of other tasks, descriptions and traces\n" in err
    assert "in scoring: two, X-2005: cannot be scored" in err
    assert [row["run"] for row in figures("ntcir-mc", golds, tree)] == ["one"]


@pytest.mark.process
def test_names_that_are_no_text_stay_on_one_line(tmp_path: Path, golds: Path) -> None:
    tree = tmp_path / "tree"
    table(tree / "one/a.xml", "X-1997", A1="1", A2="2")
    (tree / "two").mkdir()
    (tree / "two" / b"\xff\n\x1b[31m.xml".decode("utf-8", "surrogateescape")).write_text(
        "<answerTable>"
    )
    # in a process of its own: what pytest keeps of a log record in this one has to be text
    ended = subprocess.run(
        [sys.executable, "-m", "evaluation", "ntcir-mc", golds, tree],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.stdout.count("\n") == 2
    (line,) = [line for line in ended.stderr.splitlines() if f"{tree}/two" in line]
    assert "\\udcff \\x1b[31m.xml" in line


def test_runs_of_one_folder_are_parted_by_their_ids_else_file_by_file(
    tmp_path: Path, golds: Path
) -> None:
    tree = tmp_path / "flat"
    for number in (1, 2):
        for exam in ("X-1997", "X-2005"):
            table(tree / f"{exam}_P_EN_0{number}.xml", exam, A1="1", A2="1")
    table(tree / "late.xml", "X-2005", A1="3")
    assert [(row["run"], row["points"]) for row in figures("ntcir-mc", golds, tree)] == [
        ("P_EN_01", 3),
        ("P_EN_02", 3),
        ("late.xml", 3),
    ]


def test_a_second_answer_to_an_exam_is_a_run_of_its_own(tmp_path: Path) -> None:
    golds = gold(tmp_path / "golds", "X-1997", A1="1", A2="2").parent
    table(tmp_path / "tree/run1/X-1997_P_EN_01.xml", "X-1997", A1="1", A2="2")
    table(tmp_path / "tree/run1/copy/X-1997_P_EN_01.xml", "X-1997", A1="1", A2="2")
    table(tmp_path / "tree/run1/Y_P_EN_01.xml", "X-1997", A1="1", A2="1")
    found = [(row["rank"], row["run"]) for row in figures("ntcir-mc", golds, tmp_path / "tree")]
    assert found == [("1=", "run1/P_EN_01"), ("1=", "run1/copy"), ("3", "run1/Y_P_EN_01.xml")]


def test_a_folder_of_one_run_is_scored_as_before(tmp_path: Path, golds: Path) -> None:
    table(tmp_path / "run/a.xml", "X-1997", A1="1", A2="2")
    table(tmp_path / "run/b.xml", "X-2005", A1="3")
    ended = run("evaluation", "ntcir-mc", str(golds), str(tmp_path / "run"), "-q")
    assert len(ended.out.splitlines()) == 4


@pytest.mark.parametrize(("low", "high"), [("low", "high"), ("Main: low", "Main: high")])
def test_every_task_has_intervals_in_a_tree(tmp_path: Path, low: str, high: str) -> None:
    key = write(tmp_path / "Main.gold.tsv", "Q1\ta\nQ2\tb\n")
    write(tmp_path / "tree/run.tsv", "<SYSDESC>x</SYSDESC>\nQ1\ta\nQ2\tc\n")
    row = figures("datasearch-qa", key, tmp_path / "tree", "--interval")[0]
    assert (row["exact match"], row[low], row[high]) == (0.5, 0.0, 1.0)


def judged_topic(topic: str, *ranked: str) -> str:
    answers = [
        f'<ANSWER FILE_NAME="{name}" RANK="{rank}" SCORE="{9 - rank}">x</ANSWER>'
        for rank, name in enumerate(ranked, 1)
    ]
    return f'<TOPIC ID="{topic}"><ANSWER_SET>{"".join(answers)}</ANSWER_SET></TOPIC>'


def test_a_run_that_leaves_a_topic_out_is_not_the_better_for_it(tmp_path: Path) -> None:
    """Evaluation method: τ is 1 on the first topic, −1 on the second; whoever leaves the second out
    has 0 there."""
    key = write(tmp_path / "marks.tsv", "T1\ta\t2\nT1\tb\t1\nT2\ta\t2\nT2\tb\t1\nT3\ta\t1\n")
    both = judged_topic("T1", "a", "b") + judged_topic("T2", "b", "a")
    write(tmp_path / "tree/both.xml", f"<TOPIC_SET>{both}</TOPIC_SET>")
    write(tmp_path / "tree/one.xml", judged_topic("T1", "a", "b"))
    found = figures("ntcir-evaluation-method", key, tmp_path / "tree")
    assert [
        (row["run"], row["Kendall's τ"], row["questions"], row["unanswered"]) for row in found
    ] == [
        ("one.xml", 0.5, 2, 1),
        ("both.xml", 0.0, 2, 0),
    ]


def test_runs_of_a_bilingual_gold_are_scored_in_the_language_that_each_answered(
    tmp_path: Path,
) -> None:
    key = write(tmp_path / "gold.xml", bilingual("Marco Polo", "マルコ＝ポーロ"))
    write(
        tmp_path / "tree/en.xml", bilingual("Kublai Khan", "マルコ＝ポーロ")
    )  # what is not answered stays
    write(tmp_path / "tree/ja.xml", bilingual("Marco Polo", "マルコ・ポーロ"))
    found = figures("ntcir-term", key, tmp_path / "tree")
    assert [(row["run"], row["right"]) for row in found] == [("ja.xml", 1.0), ("en.xml", 0.0)]


def test_what_is_for_one_run_is_refused_for_many(tmp_path: Path, golds: Path) -> None:
    table(tmp_path / "tree/run1/a.xml", "X-1997", A1="1")
    assert "-q needs a single run" in refused(
        "evaluation", "ntcir-mc", str(golds), str(tmp_path / "tree"), "-q"
    )
    one = table(tmp_path / "one.xml", "X-1997", A1="1")
    paths = [str(path) for path in sorted(golds.iterdir())]
    assert "2 gold files for the one run" in refused("evaluation", "ntcir-mc", *paths, str(one))


def test_two_golds_for_one_exam_are_refused(tmp_path: Path) -> None:
    keys = [gold(tmp_path / name, "X-1997", A1="1") for name in ("a", "b")]
    table(tmp_path / "tree/run1/a.xml", "X-1997", A1="1")
    assert "has the same questions as" in refused(
        "evaluation", "ntcir-mc", *map(str, keys), str(tmp_path / "tree")
    )


def test_golds_of_one_name_in_folders_of_one_name_are_different_exams(tmp_path: Path) -> None:
    for year, question in (("2019", "q1"), ("2020", "q2"), ("2021", "q3")):
        write(tmp_path / "golds" / year / "en" / "gold.tsv", f"{question}\tright\n")
        write(tmp_path / "tree/run1" / f"{year}.tsv", f"<SYSDESC>x</SYSDESC>\n{question}\tright\n")
    (row,) = figures("datasearch-qa", tmp_path / "golds", tmp_path / "tree")
    assert [row["gold"], row["en/gold"], row["en/gold (2)"], row["questions"]] == [1, 1, 1, 3]


@pytest.mark.parametrize(
    ("task", "name"),
    [
        ("ntcir-term", "term-en.gold.xml"),
        ("nlpcc-kbqa", "kbqa-zh.txt"),
        ("datasearch-qa", "datasearch-gold.tsv"),
    ],
)
def test_the_gold_itself_is_a_full_run(tmp_path: Path, task: str, name: str) -> None:
    """A run that holds the gold scores 1 in the mean, in a folder of runs of any task."""
    write(tmp_path / "tree/team/run.xml", (SAMPLES / name).read_text("utf-8") + "\n")
    row = figures(task, SAMPLES / name, tmp_path / "tree")[0]
    assert row["run"] == "team"
    measure = {"ntcir-term": "right", "nlpcc-kbqa": "F1", "datasearch-qa": "exact match"}[task]
    assert row[measure] == pytest.approx(1.0)
    assert row["unanswered"] == 0


def test_score_files_are_matched_by_their_lines_one_run_a_file(tmp_path: Path) -> None:
    dev = SAMPLES / "dbqa.dev.txt"
    labels = [line.split("\t")[-1] for line in dev.read_text("utf-8").splitlines()]
    lines = len(labels)
    write(tmp_path / "runs/right.txt", "".join(f"{label}\n" for label in labels))
    write(tmp_path / "runs/flat.txt", "0.5\n" * lines)
    write(tmp_path / "runs/short.txt", "0.5\n" * (lines - 1))
    found = figures("nlpcc-dbqa", dev, tmp_path / "runs")
    assert [row["run"] for row in found] == ["right.txt", "flat.txt"]
    assert found[0]["reciprocal rank"] == 1.0
    assert "unanswered" not in found[0]
    assert f"{tmp_path / 'runs/short.txt'}: " in said("nlpcc-dbqa", dev, tmp_path / "runs")


def test_selqa_results_are_scored_by_the_gold_that_is_given(tmp_path: Path) -> None:
    """The marks of a team's own file do not count: here they say that the last candidate is
    right."""
    dev = SAMPLES / "selqa.dev.json"
    team = write(tmp_path / "teams/A/SelQA-ass-result.json", with_results(dev, honest=False))
    write(tmp_path / "teams/A/mrr.txt", "1.000000\n")
    write(tmp_path / "teams/B/SelQA-ass-result.json", with_results(dev, honest=True))
    found = figures("selqa", dev, tmp_path / "teams")
    assert [row["run"] for row in found] == ["B", "A"]
    assert found[0]["reciprocal rank"] == 1.0
    assert float(str(found[1]["reciprocal rank"])) < 1.0
    own = run("evaluation", "selqa", str(team), "--format", "jsonl", "--ties", "average")
    assert json.loads(own.out.splitlines()[0])["MRR"] == 1.0
    assert "name them before it" in refused("evaluation", "selqa", str(tmp_path / "teams"))


def with_results(path: Path, honest: bool) -> str:
    """Result lines that give the right candidates 1; where not honest, the last candidate is called
    the right one."""
    objects = []
    text = path.read_text("utf-8")
    for given in json.loads(text) if text.startswith("[") else json_lines(text):
        size = len(given.get("sentences", given.get("candidates", [])))
        marks = given["candidates"] if honest else [size - 1]
        objects.append(
            {
                **given,
                "candidates": marks,
                "results": [float(place in marks) for place in range(size)],
            }
        )
    return "[" + ",".join(map(json.dumps, objects)) + "]"
