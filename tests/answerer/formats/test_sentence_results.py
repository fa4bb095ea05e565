"""Results written back into the file that came: SelQA's JSON in both shapes, rows with one more
column."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from answerer.formats.ranked_results import read_results, results_text
from indexer.files.errors import UserError
from indexer.formats.selqa import read_selqa
from indexer.formats.sentence_rows import read_sentence_rows
from tests.programs import json_lines

ONE = {
    "question": "Who?",
    "sentences": ["Ann.", "", "Bob."],
    "candidates": [2],
    "type": "TV",
    "is_paraphrase": True,
}
EMPTY = {"question": "When?", "sentences": [], "candidates": []}
SWAPPED = {
    "question": "Who?",
    "candidates": ["Ann.", "", "Bob."],
    "answers": [2],
    "article": "A",
    "topic": "TV",
}
HEADER = "QuestionID\tQuestion\tDocumentID\tDocumentTitle\tSentenceID\tSentence\tLabel"


@pytest.mark.parametrize("is_list", [True, False])
def test_results_come_back_in_the_shape_that_came_in(tmp_path: Path, is_list: bool) -> None:
    objects = [ONE, EMPTY, SWAPPED]
    (tmp_path / "f").write_text(
        json.dumps(objects) if is_list else "\n".join(map(json.dumps, objects)), "utf-8"
    )
    out = results_text(
        read_selqa(tmp_path / "f"), [np.array([0.25, 0.0, 0.75]), np.array([1e-9, 0.0, 0.5])]
    )
    rows = json.loads(out) if is_list else json_lines(out)
    assert rows == [
        {**ONE, "results": [0.25, 0.0, 0.75]},
        {**EMPTY, "results": []},
        {**SWAPPED, "results": [1e-9, 0.0, 0.5]},
    ]
    (tmp_path / "g").write_text(out, "utf-8")
    assert read_results(tmp_path / "g")[1] == [[0.25, 0.0, 0.75], [], [1e-9, 0.0, 0.5]]


def test_an_object_without_results_is_named(tmp_path: Path) -> None:
    (tmp_path / "f").write_text(
        json.dumps({**ONE, "results": [0, 0, 1]}) + "\n" + json.dumps(ONE), "utf-8"
    )
    with pytest.raises(UserError, match="f:2: an object without results"):
        read_results(tmp_path / "f")


def test_scores_are_one_more_column(tmp_path: Path) -> None:
    text = f"{HEADER}\nQ1\ta\tD\tT\tS\tx\t1\nQ2\tb\tD\tT\tS\ty\t0\nQ1\ta\tD\tT\tS\tz\t0\n"
    (tmp_path / "f").write_text(text, "utf-8")
    out = results_text(
        read_sentence_rows(tmp_path / "f"), [np.array([0.75, 0.25]), np.array([1.0])]
    )
    rows = text.splitlines()
    assert out.splitlines() == [
        f"{rows[0]}\tScore",
        f"{rows[1]}\t0.75",
        f"{rows[2]}\t1",
        f"{rows[3]}\t0.25",
    ]
    (tmp_path / "g").write_text(out, "utf-8")
    assert read_sentence_rows(tmp_path / "g", scored=True).results == [[0.75, 0.25], [1.0]]
