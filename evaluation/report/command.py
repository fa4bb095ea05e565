"""`python -m evaluation report TASK GOLD RUN…`: a self-contained page of runs, their figures and
their reasons."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from contextlib import closing, nullcontext
from pathlib import Path
from typing import Any

import click

from answerer.page.frame import PageFiles, page
from evaluation.options import run_arguments
from evaluation.registry import scoring
from evaluation.report.data import (
    ReportData,
    ReportRun,
    chance,
    divisions,
    report_data,
    run_figures,
    supports,
)
from evaluation.significance import against_first
from indexer.address import Location
from indexer.cli.types import Address, Command, InputFile, OutputPath, PlainText
from indexer.engines.contract import pause_garbage_collection
from indexer.engines.opening import open_index
from indexer.files.atomic import write_text
from indexer.files.errors import UserError
from indexer.files.messages import counted
from indexer.files.paths import STDOUT

_PAGE = PageFiles(
    __package__, "report.html", ("answer.css", "report.css"), ("answer.js", "report.js")
)
_LISTED = 12  # values of a parameter that are listed; longer lists are counted

Lines = list[tuple[str, str]]


@click.command(
    cls=Command,
    example="evaluate report ntcir-mc samples/sample-exam-en.gold.xml exam.run.xml --trace "
    "exam.run.jsonl -o report.html",
)
@run_arguments("RUN1 [RUN2...]")
@click.option(
    "--trace",
    "traces",
    multiple=True,
    metavar="TRACE.jsonl",
    type=InputFile(),
    help="The trace of each run, in the order of the runs: without it a page has scores, but no "
    "reasons.",
)
@click.option("-m", "measure", metavar="MEASURE", type=PlainText(), help="Of TREC runs [AP].")
@click.option(
    "--topics", metavar="FILE", type=InputFile(), help="Of TREC runs: the topics, for their texts."
)
@click.option(
    "--index",
    metavar="ADDRESS",
    type=Address(),
    help="Of TREC runs: the collection, for documents and matched terms.",
)
@click.option(
    "-o",
    "output",
    metavar="REPORT.html",
    type=OutputPath(),
    default=STDOUT,
    help="Where the page goes [stdout].",
)
def command(
    task: str,
    gold: Path,
    runs: tuple[Path, ...],
    traces: tuple[Path, ...],
    measure: str | None,
    topics: Path | None,
    index: Location | None,
    output: str,
) -> None:
    """A page that shows how good runs are, why every question was answered so, and where the runs
    differ.

    It is one file that opens without a network: figures and charts, then every question with its
    choices or candidates, what decided, and the passages behind it. `report trec QRELS RUN1
    RUN2...` is of anybody's TREC runs: for each topic the documents that they place differently.
    """
    if task == "trec":
        if traces:
            raise UserError("--trace: TREC runs have none; give --topics and --index")
        from evaluation.report.trec import trec_page

        with closing(open_index(index)) if index else nullcontext() as opened:
            text = trec_page(gold, runs, measure or "AP", topics, opened)
        write_text(output, text)
        return
    if measure or topics or index:
        raise UserError(f"-m, --topics and --index are of `report trec`, not of {task}")
    with pause_garbage_collection():
        text = report_page(report_data(task, scoring(task), gold, runs, traces))
    write_text(output, text)


def report_page(data: ReportData) -> str:
    """Renders the page: the figures as markup, the questions as data that its script displays,
    without empty fields. An answer whose evidence does not support the right one (`supports`) is
    marked."""
    positions = range(len(data.runs))
    supported = [supports(data, position) for position in positions]
    lacking = "no passage on the right choice" if data.chosen_among else "no right candidate"
    questions: list[dict[str, object]] = []
    fields: dict[str, object]
    for number, joined in enumerate(data.questions):
        question = joined.question
        answers: list[dict[str, Any]] = []
        for position, answer in enumerate(joined.runs):
            answers.append({"score": answer.score, "answer": answer.answer})
            if answer.drawn is not None:
                if supported[position][number] is False:
                    answers[-1]["unsupported"] = lacking  # the page says what is missing
                answers[-1]["drawn"] = answer.drawn
        gold, gold_ids = [*question.gold], sorted(question.gold_ids)
        fields = {
            "name": joined.name,
            "anchor": joined.anchor,
            "text": question.text,
            "kinds": question.kinds,
            "gold": gold,
        }
        fields |= {
            "gold_ids": gold_ids,
            "worth": question.worth,
            "chance": question.chance,
            "runs": answers,
        }
        questions.append(
            {key: value for key, value in fields.items() if value not in (None, "", [], {})}
        )
    return page(
        _PAGE,
        {
            "task": data.task,
            "language": data.language,
            "measure": data.measure,
            "runs": [run.name for run in data.runs],
            "questions": questions,
        },
        title=f"{data.title} · {' · '.join(run.name for run in data.runs)}",
        report=data,
        figures=[run_figures(data, position) for position in positions],
        lines=against_first(
            [
                {joined.name: joined.runs[position].score for joined in data.questions}
                for position in positions
            ]
        ),
        divisions=divisions(data),
        chance=chance(data.questions),
        described=[describe_run(run, data.task, data.gold) for run in data.runs],
    )


def _text_of(value: object) -> str:
    """A value of a trace's header as text; "" for None, of a list or dict with more than 12 or
    nested values only their number (`13 values`), else `1, 2` or `key 1 · key 2`."""
    if value is None:
        return ""
    if not isinstance(value, Mapping | list):
        return str(value)
    items = list(value.values()) if isinstance(value, Mapping) else value
    if len(items) > _LISTED or any(isinstance(item, Mapping | list) for item in items):
        return counted(len(items), "values")
    if isinstance(value, Mapping):
        return " · ".join(f"{key} {item}" for key, item in value.items())
    return ", ".join(map(str, items))


def describe_run(run: ReportRun, task: str, gold: str) -> Lines:
    """Lines (label, value): a run's file, its trace's header, the command that answered and the one
    that scores it.

    Empty fields of the header are left out, those of `parameters` have a line each, long and nested
    ones are the number of their values. The command that answered is left out without a trace, and
    has `…` for the file of questions and the options, which a trace does not name.
    """
    lines = [("run", run.path)]
    for name, value in run.header.items():
        fields = {name: value}
        if name == "parameters" and isinstance(value, Mapping):
            fields = dict(value)
        for label, content in fields.items():
            if text := _text_of(content):
                lines.append((str(label), text))
    if run.header:
        index = run.header.get("index")
        options = ["--index", str(index)] if index else []
        words = shlex.join([*options, "-o", run.path, "--trace", run.trace])
        lines.append(
            (
                "answered by, as far as the trace tells",
                f"classical-qa answer {shlex.quote(task)} … {words}",
            )
        )
    # The tasks whose scoring takes a trace.
    trace = ["--trace", run.trace] if run.trace and task in ("ntcir-mc", "ntcir-term") else []
    lines.append(
        ("scored by", shlex.join(["classical-qa", "evaluate", task, gold, run.path, *trace]))
    )
    return lines
