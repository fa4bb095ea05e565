"""DBQA files: columns found, everything odd that real files hold, and every bad line named."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerer.formats.nlpcc_sentences import SentenceFile, read_sentences
from indexer.files.errors import UserError


def read(path: Path, text: str) -> SentenceFile:
    path.write_bytes(text.encode("utf-8"))
    return read_sentences(path)


def test_guideline_has_the_label_last(tmp_path: Path) -> None:
    found = read(tmp_path / "f", "谁？\t甲。\t0\n谁？\t乙。\t1\n何时？\t丙。\t0\n")
    assert [(one.question, one.candidates, one.gold) for one in found.lists] == [
        ("谁？", ("甲。", "乙。"), (False, True)),
        ("何时？", ("丙。",), (False,)),
    ]


def test_public_files_have_it_first_with_windows_line_ends(tmp_path: Path) -> None:
    found = read(tmp_path / "f", "0\t谁？\t甲。\r\n1\t谁？\t乙。\r\n")
    assert found.lists[0].gold == (False, True)
    assert found.lists[0].candidates == ("甲。", "乙。")


def test_a_test_file_has_no_gold(tmp_path: Path) -> None:
    assert read(tmp_path / "f", "谁？\t甲。\n").lists[0].gold is None


def test_sentences_that_are_numbers_do_not_hide_the_label(tmp_path: Path) -> None:
    assert read(tmp_path / "f", "几年？\t1921\t1\n几年？\t天气\t0\n").lists[0].candidates == ("1921", "天气")


def test_label_10_is_positive_with_a_warning(tmp_path: Path) -> None:
    found = read(tmp_path / "f", "0\t谁？\t甲\n10\t谁？\t乙\n")
    assert found.lists[0].gold == (False, True)
    assert found.warnings == [f"{tmp_path / 'f'}:2: the label 10 counts as 1"]


def test_a_question_that_comes_back_is_one_list(tmp_path: Path) -> None:
    found = read(tmp_path / "f", "a\tx\nb\ty\na\tz\n")
    assert [one.candidates for one in found.lists] == [("x", "z"), ("y",)]
    assert found.lines == [0, 2, 1]


def test_quotes_and_blanks_of_other_kinds_are_text(tmp_path: Path) -> None:
    found = read(tmp_path / "f", '谁？\t"甲\u00a0乙\n谁？\t\u3000\n')
    assert found.lists[0].candidates == ('"甲\u00a0乙', "\u3000")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a\tb\n\nc\td\n", ":2: 1 columns; expected 2 as in line 1"),
        ("a\tb\tc\td\n", ":1: 4 columns"),
        ("0\ta\tb\n1\ta\n", ":2: 2 columns; expected 3 as in line 1"),
        ("0\ta\tb\nx\ta\tc\n", ":2: the label 'x' is no number"),
        ("nan\ta\tb\n0\ta\tc\n", ":1: the label 'nan' is no number"),
        ("0\t \tb\n", ":1: an empty question"),
        ("a\t\n", ":1: an empty sentence"),
        ("", ": empty file"),
    ],
)
def test_bad_lines_are_named(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(UserError) as caught:
        read(tmp_path / "f", text)
    assert f"{tmp_path / 'f'}{said}" in str(caught.value)


plain = st.text(st.characters(exclude_characters="\t\r\n\0", codec="utf-8"), min_size=1).filter(str.strip)


@given(st.lists(st.tuples(plain, plain), min_size=1, max_size=9))
def test_every_line_is_one_candidate(tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str]]) -> None:
    path = tmp_path_factory.getbasetemp() / "pairs.txt"
    found = read(path, "\ufeff" + "".join(f"{question}\t{sentence}\n" for question, sentence in rows))
    placed = dict(zip(found.lines, ((o.question, c) for o in found.lists for c in o.candidates), strict=True))
    assert [placed[line] for line in range(len(rows))] == rows
