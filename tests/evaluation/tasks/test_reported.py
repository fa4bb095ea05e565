"""Names of questions in reports and comparisons."""

from __future__ import annotations

from evaluation.runs import unlike


def test_a_name_that_comes_again_is_numbered_and_takes_no_other_name() -> None:
    assert list(unlike(["A", "A (2)", "A", "A", "B", "A (2)"])) == [
        "A",
        "A (2)",
        "A (3)",
        "A (4)",
        "B",
        "A (2) (2)",
    ]
