"""Which files are questions with candidate sentences beyond doubt, and their way into an index."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from indexer.engines.opening import open_index
from indexer.files.errors import UserError
from indexer.formats.sentence_rows import RowFile, is_sentence_file, read_sentence_file
from indexer.sources.textbook.build import command
from tests.ingest_counts import records

WIKIQA = "QuestionID\tQuestion\tDocumentID\tDocumentTitle\tSentenceID\tSentence\tLabel\n"
SELQA = {
    "question": "Who won?",
    "sentences": ["Ann did. So it was.", ""],
    "candidates": [0],
    "article": "Cup",
}
REPOSITORY = {"question": "Who won?", "candidates": ["Ann did.", "Bo lost."], "answers": [0]}


def written(tmp_path: Path, text: str) -> Path:
    (tmp_path / "questions.txt").write_text(text, "utf-8")
    return tmp_path / "questions.txt"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1\t谁赢了？\t安。\n0\t谁赢了？\t波。\n", [("谁赢了？", "", ("安。", "波。"))]),
        ("谁赢了？\t安。\t1\n谁赢了？\t波。\t0\n", [("谁赢了？", "", ("安。", "波。"))]),
        ("who won?\tAnn.\nwho won?\tBo.\n", [("who won?", "", ("Ann.", "Bo."))]),
        ("7\twho?\tAnn.\t1\n8\twho?\tBo.\t0\n", [("who?", "", ("Ann.",)), ("who?", "", ("Bo.",))]),
        (f"{WIKIQA}Q1\twho?\tD1\tThe cup\tS1\tAnn.\t1\n", [("who?", "The cup", ("Ann.",))]),
        (json.dumps(SELQA), [("Who won?", "Cup", ("Ann did. So it was.", ""))]),
        (json.dumps([REPOSITORY], indent=1), [("Who won?", "", ("Ann did.", "Bo lost."))]),
        ("a?\tA.\t1\nb?\tB.\t1\na?\tC.\t0\n", [("a?", "", ("A.", "C.")), ("b?", "", ("B.",))]),
    ],
    ids=[
        "label first",
        "label last",
        "no labels",
        "with ids",
        "WikiQA",
        "SelQA",
        "its repository",
        "apart",
    ],
)
def test_every_form(
    tmp_path: Path, text: str, found: list[tuple[str, str, tuple[str, ...]]]
) -> None:
    path = written(tmp_path, text)
    assert is_sentence_file(path)
    assert [
        (one.question, one.topic, one.candidates) for one in read_sentence_file(path).lists
    ] == found


@pytest.mark.parametrize(
    "text",
    [
        "x\twho?\tAnn.\n1\twho?\tBo.\n0\twho?\tCy.\n",
        "1\twho?\tAnn.\nwho?\tBo.\n0\twho?\tCy.\n",
        "7\twho?\tAnn.\t1\n8\twho?\tBo.\tx\n",
        "who is he?\tAnn.\nwho is he?\tBo.\nwho is he?\n",
        f"{WIKIQA}Q1\twho?\n",
        '{"question": "who?", "sentences": 1}',
        '{"question": "who?", "sentences": ["Ann."]}\nnonsense\n',
    ],
    ids=["label", "columns", "one of two", "no sentence", "under a header", "object", "JSON"],
)
def test_a_bad_row_does_not_make_it_another_kind_of_file(tmp_path: Path, text: str) -> None:
    assert is_sentence_file(written(tmp_path, text))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Ann won.\nBo lost.\n",
        "q1\twho?\nq1\twhen?\n",
        '{"text": "Ann won."}\n',
        "a\tb\tc\nd\te\n",
        "<doc>",
        "1492\tColumbus\tsails\n1498\tGama\tsails\n",
        "Q1\twho rules?\t000012345678\n",
    ],
    ids=["empty", "plain", "topics", "passages", "ragged", "markup", "years", "Data Search"],
)
def test_other_files_are_not_of_this_kind(tmp_path: Path, text: str) -> None:
    assert not is_sentence_file(written(tmp_path, text))


@given(st.text(st.sampled_from('\t\t\n\n01x谁 {}[]":,'), max_size=40))
def test_any_text_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = tmp_path_factory.getbasetemp() / "any.txt"
    path.write_text(text, "utf-8")
    is_sentence_file(path)
    try:
        read = read_sentence_file(path)
    except UserError:
        return
    assert isinstance(read, RowFile)  # no text of these characters is an object with a question
    assert sorted(read.positions) == list(range(len(read.rows)))
    assert all(one.question.strip() and all(one.candidates) for one in read.lists)


def test_candidates_are_indexed_once_and_whole(tmp_path: Path) -> None:
    again = {
        "question": "When?",
        "sentences": ["Ann did. So it was.", "Rome lost."],
        "candidates": [1],
    }
    path = written(tmp_path, json.dumps(SELQA) + "\n" + json.dumps(again))
    result = CliRunner().invoke(command, [str(path), "--index", f"{tmp_path}/ix/"])
    assert records(result.stderr) == (2, 2, 0)
    index = open_index(f"{tmp_path}/ix/")
    assert [one.text for one in index.part("sentences").scan()] == [
        "Ann did. So it was.",
        "Rome lost.",
    ]
    assert [one.text for one in index.part("paragraphs").scan()] == [
        "Ann did. So it was.",
        "Rome lost.",
    ]
