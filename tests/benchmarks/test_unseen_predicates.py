"""Predicates held out whole: what only their own questions teach is not known, what characters say
is."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from answerer.formats.nlpcc_kbqa import KbqaQuestion, read_questions
from answerer.nlpcc.kbqa.ranker import statistics_of
from indexer.engines.contract import Index
from indexer.engines.opening import open_index
from tests.answerer.nlpcc.kbqa.knowledge import build
from tests.places import ROOT

sys.path.insert(0, str(ROOT / "benchmarks"))

import unseen_predicates

ASKED = {
    "产区": "哪个产区",
    "树龄": "树龄多少",
    "海拔": "海拔多少",
    "包装": "什么包装",
    "价格": "价格多少",
    "风味": "咋样呀",
    "口感": "咋样呀",
}
ALIKE = ("风味", "口感")
TEAS = 4


@pytest.fixture(scope="module")
def lesson(tmp_path_factory: pytest.TempPathFactory) -> tuple[Index, list[KbqaQuestion]]:
    """An index of teas, and a question for each of their facts: no character of `咋样` says which two
    it asks for."""
    folder: Path = tmp_path_factory.mktemp("lesson")
    facts = [
        (f"茶叶{tea}", predicate, f"{predicate}的值{tea}")
        for tea in range(TEAS)
        for predicate in ASKED
    ]
    (folder / "kb").write_text("".join(f"{' ||| '.join(fact)}\n" for fact in facts), "utf-8")
    blocks = [
        f"<question id={number}>\t{subject}{ASKED[predicate]}？\n"
        f"<triple id={number}>\t{subject} ||| {predicate} ||| {value}\n"
        f"<answer id={number}>\t{value}\n{'=' * 50}\n"
        for number, (subject, predicate, value) in enumerate(facts)
    ]
    (folder / "questions").write_text("".join(blocks), "utf-8")
    build(str(folder / "index"), kb=folder / "kb")
    return open_index(str(folder / "index"), "triples"), read_questions(str(folder / "questions"))


def test_a_share_is_asked_and_all_teach(lesson: tuple[Index, list[KbqaQuestion]]) -> None:
    examples = unseen_predicates.read(*lesson, share=2)
    asked = {one.predicate for one in examples if one.candidates}
    assert len(examples) == TEAS * len(ASKED)
    assert 0 < len(asked) < len(ASKED)
    assert not asked & {one.predicate for one in examples if not one.candidates}


def test_what_only_a_predicates_own_questions_teach_is_not_known(
    lesson: tuple[Index, list[KbqaQuestion]],
) -> None:
    index, questions = lesson
    examples = unseen_predicates.read(index, questions, share=1)
    literal = np.array([one.predicate not in ALIKE for one in examples])
    found = list(unseen_predicates.measured(examples, statistics_of(index), seed=0))
    assert len(found) == len(unseen_predicates.LINES)
    for rights in found:
        assert rights[literal].tolist() == [1.0] * (TEAS * (len(ASKED) - len(ALIKE)))
    # Of the two that are asked alike only the other one's questions have taught.
    assert found[2][~literal].tolist() == [0.0] * (TEAS * len(ALIKE))
