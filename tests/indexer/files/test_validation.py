"""What a program gives in the place of a path, a text or a number is a UserError of its name and
kind."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from answerer.answering import answer
from answerer.asking.command import ask
from answerer.run import Run
from answerer.training import train
from evaluation.comparison import compare
from evaluation.scoring import score
from indexer.api import build_textbook, build_triples
from indexer.build import BuiltIndex
from indexer.files.errors import UserError
from retriever.search import OpenIndex, open_index
from tests.places import SAMPLES

NAN = float("nan")
GOLD = str(SAMPLES / "sample-exam-en.gold.xml")
TABLES = ("who?", [("Rivers", ["km"], [["210"]])])
RUN = Run(task="selqa", method="sum", files={"": b""})


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> BuiltIndex:
    place = tmp_path_factory.mktemp("given") / "book"
    return build_textbook(
        [{"text": "Shah Jahan built the Taj Mahal."}], place, language="en", names=False
    )


@pytest.fixture(scope="module")
def index(built: BuiltIndex) -> OpenIndex:
    return open_index(built)


ASKED: dict[str, Callable[[OpenIndex], object]] = {
    "query: expected texts, one by one, not int": lambda index: index.search(5),  # type: ignore[call-overload]
    "query[1]: expected a text, not float": lambda index: index.search(["Taj", NAN]),  # type: ignore[list-item]
    "query: expected a text, not NoneType": lambda index: index.explain(None),  # type: ignore[arg-type]
    "question: expected a text, not float": lambda index: ask(NAN, index),  # type: ignore[arg-type]
    "choices: expected texts, one by one, not str": lambda index: ask(
        "Who?", index, choices="Akbar"
    ),
    "choices[1]: expected a text, not NoneType": lambda index: ask("Who?", index, ["a", None]),  # type: ignore[list-item]
    "expected two or more choices": lambda index: ask("Who?", index, ["Akbar"]),
    "none of them empty": lambda index: ask("Who?", index, ["Akbar", " "]),
    "k is 0: ask for one answer or more": lambda index: ask("Who?", index, k=0),
    "index: expected a path, not int": lambda _: ask("Who?", 5),  # type: ignore[arg-type]
    "index: expected a path, not NoneType": lambda _: open_index(None),  # type: ignore[arg-type]
    "index: expected a path, not float": lambda _: build_textbook([{"text": "Rome."}], 5.0),  # type: ignore[arg-type]
    "jobs: [] ": lambda _: build_textbook([{"text": "Rome."}], "x", jobs=[]),  # type: ignore[arg-type]
    "SHEET.xml: expected a file, or what `read_sheet` gave, not list": lambda _: answer(
        "ntcir-term", []
    ),
    "EXAM: expected files, or what `read_exam` gave, not list": lambda _: answer("ntcir-mc", []),
    "selqa: 5 is given: give a file, or questions": lambda _: answer("selqa", 5),
    "path: expected a path, not NoneType": lambda _: RUN.save(None),  # type: ignore[arg-type]
    "trace: expected a path, not int": lambda _: RUN.save("x", trace=5),  # type: ignore[arg-type]
    "x: run and trace need two different files": lambda _: RUN.save("x", "./x"),
    "gold: expected a path, not NoneType": lambda _: score("selqa", None, RUN),  # type: ignore[arg-type]
    "run: expected a path, not list": lambda _: score("ntcir-mc", GOLD, []),  # type: ignore[arg-type]
    "'x'": lambda _: compare("ntcir-mc", GOLD, GOLD, GOLD, seed="x"),  # type: ignore[arg-type]
    "names.csv: ": lambda _: build_textbook([{"text": "Rome."}], "x", terms=["names.csv"]),
    "terms: [None] is not a valid path": lambda _: build_textbook(
        [{"text": "Rome."}], "x", terms=[None]
    ),  # type: ignore[list-item]
    "index: expected a path, not bool": lambda _: build_triples([("a", "b", "c")], True),  # type: ignore[arg-type]
    "mentions: expected a path, not list": lambda _: build_triples(
        [("a", "b", "c")],
        "x",
        mentions=["m.txt", "n.txt"],  # type: ignore[arg-type]
    ),
    "part: expected a text, not list": lambda index: index.search("Taj", part=["sentences"]),  # type: ignore[call-overload]
    "part: expected a text, not tuple": lambda index: index.part(("sentences", 1)),  # type: ignore[arg-type]
    "method: expected a text, not list": lambda index: ask(
        "Who?", index, ["a", "b"], method=["slqal"]
    ),  # type: ignore[arg-type]
    "best: no such method; expected one of validation, ": lambda index: ask(
        "Who?", index, ["a", "b"], method="best"
    ),
    "task: expected a text, not list": lambda _: answer(["selqa"], [("q", ["a"])]),  # type: ignore[arg-type]
    "task: expected a text, not dict": lambda _: train({}, "x", output="m.json"),  # type: ignore[arg-type]
    "task: expected a text, not set": lambda _: score(set(), GOLD, RUN),  # type: ignore[arg-type]
    "question 1: half of a surrogate pair": lambda _: answer("nlpcc-dbqa", [("谁？", ["\udcff"])]),
    "question 2: half of a surrogate pair": lambda _: answer(
        "nlpcc-tbqa", [TABLES, ("\udcff?", TABLES[1])]
    ),
    "model: expected a path, not int": lambda _: answer("nlpcc-dbqa", [("谁？", ["a"])], model=3),
    "'': cannot be read": lambda _: answer("nlpcc-dbqa", [("谁？", ["a"])], model=""),
    "output: expected a path, not NoneType": lambda _: train("selqa", "x", output=None),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("line", ASKED)
def test_what_is_of_another_kind_is_told(index: OpenIndex, line: str) -> None:
    with pytest.raises(UserError) as refused:
        ASKED[line](index)
    assert line in str(refused.value)


def test_numbers_of_numpy_paths_and_texts_that_come_once_are_taken(
    index: OpenIndex, built: BuiltIndex
) -> None:
    assert len(index.search("Taj", k=np.int64(1))) == 1  # type: ignore[call-overload]
    assert [len(hits) for hits in index.search(text for text in ("Taj", "Rome"))] == [1, 0]
    assert open_index(Path(built.address)).search("Taj")
    reply = ask("Who built the Taj Mahal?", index, (text for text in ("Akbar", "Shah Jahan")))  # type: ignore[arg-type]
    assert sorted(one.text for one in reply) == ["Akbar", "Shah Jahan"]
