"""`--format trec-eval` of every task: lines of three fields that trec_eval's readers take."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.places import SAMPLES
from tests.programs import refused, run

RUNS = {
    "ntcir-mc": ("sample-exam-en.gold.xml", "sample-exam-en.gold.xml"),
    "ntcir-term": ("term-en.gold.xml", "term-en.gold.xml"),
    "ntcir-essay": ("essay-en.gold.xml", "essay-en.gold.xml"),
    "nlpcc-kbqa": ("kbqa-zh.txt", "kbqa-zh.txt"),
    "datasearch-qa": ("datasearch-gold.tsv", "datasearch-gold.tsv"),
}
EXPECTED = {
    "ntcir-mc": ["points", "all", "100"],
    "ntcir-term": ["right", "all", "1.0000"],
    "ntcir-essay": ["unanswered", "all", "0.0000"],
    "nlpcc-kbqa": ["F1", "all", "1.0000"],
    "datasearch-qa": ["exact_match", "all", "1.0000"],
}


def lines(task: str, *words: str) -> list[list[str]]:
    files = [str(SAMPLES / name) for name in RUNS[task]]
    ended = run("evaluation", task, *files, *words, "--format", "trec-eval")
    assert ended.status == 0, ended.err
    return [line.split() for line in ended.out.splitlines()]


@pytest.mark.parametrize("task", RUNS)
def test_the_gold_as_a_run(task: str) -> None:
    assert EXPECTED[task] in lines(task)
    assert {question for _, question, _ in lines(task)} == {"all"}


@pytest.mark.parametrize("task", RUNS)
def test_every_question_once_a_measure(task: str) -> None:
    found = lines(task, "-q")
    assert all(len(line) == 3 for line in found)
    named = [(measure, question) for measure, question, _ in found]
    assert len(named) == len(set(named))
    assert len({question for _, question in named}) > 1


def test_candidates_are_scored_by_one_rule_for_ties(tmp_path: Path) -> None:
    """All candidates at one score in file order: of the first question's two the second is right, its MRR is 1/2."""
    dev = SAMPLES / "dbqa.dev.txt"
    scores = tmp_path / "flat.txt"
    scores.write_text("1\n" * len(dev.read_text("utf-8").splitlines()))
    by_question = run("evaluation", "nlpcc-dbqa", str(dev), str(scores), "-q", "--format", "trec-eval").out
    assert by_question.splitlines()[0].split() == ["MRR", "1", "0.5000"]
    whole = run("evaluation", "nlpcc-dbqa", str(dev), str(scores), "--format", "trec-eval").out
    assert [line.split()[0] for line in whole.splitlines()].count("MRR") == 1


def test_a_tree_of_runs_has_a_table(tmp_path: Path) -> None:
    (tmp_path / "flat.txt").write_text("1\n")
    words = ("evaluation", "nlpcc-dbqa", str(SAMPLES / "dbqa.dev.txt"), str(tmp_path), "--format", "trec-eval")
    assert "--format trec-eval" in (line := refused(*words))
    assert str(tmp_path) in line
