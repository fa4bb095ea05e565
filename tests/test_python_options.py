"""What Python offers beside the commands: typed options as the commands have them, TREC runs,
tables of notebooks."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from answerer.answering import answer
from answerer.run import Run
from answerer.trace import TraceCandidate, TraceQuestion
from evaluation.__main__ import main
from evaluation.contract import Figures
from evaluation.registry import BUILT_IN, scoring
from indexer.api import BuildSettings, build_datasets, build_tables, build_textbook, build_triples
from indexer.build import BuiltIndex
from indexer.files.errors import UserError
from indexer.sources.datasets.build import command as datasets
from indexer.sources.tables.build import command as tables
from indexer.sources.textbook.build import command as textbook
from indexer.sources.triples.build import command as triples
from retriever.rankings import Rankings
from retriever.search import Hit, Hits
from tests.places import SAMPLES
from tests.programs import invoked


def run_of(*rows: TraceQuestion) -> Run:
    return Run(task="ntcir-mc", method="x", files={}, questions=rows)


@pytest.mark.parametrize(
    ("command", "build"),
    [
        (textbook, build_textbook),
        (triples, build_triples),
        (tables, build_tables),
        (datasets, build_datasets),
    ],
)
def test_the_options_of_a_build_are_the_command_s(
    command: click.Command, build: Callable[..., BuiltIndex]
) -> None:
    options = {
        max(param.opts, key=len).lstrip("-").replace("-", "_")
        for param in command.params
        if isinstance(param, click.Option)
    }
    own = {*list(inspect.signature(build).parameters)[1:]} - {"options"}
    assert options - {"quiet", "verbose"} == own | BuildSettings.__annotations__.keys()


# Options of the commands that Python has in another form: rows of questions beside the others, rows
# instead of a print, the run's path, a file of one figure, a table of a folder of runs, and how much
# is said.
ONLY_COMMANDS = {"by", "by_question", "form", "mrr", "correlation", "quiet", "verbose"}


@pytest.mark.parametrize("task", BUILT_IN)
def test_the_options_of_a_score_are_the_command_s(task: str) -> None:
    module = scoring(task)
    options = {
        str(param.name) for param in module.command.params if isinstance(param, click.Option)
    }
    assert options - ONLY_COMMANDS == {*list(inspect.signature(module.score).parameters)[2:]}


def test_a_run_is_a_trec_run_as_it_is_exported(tmp_path: Path) -> None:
    dev = SAMPLES / "selqa.dev.json"
    run = answer("selqa", dev)
    run.save(tmp_path / "run.json")
    invoked(
        main,
        "export",
        "selqa",
        str(dev),
        str(tmp_path / "run.json"),
        "--run",
        str(tmp_path / "run.txt"),
    )
    made = [line.split() for line in run.to_trec("mine").splitlines()]
    exported = [line.split() for line in (tmp_path / "run.txt").read_text("utf-8").splitlines()]
    assert sorted(line[:3] for line in made) == sorted(line[:3] for line in exported)
    assert [line[2] for line in made if line[3] == "1"] == [
        line[2] for line in exported if line[3] == "1"
    ]
    assert {line[5] for line in made} == {"mine"}


def test_choices_of_an_exam_are_ranked_and_the_false_one_first_where_it_is_wanted() -> None:
    candidates = (
        TraceCandidate(id="1", text="a", score=2.0),
        TraceCandidate(id="2", text="b", score=-1.0),
    )
    rows = [
        TraceQuestion(question_id="A1", exam="x", asks=asks, candidates=candidates)
        for asks in ("T", "F")
    ]
    lines = [run_of(row).to_trec().split() for row in rows]
    assert lines[0][:5] + lines[0][6:11] == [
        "x/A1",
        "Q0",
        "x/A1-1",
        "1",
        "2",
        "x/A1",
        "Q0",
        "x/A1-2",
        "2",
        "-1",
    ]
    assert lines[1][:5] == ["x/A1", "Q0", "x/A1-2", "1", "1"]
    named = TraceQuestion(question_id="T1", candidates=(TraceCandidate(id="my run.xml"),))
    assert run_of(named).to_trec().split()[2] == "T1-my_run.xml"  # a file name may have blanks
    with pytest.raises(UserError):
        run_of(*rows).to_trec("my run")
    with pytest.raises(UserError):
        run_of().to_trec()


def test_notebooks_show_tables_with_texts_escaped() -> None:
    hits = Hits([Hit("d", 1.5, "<b>", "text")])
    shown = [
        hits._repr_html_(),
        Figures("t", [{"measure": "<b>", "value": 1.5}])._repr_html_(),
        run_of(TraceQuestion(question_id="1", question="<b>", system=("x",)))._repr_html_(),
    ]
    assert all("&lt;b&gt;" in html and "<b>" not in html for html in shown)
    assert shown[0].startswith("<table><caption>1 hit</caption>")
    assert hits.to_frame()["score"].tolist() == [1.5]
    assert list(Hits().to_frame()) == list(hits.to_frame())
    assert list(Rankings({"q": []}).to_frame()) == ["query_id", "rank", "doc_id", "score"]
