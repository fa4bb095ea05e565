"""Question files of Data Search QA, good and bad, and the datasets that they name."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.files.errors import UserError
from indexer.formats.datasearch import DatasetQuestion, one_line, read_questions
from indexer.languages.english import ENGLISH
from indexer.languages.japanese import JAPANESE


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "file.tsv"
    path.write_text(text, "utf-8")
    return path


def test_questions_in_both_shapes(tmp_path: Path) -> None:
    text = '\ufeffDS2-QA-J-1001\t人口は？\t000002505731\r\n\n{"question_id": "Q2", "question": "why?", "dataset": "x"}\n'
    first, second = read_questions(written(tmp_path, text))
    assert first == DatasetQuestion("DS2-QA-J-1001", "人口は？", "000002505731")
    assert second == DatasetQuestion("Q2", "why?", "x")
    assert [first.language, second.language] == [JAPANESE, ENGLISH]


def test_questions_numbered_from_0(tmp_path: Path) -> None:
    assert read_questions(
        written(tmp_path, '{"question_id": 0, "question": "why?", "dataset": "x"}')
    ) == [DatasetQuestion("0", "why?", "x")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "Q1\twhy?\n",
            ":1: not three fields, each a text; expected QUESTION_ID TAB question TAB dataset id",
        ),
        ("Q1\twhy?\tx\tx\n", ":1: not three fields"),
        ("Q1\twhy?\tx\nQ2\t\tx\n", ":2: not three fields"),
        ("Q1\twhy?\tx\nQ1\twhy?\tx\n", ":2: question id Q1 stands in line 1 already"),
        ("{broken\n", ":1: no JSON"),
        ('{"a":' * 100_000, ":1: no JSON"),
        ('{"question_id": "Q\\t1", "question": "why?", "dataset": "x"}\n', ":1: not three fields"),
        ('{"question_id": "Q1", "question": "why?"}\n', ":1: not three fields"),
        ('{"question_id": true, "question": "why?", "dataset": "x"}\n', ":1: not three fields"),
        ('{"question_id": "Q1", "question": "why?", "dataset": ["x"]}\n', ":1: not three fields"),
        ("", "no question in it"),
    ],
)
def test_bad_questions_are_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        read_questions(written(tmp_path, text))


@given(st.text(max_size=50))
def test_an_answer_is_one_line(text: str) -> None:
    assert len(f"x{one_line(text)}x".splitlines()) == 1 or any(
        mark in text for mark in "\x1c\x1d\x1e"
    )
    assert "\t" not in one_line(text)
