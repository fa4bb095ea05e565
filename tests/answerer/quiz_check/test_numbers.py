"""Keys that are numbers, and keys about other choices, agree only with what the book says."""

from __future__ import annotations

from pathlib import Path

import pytest

from answerer import check_quiz
from answerer.ntcir.multiple_choice.methods import OUTCOME_WORDS
from answerer.quiz_check.judge import CheckedQuestion
from answerer.quiz_check.written import chance
from indexer import build_textbook

BOOK = """<html lang="en"><body>
<h1>3.7 The harbour</h1>
<p>The harbour of Port Ansel has four cranes. Twenty-three sailors live in the harbour.</p>
<p>The pier is eighty metres long (see Figure 3.7).</p>
<h2>3.8 Ships</h2>
<p>Every day nine ships call at the harbour. A petition with 5,200 signatures asked for a
lighthouse, which Ada Holm painted white.</p>
</body></html>
"""
ALL = "All of the above"


@pytest.fixture(scope="module")
def harbour(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("harbour")
    (folder / "harbour.html").write_text(BOOK, "utf-8")
    build_textbook([str(folder / "harbour.html")], str(folder / "index"))
    return str(folder / "index")


def check(folder: Path, index: str, text: str, choices: list[str], key: str) -> CheckedQuestion:
    lines = [f"{label}. {choice}" for label, choice in zip("ABCD", choices, strict=True)]
    quiz = "\n".join([f"1. {text}", *lines, f"Answer: {'ABCD'[choices.index(key)]}", ""])
    (folder / "quiz.txt").write_text(quiz, "utf-8")
    return check_quiz(folder / "quiz.txt", index=index).questions[0]


@pytest.mark.parametrize(
    ("text", "choices", "right"),
    [
        ("How many cranes does the harbour of Port Ansel have?", ["2", "3", "4", "9"], "4"),
        ("How many ships call at the harbour every day?", ["6", "7", "8", "9"], "9"),
        ("How long is the pier?", ["3 m", "7 m", "8 m", "80 m"], "80 m"),
        ("How many signatures had the petition?", ["5", "200", "520", "5200"], "5200"),
        ("How many sailors live in the harbour?", ["3", "20", "23", "37"], "23"),
        ("How many sailors live in the harbour?", ["three", "seven", "8", "twenty-three"],
         "twenty-three"),
    ],
)  # fmt: skip
def test_only_the_whole_number_agrees(
    tmp_path: Path, harbour: str, text: str, choices: list[str], right: str
) -> None:
    for key in choices:
        expected = "key agrees" if key == right else "key doubtful"
        assert check(tmp_path, harbour, text, choices, key).status == expected


def test_all_of_the_above_does_not_agree_without_a_choice_in_the_book(
    tmp_path: Path, harbour: str
) -> None:
    choices = ["Otto Quist", "Per Lind", "Ida Berg", ALL]
    checked = check(tmp_path, harbour, "Who painted the castle on Mars?", choices, ALL)
    assert checked.status == "not found"
    assert [chance(checked, position) for position in range(4)] == [""] * 4


def test_all_of_the_above_is_not_said_to_follow_where_it_is_doubted(
    tmp_path: Path, harbour: str
) -> None:
    choices = ["Ada Holm", "Per Lind", "Ida Berg", ALL]
    checked = check(tmp_path, harbour, "Who painted the lighthouse?", choices, ALL)
    support = checked.verdicts[3].support
    assert checked.status == "key doubtful"
    assert support is not None
    assert support.outcome == "fails"
    assert sum(verdict.probability or 0 for verdict in checked.verdicts) == pytest.approx(1)


def test_a_key_that_agrees_is_not_called_absent(tmp_path: Path, harbour: str) -> None:
    choices = ["the sailors painted it with old ropes", "Iron", "Copper", "Glass"]
    text = "Why did the petition ask for a lighthouse?"
    checked = check(tmp_path, harbour, text, choices, choices[0])
    support = checked.verdicts[0].support
    assert checked.status == "key agrees"
    assert chance(checked, 0) != ""
    assert support is not None
    assert OUTCOME_WORDS[support.outcome].startswith("no sentence says all of it, but")
