"""Of a row of a table, the cell under the heading that a question names is the answer."""

from __future__ import annotations

import pytest

import answerer
import indexer

PAGE = (
    "<h1>Railways</h1><p>There are four lines.<table><tr><th>Station<th>Opened<th>Bridges, stone"
    "<th>Bridges, iron<th>Platforms<tr><td>Korvel<td>1861<td>4<td>2<td>12"
    "<tr><td>Brenta<td>1874<td>1<td>3<td>4</table>"
)


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("rows")
    (folder / "railways.html").write_text(PAGE, "utf-8")
    indexer.build_textbook([folder / "railways.html"], f"{folder}/index/", language="en")
    return f"{folder}/index/"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How many platforms does Brenta have?", "4"),
        ("How many stone bridges does Korvel have?", "4"),
        ("How many iron bridges are there at Korvel?", "2"),
        ("Which station has 12 platforms?", "Korvel"),
    ],
)
def test_the_cell_under_the_heading_of_the_question_answers(
    index: str, question: str, answer: str
) -> None:
    assert answerer.ask(question, index=index).answers[0].text == answer


def test_no_passage_must_mention_many(index: str) -> None:
    assert "many" not in answerer.ask("How many platforms does Brenta have?", index=index).doubt
