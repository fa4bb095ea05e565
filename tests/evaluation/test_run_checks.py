"""Every task says which ids gold or run lack, and files mistaken for others."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.places import SAMPLES
from tests.programs import run

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
    ended = run("evaluation", task, str(gold), str(run_file))
    assert ended.status == 0
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


def test_gold_against_itself_and_gold_after_the_run_are_said(tmp_path: Path) -> None:
    gold = SAMPLES / "term-en.gold.xml"
    assert "the same bytes as the gold" in run("evaluation", "ntcir-term", str(gold), str(gold)).err
    answered, metadata = tmp_path / "run.xml", tmp_path / "run.ir-metadata.yml"
    answered.write_text(gold.read_text("utf-8").replace("Marco Polo", "Kublai Khan"), "utf-8")
    metadata.write_text("method: names\n", "utf-8")
    assert "are they swapped?" in run("evaluation", "ntcir-term", str(answered), str(gold)).err
    assert "are they swapped?" not in run("evaluation", "ntcir-term", str(gold), str(answered)).err


def test_one_run_compared_twice_is_said(tmp_path: Path) -> None:
    gold = SAMPLES / "term-en.gold.xml"
    runs = [tmp_path / name for name in ("one.xml", "two.xml")]
    for path in runs:
        path.write_text(gold.read_text("utf-8").replace("Marco Polo", "Kublai Khan"), "utf-8")
    err = run("evaluation", "compare", "ntcir-term", str(gold), *map(str, runs)).err
    assert f"{runs[1]}: the same run as {runs[0]}" in err
