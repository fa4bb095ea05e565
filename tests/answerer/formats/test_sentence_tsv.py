"""WikiQA and TrecQA files: their three forms, scores as one more column, every bad row named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from answerer.formats.sentence_tsv import read_tsv, tsv_text
from indexer.files.errors import UserError

HEADER = "QuestionID\tQuestion\tDocumentID\tDocumentTitle\tSentenceID\tSentence\tLabel"


def read(path: Path, text: str, scored: bool = False) -> Any:
    path.write_text(text, "utf-8")
    return read_tsv(path, scored)


def test_wikiqa_with_header(tmp_path: Path) -> None:
    found = read(
        tmp_path / "f", f"{HEADER}\nQ1\twho ?\tD1\tAnn\tD1-0\tAnn was .\t1\nQ1\twho ?\tD1\tAnn\tD1-1\tBob\t0\n"
    )
    one = found.lists[0]
    assert (one.question, one.candidates, one.gold) == ("who ?", ("Ann was .", "Bob"), (True, False))
    assert (one.group, one.topic) == ("Ann", "Ann")


def test_wikiqa_without_header(tmp_path: Path) -> None:
    found = read(tmp_path / "f", 'who ?\t"Ann\t0\nwho ?\tBob\t1\nwhen ?\tNow\t0\n')
    assert [(one.question, one.candidates, one.gold) for one in found.lists] == [
        ("who ?", ('"Ann', "Bob"), (False, True)),
        ("when ?", ("Now",), (False,)),
    ]


def test_trecqa_lists_by_question_id(tmp_path: Path) -> None:
    found = read(tmp_path / "f", "1.1\twho ?\tAnn\t0\n1.2\twho ?\tBob\t1\n")
    assert [one.candidates for one in found.lists] == [("Ann",), ("Bob",)]


def test_scores_are_one_more_column(tmp_path: Path) -> None:
    text = f"{HEADER}\nQ1\ta\tD\tT\tS\tx\t1\nQ2\tb\tD\tT\tS\ty\t0\nQ1\ta\tD\tT\tS\tz\t0\n"
    found = read(tmp_path / "f", text)
    out = tsv_text(found, np.array([0.75, 0.25, 1.0]))
    rows = text.splitlines()
    assert out.splitlines() == [f"{rows[0]}\tScore", f"{rows[1]}\t0.75", f"{rows[2]}\t1", f"{rows[3]}\t0.25"]
    assert read(tmp_path / "g", out, scored=True).results == [0.75, 0.25, 1.0]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "empty file"),
        (f"{HEADER}\n", "no rows"),
        ("a\tb\tc\td\te\n", ":1: 5 columns"),
        ("a\tb\t1\na\tb\n", ":2: 2 columns, 3 in line 1"),
        ("a\tb\tyes\n", ":1: the label 'yes' is no number"),
        ("a\t\t1\n", ":1: an empty question or sentence"),
    ],
)
def test_bad_rows_are_named(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(UserError) as caught:
        read(tmp_path / "f", text)
    assert said in str(caught.value)
