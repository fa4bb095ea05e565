"""Gold files of the samples, by question."""

from __future__ import annotations

from pathlib import Path

import pytest

from answerer.page.drawn import Gold
from evaluation.explain import read_golds
from evaluation.tasks.results import ReportedQuestion
from tests.answerer.formats.sheets import bilingual, write
from tests.places import SAMPLES


def right(golds: list[ReportedQuestion], question: str) -> Gold:
    found = next(one for one in golds if one.question_id == question)
    return Gold(found.gold, found.gold_ids)


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
    assert right(read_golds(task, SAMPLES / file), question) == expected


def test_the_gold_of_a_bilingual_sheet_is_that_of_the_traces_language(tmp_path: Path) -> None:
    gold = write(tmp_path, bilingual("Marco Polo", "マルコ・ポーロ"))
    assert right(read_golds("ntcir-term", gold, "ja"), "D-1") == Gold(("マルコ・ポーロ",))
