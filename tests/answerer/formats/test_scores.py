"""Score files: as many lines as candidates, in the file's order, read back as they were."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerer.formats.ranked_results import read_scores, scores_text
from indexer.files.errors import UserError


def test_each_score_stands_on_its_own_line() -> None:
    assert scores_text(np.array([0.25, -3.0, 1e-9]), [2, 0, 1]) == "-3\n1e-09\n0.25\n"


@given(st.lists(st.floats(-1e6, 1e6), min_size=1))
def test_read_back(tmp_path_factory: pytest.TempPathFactory, scores: list[float]) -> None:
    path = tmp_path_factory.getbasetemp() / "scores.txt"
    path.write_text(scores_text(np.array(scores), list(range(len(scores)))))
    assert read_scores(path, len(scores), "gold") == pytest.approx(scores, rel=1e-6)


def test_blanks_of_every_sort_around_a_score(tmp_path: Path) -> None:
    (tmp_path / "s").write_text("\x1c1\n 2\t\n")
    assert read_scores(tmp_path / "s", 2, "gold").tolist() == [1, 2]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1\nx\n", ":2: 'x' is not a score"),
        ("1\n\n", ":2: '' is not a score"),
        ("1\n\0\n", ":2: binary noise; expected a number"),
        ("nan\n2\n", ":1: 'nan'"),
        ("1_0\n2\n", ":1: '1_0'"),
        ("1\n2\n3", "3 scores"),
        ("1\n", "1 scores"),
    ],
)
def test_bad_scores_are_named(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "s").write_text(text)
    with pytest.raises(UserError) as caught:
        read_scores(tmp_path / "s", 2, "gold.txt")
    assert said in str(caught.value)
