"""Files of questions with candidate sentences: which files they are, what they hold, and their way into an index."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from indexer.address import open_index
from indexer.files.errors import UserError
from indexer.sources.sentence_files import is_sentence_file, read_sentence_lists
from indexer.sources.textbook import command

WIKIQA = "QuestionID\tQuestion\tDocumentID\tDocumentTitle\tSentenceID\tSentence\tLabel\n"
SELQA = {"question": "Who won?", "sentences": ["Ann did. So it was.", ""], "candidates": [0], "article": "Cup"}
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
    ids=["label first", "label last", "no labels", "with ids", "WikiQA", "SelQA", "its repository", "apart"],
)
def test_every_form(tmp_path: Path, text: str, found: list[tuple[str, str, tuple[str, ...]]]) -> None:
    path = written(tmp_path, text)
    assert is_sentence_file(path)
    assert [(one.question, one.title, one.sentences) for one in read_sentence_lists(path)] == found


@pytest.mark.parametrize(
    "text",
    ["", "Ann won.\nBo lost.\n", "q1\twho?\nq1\twhen?\n", '{"text": "Ann won."}\n', "a\tb\tc\nd\te\n", "<doc>"],
    ids=["empty", "plain", "topics", "passages", "ragged", "markup"],
)
def test_other_files_are_not_of_this_kind(tmp_path: Path, text: str) -> None:
    assert not is_sentence_file(written(tmp_path, text))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("who?\tAnn.\t1\n" * 60 + "who?\tBo.\n", ":61: 2 columns, 3 in line 1"),
        ("who?\tAnn.\t1\n\tBo.\t0\n", ":2: an empty question"),
        ('{"question": "a", "sentences": ["b"]}\n{"sentences": ["b"]}', ":2: an object without a question"),
        ('{"question": "a", "sentences": [1]}', ":1: an object without sentences"),
        ('{"question": "a", "sentences": ["\\ud800"]}', ":1: an object without sentences"),
        ('[{"question": "a", "sentences": ["b"]}', ":1: the JSON list does not end there"),
    ],
)
def test_bad_rows_are_named(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(UserError) as caught:
        list(read_sentence_lists(written(tmp_path, text)))
    assert said in str(caught.value)


def test_candidates_are_indexed_once_and_whole(tmp_path: Path) -> None:
    again = {"question": "When?", "sentences": ["Ann did. So it was.", "Rome lost."], "candidates": [1]}
    path = written(tmp_path, json.dumps(SELQA) + "\n" + json.dumps(again))
    result = CliRunner().invoke(command, [str(path), "--index", f"{tmp_path}/ix/"])
    assert "records: 2 read = 2 used + 0 rejected" in result.stderr
    index = open_index(f"{tmp_path}/ix/")
    assert [one.text for one in index.part("sentences").scan()] == ["Ann did. So it was.", "Rome lost."]
    assert [one.text for one in index.part("paragraphs").scan()] == ["Ann did. So it was.", "Rome lost."]
