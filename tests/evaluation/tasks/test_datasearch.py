"""`evaluation datasearch-qa`: exact match and F1 over sets of words, by hand."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from evaluation.__main__ import main
from evaluation.tasks.datasearch_qa import report_questions, score, words
from indexer.languages.english import ENGLISH
from indexer.languages.japanese import JAPANESE
from tests.programs import json_lines
from tests.refusals import raises_at


def write(path: Path, text: str) -> str:
    path.write_text(text, "utf-8")
    return str(path)


def measures(
    folder: Path, gold: str, answer: str, question_id: str = "DS2-QA-E-1"
) -> Mapping[str, float]:
    paths = [
        Path(write(folder / name, f"{question_id}\t{text}\n"))
        for name, text in (("g", gold), ("r", answer))
    ]
    return report_questions(*paths).questions[0].measures


@pytest.mark.parametrize(
    ("answer", "f1"),
    [
        ("the red fox", 2 * (2 / 3) * (2 / 4) / (2 / 3 + 2 / 4)),  # P = 2/3, R = 2/4
        ("red red fox den old", 1.0),
        ("a", 0.0),
        ("", 0.0),
    ],
)
def test_f1_over_sets_of_words(answer: str, f1: float, tmp_path: Path) -> None:
    assert measures(tmp_path, "red fox den old", answer)["F1"] == pytest.approx(f1)


def test_exact_match_minds_everything_but_outer_blanks(tmp_path: Path) -> None:
    answers = (" 13,510,000", "13510000")
    assert [measures(tmp_path, "13,510,000", one)["exact match"] for one in answers] == [1.0, 0.0]


def test_japanese_words_are_mecabs(tmp_path: Path) -> None:
    assert words("東京都の人口", JAPANESE) == {"東京", "都", "の", "人口"}
    assert words("東京都の人口", ENGLISH) == {"東京都の人口"}
    found = measures(tmp_path, "東京都", "東京", "DS2-QA-J-1")
    assert found == {"exact match": 0.0, "F1": pytest.approx(2 / 3)}


def test_the_command_averages_over_the_gold(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold = write(tmp_path / "gold", "Q1\t2010\nQ2\tNew York\nQ3\tred\n")
    run = write(tmp_path / "run", "<SYSDESC>x<SYSDESC>\nQ1\t2010\nQ2\tYork\nQ9\tz\n")
    main.main(["datasearch-qa", gold, run, "--format", "jsonl"], standalone_mode=False)
    captured = capsys.readouterr()
    exact, f1 = json_lines(captured.out)
    assert (exact["value"], exact["questions"]) == (pytest.approx((1 + 0 + 0) / 3), 3)
    assert f1["value"] == pytest.approx((1 + 2 * 1 * 0.5 / 1.5 + 0) / 3)
    assert "no answer to 1 of 3 questions, which score 0: Q3" in captured.err
    assert re.search(rf" {re.escape(run)} .*: Q9$", captured.err, re.MULTILINE)


def test_one_row_a_question(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold, run = write(tmp_path / "gold", "Q1\ta\nQ2\tb\n"), write(tmp_path / "run", "Q1\ta\n")
    main.main(["datasearch-qa", gold, run, "-q", "--format", "jsonl"], standalone_mode=False)
    rows = json_lines(capsys.readouterr().out)
    assert rows[1] == {"id": "Q2", "gold": "b", "system": "", "exact match": 0.0, "F1": 0.0}


def test_another_files_run(tmp_path: Path) -> None:
    gold, run = write(tmp_path / "gold", "Q1\ta\n"), write(tmp_path / "run", "Q2\ta\n")
    with raises_at(run):
        main.main(["datasearch-qa", gold, run], standalone_mode=False)


def test_the_questions_are_no_gold(tmp_path: Path) -> None:
    questions, run = (
        write(tmp_path / "q", "Q1\tHow many?\t000000000001\n"),
        write(tmp_path / "run", "Q1\ta\n"),
    )
    with raises_at(questions):
        main.main(["datasearch-qa", questions, run], standalone_mode=False)


def test_intervals_are_of_the_questions(tmp_path: Path) -> None:
    """Of two questions a bootstrap sample has 0, 1 or 2 right, each extreme in one of four: 2.5 %
    lies there."""
    (tmp_path / "gold").write_text("Q1\ta\nQ2\tb\n")
    (tmp_path / "run").write_text("<SYSDESC>x</SYSDESC>\nQ1\ta\nQ2\tc\n")
    (exact, _) = score(tmp_path / "gold", tmp_path / "run", interval=True).rows
    assert (exact["value"], exact["low"], exact["high"]) == (0.5, 0.0, 1.0)
