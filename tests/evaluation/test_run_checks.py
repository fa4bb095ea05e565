"""Every task says which ids gold or run lack, and files mistaken for others."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.places import SAMPLES
from tests.programs import done, run

TAKEN_OUT = [
    ("ntcir-mc", "sample-exam-en.gold.xml", r"<data>(?:(?!<data>).)*>A3<.*?</data>", "A3"),
    ("ntcir-mc", "sample-exam-en.gold.xml", r"(?<=<answer>)2(?=</answer>)", "A1"),
    ("ntcir-term", "term-en.gold.xml", r"<answer_section.*?</answer_section>", "S-EN-TERM-1"),
    ("ntcir-term", "term-en.gold.xml", r"Marco Polo", "S-EN-TERM-1"),
    ("ntcir-essay", "essay-en.gold.xml", r"<answer_section.*?</answer_section>", "S-EN-ESSAY-1"),
    ("ntcir-essay", "essay-en.gold.xml", r"(?<=<answer_type>)sen", "S-EN-ESSAY-1"),
    ("nlpcc-kbqa", "kbqa-zh.train.txt", r"<answer id=2>.*?\n", "2"),
    ("nlpcc-kbqa", "kbqa-zh.train.txt", r"(?<=<answer id=2>\t).*?(?=\n)", "2"),
    ("datasearch-qa", "datasearch-gold.tsv", r"^.*?\n", "DS2-QA-J-1001"),
    ("datasearch-qa", "datasearch-gold.tsv", r"1,842.6", "DS2-QA-J-1001"),
]


@pytest.mark.parametrize(
    ("task", "file", "record", "named"), TAKEN_OUT, ids=lambda value: value[:24]
)
def test_a_record_taken_out_of_the_gold_is_named(
    tmp_path: Path, task: str, file: str, record: str, named: str
) -> None:
    run_file, gold = SAMPLES / file, tmp_path / file
    text = run_file.read_text("utf-8")
    gold.write_text(re.sub(record, "", text, count=1, flags=re.DOTALL), "utf-8")
    assert gold.read_text("utf-8") != text
    ended = done("evaluation", task, gold, run_file)
    assert re.search(rf"warning: .*\b{named}$", ended.err, re.MULTILINE), ended.err


def test_topics_of_an_extraction_without_gold_are_named(tmp_path: Path) -> None:
    passage = '<PASSAGE RANK="1" SOURCE_ID="x" SOURCE_ID_TYPE="WEB" SCORE="1" NORMALIZED_SCORE="1">War.</PASSAGE>'
    topics = (
        f'<TOPIC ID="{name}"><PASSAGE_SET>{passage}</PASSAGE_SET></TOPIC>'
        for name in ("S-EN-ESSAY-1", "T")
    )
    extraction = tmp_path / "extraction.xml"
    extraction.write_text(f"<TOPIC_SET>{''.join(topics)}</TOPIC_SET>", "utf-8")
    err = run(
        "evaluation", "ntcir-extraction", str(SAMPLES / "essay-en.gold.xml"), str(extraction)
    ).err
    assert f"no gold for 1 of the topics that {extraction} answers, not scored: T\n" in err


ITSELF = [
    ("ntcir-mc", "sample-exam-en.gold.xml"),
    ("ntcir-term", "term-en.gold.xml"),
    ("ntcir-essay", "essay-en.gold.xml"),
    ("nlpcc-kbqa", "kbqa-zh.train.txt"),
    ("datasearch-qa", "datasearch-gold.tsv"),
    ("u4-tqa", "u4-tqa.gold.json"),
    ("u4-tr", "u4-tr.gold.json"),
]


@pytest.mark.parametrize(("task", "file"), ITSELF)
def test_gold_against_itself_is_refused(task: str, file: str) -> None:
    gold = str(SAMPLES / file)
    ended = run("evaluation", task, gold, gold)
    assert (ended.status, ended.out) == (2, "")
    assert "the same bytes as the gold" in ended.err


def test_metadata_beside_the_gold_alone_is_refused(tmp_path: Path) -> None:
    gold = SAMPLES / "term-en.gold.xml"
    answered, metadata = tmp_path / "run.xml", tmp_path / "run.xml.ir-metadata.yml"
    answered.write_text(gold.read_text("utf-8").replace("Marco Polo", "Kublai Khan"), "utf-8")
    metadata.write_text("method: names\n", "utf-8")
    ended = run("evaluation", "ntcir-term", str(answered), str(gold))
    assert (ended.status, ended.out) == (2, "")
    assert f"is {gold} the gold?" in ended.err
    done("evaluation", "ntcir-term", gold, answered)


EXCHANGED = [
    ("datasearch-qa", "Q1\t5\n", "<SYSDESC>BM25</SYSDESC>\nQ1\t6\n"),
    (
        "nlpcc-kbqa",
        "<question id=1>\tq\n<triple id=1>\ta ||| b ||| c\n<answer id=1>\tc\n",
        "<question id=1>\tq\n<answer id=1>\td\n",
    ),
]


@pytest.mark.parametrize(("task", "of_gold", "of_run"), EXCHANGED, ids=["datasearch", "kbqa"])
def test_a_run_with_the_features_of_gold_is_refused(
    tmp_path: Path, task: str, of_gold: str, of_run: str
) -> None:
    gold, answered = tmp_path / "gold", tmp_path / "run"
    gold.write_text(of_gold, "utf-8")
    answered.write_text(of_run, "utf-8")
    done("evaluation", task, gold, answered)
    ended = run("evaluation", task, str(answered), str(gold))
    assert (ended.status, ended.out) == (2, "")
    assert f"is {gold} the gold?" in ended.err


@pytest.mark.parametrize(("others", "status"), [("Q3\t1\n", 0), ("Q3\t1\nQ4\t1\nQ5\t1\n", 2)])
def test_a_run_mostly_of_other_questions_is_refused(
    tmp_path: Path, others: str, status: int
) -> None:
    gold, answered = tmp_path / "gold", tmp_path / "run"
    gold.write_text("Q1\t5\nQ2\t7\n", "utf-8")
    answered.write_text("Q1\t5\nQ2\t6\n" + others, "utf-8")
    assert run("evaluation", "datasearch-qa", str(gold), str(answered)).status == status


def test_one_run_compared_twice_is_said(tmp_path: Path) -> None:
    gold = SAMPLES / "term-en.gold.xml"
    runs = [tmp_path / name for name in ("one.xml", "two.xml")]
    for path in runs:
        path.write_text(gold.read_text("utf-8").replace("Marco Polo", "Kublai Khan"), "utf-8")
    err = run("evaluation", "compare", "ntcir-term", str(gold), *map(str, runs)).err
    assert f"{runs[1]}: the same run as {runs[0]}" in err
