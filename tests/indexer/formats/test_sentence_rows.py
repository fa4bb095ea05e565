"""DBQA, WikiQA and TrecQA files: columns found, everything odd that real files hold, and every bad
line named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.files.errors import UserError
from indexer.formats.sentence_rows import RowFile, is_0_or_1, read_sentence_rows
from indexer.formats.table_rows import read_table_rows
from tests.refusals import raises_at

HEADER = "QuestionID\tQuestion\tDocumentID\tDocumentTitle\tSentenceID\tSentence\tLabel"


def read(path: Path, text: str, **options: Any) -> RowFile:
    path.write_bytes(text.encode("utf-8"))
    return read_sentence_rows(path, **options)


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


@pytest.mark.parametrize(
    ("text", "question", "candidates"),
    [
        ("几年？\t1921\t1\n几年？\t天气\t0\n", "几年？", ("1921", "天气")),
        ("1\t几年？\t1921\n0\t几年？\t1949\n", "几年？", ("1921", "1949")),
        ("1990\t2000\t1\n1990\t2010\t0\n", "1990", ("2000", "2010")),
    ],
    ids=["more numbers last", "as many, 0 and 1 first", "as many, 0 and 1 last"],
)
def test_numbers_do_not_hide_the_label(
    tmp_path: Path, text: str, question: str, candidates: tuple[str, ...]
) -> None:
    one = read(tmp_path / "f", text).lists[0]
    assert (one.question, one.candidates, one.gold) == (question, candidates, (True, False))


def test_label_10_is_positive_with_a_warning(tmp_path: Path) -> None:
    found = read(tmp_path / "f", "0\t谁？\t甲\n10\t谁？\t乙\n")
    assert found.lists[0].gold == (False, True)
    assert found.warnings == [f"{tmp_path / 'f'}:2: the label 10 counts as 1"]


def test_a_question_that_comes_back_is_one_list(tmp_path: Path) -> None:
    found = read(tmp_path / "f", "a\tx\nb\ty\na\tz\n")
    assert [one.candidates for one in found.lists] == [("x", "z"), ("y",)]
    assert found.positions == [0, 2, 1]


def test_a_question_is_the_same_with_blanks_around_it(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("谁建的？\t甲。\t1\n谁建的？ \t乙。\t0\n", "utf-8")
    assert [one.candidates for one in read_sentence_rows(tmp_path / "f", dbqa=True).lists] == [
        ("甲。", "乙。")
    ]


def test_quotes_and_blanks_of_other_kinds_are_text(tmp_path: Path) -> None:
    found = read(tmp_path / "f", '谁？\t"甲\u00a0乙\n谁？\t\u3000\n')
    assert found.lists[0].candidates == ('"甲\u00a0乙', "\u3000")


def test_wikiqa_with_header(tmp_path: Path) -> None:
    found = read(
        tmp_path / "f",
        f"{HEADER}\nQ1\twho ?\tD1\tAnn\tD1-0\tAnn was .\t1\nQ1\twho ?\tD1\tAnn\tD1-1\tBob\t0\n",
    )
    one = found.lists[0]
    assert (one.question, one.candidates, one.gold) == (
        "who ?",
        ("Ann was .", "Bob"),
        (True, False),
    )
    assert (one.group, one.topic, found.header) == ("Ann", "Ann", HEADER)


def test_trecqa_lists_by_question_id(tmp_path: Path) -> None:
    found = read(tmp_path / "f", "1.1\twho ?\tAnn\t0\n1.2\twho ?\tBob\t1\n")
    assert [one.candidates for one in found.lists] == [("Ann",), ("Bob",)]


def test_scores_are_no_labels(tmp_path: Path) -> None:
    with raises_at(tmp_path / "f", 1):
        read(tmp_path / "f", "who ?\tAnn\t0.3\nwho ?\tBob\t0.7\n")


def test_scores_are_one_more_column(tmp_path: Path) -> None:
    found = read(tmp_path / "f", "a\tx\t1\t0.5\nb\ty\t0\t2\na\tz\t0\t-1\n", scored=True)
    assert [one.gold for one in found.lists] == [(True, False), (False,)]
    assert found.results == [[0.5, -1.0], [2.0]]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a\tb\n\nc\td\n", ":2: an empty line; expected 2 columns as in the other lines"),
        ("a\na\tb\nc\td\n", ":1: 1 columns; expected 2 columns as in the other lines"),
        ("0\ta\tb\n1\ta\n", ":2: 2 columns; expected 3 columns as in the other lines"),
        ("a\tb\tc\td\te\n", ":1: 5 columns"),
        ("0\ta\tb\nx\ta\tc\n", ":2: the label 'x' is not a number"),
        ("nan\ta\tb\n0\ta\tc\n", ":1: the label 'nan' is not a number"),
        ("1\x1e\ta\tb\nx\ta\tc\n", ":2: the label 'x' is not a number"),
        ("7\ta\tb\tyes\n", ":1: the label 'yes' is not a number"),
        ("a\tb\tyes\n", ":1: 3 columns, and neither the first nor the last holds labels"),
        ("0\t \tb\n", ":1: an empty question"),
        ("a\t\n", ":1: an empty sentence"),
        ("a\t\0\n", ":1: binary noise"),
        (f"{HEADER}\n", ": no rows"),
        ("", ": empty file"),
    ],
)
def test_bad_lines_are_named(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(UserError) as caught:
        read(tmp_path / "f", text)
    assert f"{tmp_path / 'f'}{said}" in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [f"{HEADER}\nQ\tq\tD\tT\tS\tx\t1\n", "7\ta\tb\t0\n"],
    ids=["WikiQA", "TrecQA"],
)
def test_where_dbqa_is_wanted_other_forms_are_refused(tmp_path: Path, text: str) -> None:
    with raises_at(tmp_path / "f", 1):
        read(tmp_path / "f", text, dbqa=True)


def test_a_score_that_is_not_a_number_is_named(tmp_path: Path) -> None:
    with raises_at(tmp_path / "f", 2):
        read(tmp_path / "f", "a\tx\t0.5\na\ty\thigh\n", scored=True)


plain = st.text(st.characters(exclude_characters="\t\r\n\0", codec="utf-8"), min_size=1).filter(
    lambda text: text.strip() and not is_0_or_1(text)  # labels are never questions
)


@given(st.lists(st.tuples(plain, plain), min_size=1, max_size=9))
def test_every_line_is_one_candidate(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str]]
) -> None:
    path = tmp_path_factory.getbasetemp() / "pairs.txt"
    found = read(
        path,
        "\ufeff" + "".join(f"{question}\t{sentence}\n" for question, sentence in rows),
        dbqa=True,
    )
    placed = dict(
        zip(
            found.positions,
            ((o.question, c) for o in found.lists for c in o.candidates),
            strict=True,
        )
    )
    assert [placed[line] for line in range(len(rows))] == rows


@pytest.mark.parametrize(
    "text",
    [f"{HEADER}\nQ1\ta\tD\tT\tS\tx\t1\n", "1.4\tWho?\tAnn.\t1\n1.4\tWho?\tBob.\t0\n"],
    ids=["WikiQA", "TrecQA"],
)
def test_a_file_that_nobody_answered_is_not_read_with_its_labels_for_scores(
    tmp_path: Path, text: str
) -> None:
    with raises_at(tmp_path / "f", 1):
        read(tmp_path / "f", text, scored=True)


@pytest.mark.parametrize("row", ["0\tIt opened in 1932.", "1\t0\tIt opened in 1932."])
def test_labels_are_never_questions(tmp_path: Path, row: str) -> None:
    path = tmp_path / "dbqa"
    path.write_text(f"{row}\n{row}\n")
    with pytest.raises(UserError, match=r"dbqa:1: labels \(0, 1\) instead of questions"):
        read_sentence_rows(path, dbqa=True)


def test_a_label_is_never_the_question_of_a_table(tmp_path: Path) -> None:
    path = tmp_path / "tbqa"
    path.write_text("0\twhich bridge?\tName_|_Year\tOld_|_1887\n")
    with pytest.raises(UserError, match=r"tbqa:1: a label \(0\) instead of a question"):
        list(read_table_rows(path))


def test_cells_of_a_table_are_without_signs_that_nobody_sees(tmp_path: Path) -> None:
    path = tmp_path / "t"
    path.write_text(
        "1\t哪\u200b年\t城\u00ad市\t名_|_\ufeff年\t阿格\u200e拉_|_1653_||_罗马_|_80\n", "utf-8"
    )
    (row,) = read_table_rows(path)
    assert (row.question, row.caption, row.header()) == ("哪年", "城市", ["名", "年"])
    assert list(row.rows()) == [["阿格拉", "1653"], ["罗马", "80"]]
