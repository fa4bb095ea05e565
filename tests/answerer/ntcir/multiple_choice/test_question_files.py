"""Plain questions from file to figures: runs as TSV, gold from the question file, reasons, checks;
from Python too."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from answerer import answer
from evaluation import score
from tests.places import SAMPLES
from tests.programs import done, run
from tests.refusals import raises_at

QUIZ = str(SAMPLES / "questions-en.txt")
IDS = [str(number) for number in range(1, 7)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Indexes of both sample textbooks, and the sample's run with its trace."""
    place = tmp_path_factory.mktemp("quiz")
    for language in ("en", "ja"):
        done(
            f"indexer textbook {SAMPLES / f'textbook-{language}.jsonl'} --index {place / language}"
        )
    done(f"answerer ntcir-mc {QUIZ} --index {place}/en -o {place}/run.tsv --trace {place}/t.jsonl")
    return place


def test_the_run_has_id_label_and_text(folder: Path) -> None:
    header, *rows = [
        line.split("\t") for line in (folder / "run.tsv").read_text("utf-8").splitlines()
    ]
    assert header == ["id", "answer", "text", "note"]
    assert [name for name, *_ in rows] == IDS
    asked = {
        row["question_id"]: row
        for row in map(json.loads, (folder / "t.jsonl").open())
        if "question_id" in row
    }
    for name, label, text, _ in rows:
        assert {"id": label, "text": text} in [
            {key: one[key] for key in ("id", "text")} for one in asked[name]["candidates"]
        ]


def test_labels_are_printed_as_in_the_file(folder: Path) -> None:
    ended = done(f"answerer ntcir-mc {SAMPLES}/questions-ja.txt --index {folder}/ja --method slqal")
    rows = [line.split("\t") for line in ended.out.splitlines()[1:]]
    assert [name for name, _, _ in rows] == ["1", "2", "3"]
    assert {label in "アイウエ" for _, label, _ in rows[:2]} == {True}
    assert rows[2][1] in "①②③④"
    assert "questions-ja.txt:18: question 4 has no choices" in ended.err
    assert "4 questions, 3 used, 1 rejected" in ended.err


def test_a_negated_question_is_marked_in_the_run(folder: Path, tmp_path: Path) -> None:
    quiz, run = tmp_path / "quiz.txt", tmp_path / "run.tsv"
    quiz.write_text(
        "1. Which ruler had the Taj Mahal built?\nA) Akbar\nB) Shah Jahan\n\n"
        "2. Which of these was not a dynasty of China?\nA) Han\nB) Umayyad\n",
        "utf-8",
    )
    done("answerer", "ntcir-mc", quiz, "--index", folder / "en", "-o", run)
    rows = [line.split("\t") for line in run.read_text("utf-8").splitlines()]
    assert [row[3] for row in rows] == ["note", "", "negated: less sure"]


def test_the_question_file_is_the_gold(folder: Path, tmp_path: Path) -> None:
    rows = "1\tC\tShah Jahan\n2\tA\tthe Tiber\n3\tA\tColumbus\n4\tC\tUmayyad\n5\tB\t(3) only\n"
    (tmp_path / "run.tsv").write_text(f"id\tanswer\ttext\n{rows}", "utf-8")
    ended = done("evaluation", "ntcir-mc", QUIZ, tmp_path / "run.tsv", "--format", "jsonl")
    assert json.loads(ended.out) == {
        **{"group": "all", "value": "", "points": 4, "possible": 6, "right": 4, "questions": 6},
        "share": 4 / 6,
    }
    assert " 1 of 6 " in ended.err


def test_an_answer_table_or_a_key_of_ones_own_is_gold_too(folder: Path, tmp_path: Path) -> None:
    cells = "".join(
        f"<data><anscolumn_ID>{name}</anscolumn_ID><answer>C</answer></data>" for name in IDS
    )
    (tmp_path / "gold.xml").write_text(
        f'<answerTable filename="another">{cells}</answerTable>', "utf-8"
    )
    (tmp_path / "gold.tsv").write_text(
        "id\tanswer\n" + "".join(f"{name}\tC\n" for name in IDS), "utf-8"
    )
    tables = [
        done(
            f"evaluation ntcir-mc {tmp_path / name} {folder}/run.tsv --trace {folder}/t.jsonl -q"
        ).out
        for name in ("gold.xml", "gold.tsv")
    ]
    assert tables[0] == tables[1] != ""


def test_a_question_without_an_answer_is_named_and_not_scored(folder: Path, tmp_path: Path) -> None:
    quiz = tmp_path / "quiz.txt"
    quiz.write_text(Path(QUIZ).read_text("utf-8").replace("5. B", ""), "utf-8")
    ended = done("evaluation", "ntcir-mc", quiz, folder / "run.tsv", "--format", "tsv")
    assert ended.out.splitlines()[1].split("\t")[5] == "5"
    assert "not scored: 5" in ended.err


def test_reasons_report_comparison_and_check(folder: Path, tmp_path: Path) -> None:
    shown = done("evaluation", "explain", folder / "t.jsonl", "--gold", QUIZ, "--question", "1").out
    assert "Which ruler had the Taj Mahal built at Agra?" in shown
    assert "★" in shown
    done(
        f"evaluation report ntcir-mc {QUIZ} {folder}/run.tsv --trace {folder}/t.jsonl "
        f"-o {tmp_path}/r"
    )
    assert "Shah Jahan" in (tmp_path / "r").read_text("utf-8")
    done("evaluation", "compare", "ntcir-mc", QUIZ, folder / "run.tsv", folder / "run.tsv")
    done("answerer", "check", QUIZ, folder / "run.tsv")
    (tmp_path / "short.tsv").write_text("id\tanswer\ttext\n1\tX\t\n9\tA\t\n", "utf-8")
    ended = run("answerer", "check", QUIZ, str(tmp_path / "short.tsv"))
    assert ended.status == 2
    assert {"2: missing", "9: nobody asked for it", "1: 'X' is not a choice (A, B, C, D)"} <= {
        line.partition("short.tsv: ")[2] for line in ended.out.splitlines()
    }


def test_several_files_make_a_folder_of_runs_that_is_scored_as_one(
    folder: Path, tmp_path: Path
) -> None:
    files = [
        SAMPLES / name for name in ("questions-en.txt", "questions-en.gift", "sample-exam-en.xml")
    ]
    out = tmp_path / "runs"
    done(f"answerer ntcir-mc {files[0]} {files[2]} --index {folder}/en --method slqal -o {out}/")
    assert sorted(path.name for path in out.iterdir()) == [
        "questions-en_TEAM_EN_01.tsv",
        "sample-exam-en_TEAM_EN_01.xml",
    ]
    quizzes = tmp_path / "quizzes"
    quizzes.mkdir()
    for name, source in (("first.txt", files[0]), ("second.gift", files[1])):
        (quizzes / name).write_bytes(source.read_bytes())
    given = [str(path) for path in sorted(quizzes.iterdir())]
    own = tmp_path / "own"
    done(
        "answerer",
        "ntcir-mc",
        *given,
        "--index",
        folder / "en",
        "--method",
        "slqal",
        "-o",
        f"{own}/",
    )
    table = done("evaluation", "ntcir-mc", quizzes, own, "--format", "tsv").out.splitlines()
    assert [row.split("\t")[:2] + row.split("\t")[5:6] for row in table[1:]] == [
        ["all", "", "10"],
        ["exam", "first", "6"],
        ["exam", "second", "4"],
    ]


def test_from_python_as_on_the_command_line(folder: Path, tmp_path: Path) -> None:
    made = answer("ntcir-mc", QUIZ, index=folder / "en")
    assert made.text.encode() == (folder / "run.tsv").read_bytes()
    figures = score("ntcir-mc", QUIZ, made)
    assert (figures.rows[0]["questions"], [row["id"] for row in figures.by_question]) == (6, IDS)
    exam = SAMPLES / "sample-exam-en.xml"
    two = answer("ntcir-mc", QUIZ, exam, index=folder / "en", method="slqal", evidence=False)
    two.save(tmp_path / "runs")
    assert sorted(path.name for path in (tmp_path / "runs").iterdir()) == [
        "questions-en.tsv",
        "sample-exam-en.xml",
    ]
    with raises_at(QUIZ):
        answer("ntcir-mc", QUIZ, SAMPLES / "questions-en.csv", index=folder / "en")


@pytest.mark.parametrize("method", ["names", "slqal"])
def test_what_is_right_changes_no_byte_of_a_run(folder: Path, tmp_path: Path, method: str) -> None:
    """The same questions with another key, and without any."""
    text = Path(QUIZ).read_text("utf-8")
    keys = {
        "other": text.replace("1. C   2. A", "1. A   2. D"),
        "none": text.partition("Answers")[0],
        "own": text,
    }
    made = []
    for name, content in keys.items():
        (tmp_path / name).mkdir()
        quiz = tmp_path / name / "quiz.txt"
        quiz.write_text(content, "utf-8")
        out, trace = tmp_path / name / "run", tmp_path / name / "trace"
        done(
            f"answerer ntcir-mc {quiz} --index {folder}/en --method {method} -o {out} "
            f"--trace {trace}"
        )
        made.append((out.read_bytes(), trace.read_bytes()))
    assert made[0] == made[1] == made[2]
