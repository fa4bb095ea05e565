"""Gold files of the samples, by question."""

from __future__ import annotations

from pathlib import Path

import pytest

from answerer.page.drawn import NO_GOLD, Gold
from answerer.trace import TraceQuestion
from evaluation.explain.command import read_golds
from tests.answerer.formats.sheets import bilingual, write
from tests.places import SAMPLES


@pytest.mark.parametrize(
    ("task", "file", "question", "expected"),
    [
        ("ntcir-mc", "sample-exam-en.gold.xml", "A1", Gold(candidate_ids=frozenset("2"))),
        ("ntcir-term", "term-en.gold.xml", "S-EN-TERM-1", Gold(("Marco Polo",))),
        ("nlpcc-kbqa", "kbqa-zh.txt", "1", Gold(("范仲淹",))),
        ("datasearch-qa", "datasearch-gold.tsv", "DS2-QA-J-1001", Gold(("1,842.6",))),
        ("nlpcc-dbqa", "dbqa.dev.txt", "1", Gold(candidate_ids=frozenset("1"))),
        ("nlpcc-tbqa", "tbqa.dev.txt", "1", Gold(candidate_ids=frozenset("3"))),
        ("selqa", "selqa.dev.json", "1", Gold(candidate_ids=frozenset("1"))),
    ],
)
def test_the_gold_of_a_question(task: str, file: str, question: str, expected: Gold) -> None:
    assert read_golds(task, SAMPLES / file).next_of(TraceQuestion(question_id=question)) == expected


def test_a_question_that_the_gold_lacks_has_none() -> None:
    golds = read_golds("ntcir-mc", SAMPLES / "sample-exam-en.gold.xml")
    assert golds.next_of(TraceQuestion(question_id="Z1")) is NO_GOLD


def test_the_gold_of_a_bilingual_sheet_is_that_of_the_traces_language(tmp_path: Path) -> None:
    gold = write(tmp_path, bilingual("Marco Polo", "マルコ・ポーロ"))
    assert read_golds("ntcir-term", gold, "ja").next_of(TraceQuestion(question_id="D-1")) == Gold(("マルコ・ポーロ",))
