"""Questions in a table with a header are read by the names of its columns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from indexer.files.errors import UserError
from retriever.topics import read_topics
from tests.places import SAMPLES


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"fields": ["description"]}, "no such field"),
        ({"fields": "title"}, "fields: expected texts"),
        ({"language": "xx"}, "no such language"),
    ],
)
def test_unknown_options_are_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(UserError, match=said):
        read_topics(SAMPLES / "collection" / "topics.trec", **options)


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


def test_objects_in_a_list_are_topics(tmp_path: Path) -> None:
    (path := tmp_path / "topics.json").write_text(
        '[{"qid": 7, "query": "rye"},\n{"qid": 9, "query": "oat"}]'
    )
    assert read_topics(path) == [("7", "rye"), ("9", "oat")]


@pytest.mark.parametrize(
    ("text", "warned"),
    [
        ("101 rye\n102 oat\n", True),
        ("101:rye\n102:oat\n", True),
        ("101 rye\n101 oats\n", False),
        ("101 rye\noats\n", False),
        ("1066 and all that\n", False),
        ("1. Who?\n2. Why?\n", False),
    ],
)
def test_ids_without_a_tab_are_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, text: str, warned: bool
) -> None:
    (path := tmp_path / "topics.txt").write_text(text)
    assert read_topics(path)[0] == ("1", text.splitlines()[0])
    assert ("every line begins with a number" in caplog.text) == warned
