"""The page of TREC runs: which documents are placed differently, and what the page says of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluation.__main__ import main as evaluation
from evaluation.report.trec import moved_documents, ranks_of
from indexer import build_collection
from tests.programs import invoked, refusal

QRELS = "q1 0 a 1\nq1 0 b 0\nq2 0 c 1\n"
FIRST = "q1 Q0 b 1 3 x\nq1 Q0 a 2 2 x\nq1 Q0 d 3 1 x\nq2 Q0 c 1 1 x\n"
SECOND = "q1 Q0 a 1 3 y\nq1 Q0 b 2 2 y\nq1 Q0 d 3 1 y\nq2 Q0 c 1 1 y\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in (("qrels", QRELS), ("first.run", FIRST), ("second.run", SECOND)):
        (tmp_path / name).write_text(text)
    return tmp_path


def test_documents_are_ordered_by_how_far_they_move_at_the_top() -> None:
    """Differences of reciprocal ranks: w 1 − 1/2, y 1/2 − 0, z 1 − 1/3; x stays."""
    first = {"w": 1, "y": 2, "z": 3, "x": 4}
    second = {"z": 1, "w": 2, "x": 4}
    moved = moved_documents([first, second], {"z": 1})
    assert [(one.doc_id, one.ranks, one.relevance) for one in moved] == [
        ("z", (3, 1), 1),
        ("w", (1, 2), None),
        ("y", (2, None), None),
    ]


def test_equal_scores_are_ranked_as_trec_eval_does() -> None:
    assert ranks_of({"q": {"a": 1.0, "c": 1.0, "b": 2.0}}) == {"q": {"b": 1, "c": 2, "a": 3}}


def test_the_page_has_measures_ranks_and_matched_terms(folder: Path) -> None:
    texts = {"a": "rye bread, rye & oats", "b": "barley", "c": "oats", "d": "malt"}
    build_collection(
        ({"id": name, "title": f"T {name}", "text": text} for name, text in texts.items()),
        folder / "ix",
        language="en",
    )
    (folder / "topics").write_text("q1\trye or barley\nq2\toats\n")
    page = folder / "report.html"
    options = ["--topics", folder / "topics", "--index", f"{folder}/ix", "-o", page]
    files = [folder / "qrels", folder / "first.run", folder / "second.run"]
    invoked(evaluation, "report", "trec", *files, *options)
    words = " ".join(page.read_text().split())
    assert "<td>0.7500</td>" in words
    assert "<td>+0.2500</td>" in words
    assert "<td>1</td> <td>2</td><td>1</td> <td>rye × 2</td>" in words
    assert "rye bread, rye &amp; oats" in words
    assert "<b>q1</b> rye or barley" in words
    assert "The runs place the same documents at the same ranks." in words  # of q2
    assert words.index("<b>q1</b>") < words.index("<b>q2</b>")
    assert ">d<" not in words  # it stays at rank 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["trec", "qrels", "first.run"], "one run: expected at least two"),
        (["trec", "qrels", "first.run", "second.run", "--trace", "qrels"], "TREC runs have none"),
        (["trec", "qrels", "first.run", "second.run", "-m", "AP RR"], "compared by one measure"),
        (["selqa", "qrels", "first.run", "-m", "AP"], "are of `report trec`"),
    ],
)
def test_what_does_not_go_together(folder: Path, arguments: list[str], message: str) -> None:
    words = [folder / word if (folder / word).exists() else word for word in arguments]
    assert message in refusal(evaluation, "report", *words)
