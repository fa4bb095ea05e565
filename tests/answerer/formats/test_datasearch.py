"""Question, gold and run files of Data Search QA, good and bad."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerer.formats.datasearch import Question, one_line, read_answers, read_questions, write_run
from indexer.files.errors import UserError


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "file.tsv"
    path.write_text(text, "utf-8")
    return path


def test_questions_in_both_shapes(tmp_path: Path) -> None:
    text = '\ufeffDS2-QA-J-1001\t人口は？\t000002505731\r\n\n{"id": "Q2", "question": "why?", "docid": "x"}\n'
    first, second = read_questions(written(tmp_path, text))
    assert first == Question("DS2-QA-J-1001", "人口は？", "000002505731")
    assert second == Question("Q2", "why?", "x")
    assert [first.language, second.language] == ["ja", "en"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Q1\twhy?\n", ":1: 2 fields"),
        ("Q1\twhy?\tx\nQ2\t\tx\n", ":2: an empty field"),
        ("Q1\twhy?\tx\nQ1\twhy?\tx\n", ":2: question id Q1 stands in line 1 already"),
        ("{broken\n", ":1: no JSON"),
        ('{"a":' * 100_000, ":1: no JSON"),
        ('{"id": "Q\\t1", "question": "why?", "dataset": "x"}\n', ":1: a tab or a line break in id"),
        ('{"id": "Q1", "question": "why?", "dataset": ["x"]}\n', ":1: dataset is no text"),
        ("", "no question in it"),
    ],
)
def test_bad_questions_are_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        read_questions(written(tmp_path, text))


@pytest.mark.parametrize("tag", ["</SYSDESC>", "<SYSDESC>"])
def test_a_run_with_or_without_the_slash(tmp_path: Path, tag: str) -> None:
    run = read_answers(written(tmp_path, f"<SYSDESC>ours{tag}\nQ1\t2010\nQ2\t\n"))
    assert (run.description, run.answers) == ("ours", {"Q1": "2010", "Q2": ""})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Q1 2010\n", ":1: no tab"),
        ("Q1\ta\nQ1\tb\n", ":2: question id Q1 came before"),
        ("<SYSDESC>x</SYSDESC>\n", "no answer"),
    ],
)
def test_bad_runs_are_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        read_answers(written(tmp_path, text))


def test_a_run_is_written_as_the_page_says() -> None:
    file = io.StringIO()
    write_run(file, "two\nlines", [("DS2-QA-J-1001", "2010"), ("DS2-QA-J-1002", " Tokyo\tcity ")])
    assert file.getvalue() == "<SYSDESC>two lines</SYSDESC>\nDS2-QA-J-1001\t2010\nDS2-QA-J-1002\tTokyo city\n"


@given(st.text(max_size=50))
def test_an_answer_is_one_line(text: str) -> None:
    assert len(f"x{one_line(text)}x".splitlines()) == 1 or any(mark in text for mark in "\x1c\x1d\x1e")
    assert "\t" not in one_line(text)
