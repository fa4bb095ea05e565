"""Names and classes of questions in reports and comparisons."""

from __future__ import annotations

from evaluation.runs import unlike
from evaluation.tasks.results import ReportedQuestion, question_classes


def test_a_name_that_comes_again_is_numbered_and_takes_no_other_name() -> None:
    assert list(unlike(["A", "A (2)", "A", "A", "B", "A (2)"])) == [
        "A",
        "A (2)",
        "A (3)",
        "A (4)",
        "B",
        "A (2) (2)",
    ]


def test_questions_without_a_class_make_no_product_of_one_class() -> None:
    questions = [
        ReportedQuestion(name, 1.0, kinds={"answer_type": answer, "knowledge_type": knowledge})
        for name, answer, knowledge in [("1", "term", "KS"), ("2", "", "KS"), ("3", "term", "RT")]
    ]
    divisions = {division for division, _, _ in question_classes(questions)}
    assert divisions == {"all", "answer_type", "knowledge_type"}
