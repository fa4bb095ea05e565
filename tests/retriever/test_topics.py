"""Questions in a table with a header are read by the names of its columns."""

from __future__ import annotations

from pathlib import Path

import pytest

from indexer.files.errors import UserError
from retriever.topics import read_topics


@pytest.mark.parametrize(
    ("text", "topics"),
    [
        ('id,Question\nq7,"Who, then?"\n', [("q7", "Who, then?")]),
        ('sep=;\r\nnote;query\r\nx;"Who\r\nis it?"\r\n\r\n;Why?\r\n', [("3", "Who is it?"), ("6", "Why?")]),
        ('question\tid\n"Who" is it?\tq1\n', [("q1", '"Who" is it?')]),
        ('question\nWho, then?\n"Why, then?"\n', [("2", "Who, then?"), ("3", "Why, then?")]),
    ],
)  # fmt: skip
def test_the_columns_of_a_header(tmp_path: Path, text: str, topics: list[tuple[str, str]]) -> None:
    (path := tmp_path / "questions").write_bytes(b"\xef\xbb\xbf" + text.encode())
    assert read_topics(path) == topics


def test_a_quote_that_does_not_close_is_named_by_its_line(tmp_path: Path) -> None:
    (path := tmp_path / "questions").write_text('id,question\n1,Who?\n2,"Why?\n')
    with pytest.raises(UserError, match="questions:3: "):
        read_topics(path)


def test_a_row_with_more_cells_than_the_header_is_named_by_its_line(tmp_path: Path) -> None:
    (path := tmp_path / "questions").write_text("id,question\n1,Who?,\n2,Who, then?\n")
    with pytest.raises(UserError, match="questions:3: 3 cells, the header has 2"):
        read_topics(path)
