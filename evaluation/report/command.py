"""`python -m evaluation report TASK GOLD RUN…`: a self-contained page of runs, their figures and their reasons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from answerer.page.frame import page
from evaluation.registry import scoring
from evaluation.report.data import ReportData, report_data
from evaluation.report.figures import chance, divisions, run_figures, supports
from evaluation.report.made import beside, describe_run
from evaluation.runs import run_arguments, traces_option, warn_of_training
from evaluation.significance import against_first
from indexer.files.atomic import write_text
from indexer.garbage import pause_garbage_collection
from indexer.parameters import OutputPath, command_line, option
from retriever.provenance import read_metadata

_STYLES = ("answer.css", "report.css")
_SCRIPTS = ("answer.js", "report.js")


@command_line(
    "evaluation report ntcir-mc samples/sample-exam-en.gold.xml exam.run.xml --trace exam.run.jsonl -o report.html",
    *run_arguments("RUN1 [RUN2...]"),
    traces_option("without it a page has scores, but no reasons"),
    option("-o", "output", metavar="REPORT.html", type=OutputPath(), default="-", help="Where the page goes [stdout]."),
)
def command(task: str, gold: Path, runs: tuple[Path, ...], traces: tuple[Path, ...], output: str) -> None:
    """A page that shows how good runs are, why every question was answered so, and where the runs differ.

    It is one file that opens without a network: figures and charts, then every question with its choices or
    candidates, what decided, and the passages behind it.
    """
    metadata = [read_metadata(run) for run in runs]
    for run, own in zip(runs, metadata, strict=True):
        warn_of_training(gold, run, own)
    with pause_garbage_collection():
        text = report_page(report_data(task, scoring(task), gold, runs, traces), metadata)
    write_text(output, text)


def report_page(data: ReportData, metadata: Sequence[Mapping[str, Any] | None]) -> str:
    """Renders the page: the figures as markup, the questions as data that its script displays.

    `metadata` are those of each run, in order, None for a run without metadata.
    """
    places = range(len(data.runs))
    supported = [supports(data, place) for place in places]
    lacking = "no passage on the right choice" if data.chosen_among else "no right candidate"
    questions = []
    for number, question in enumerate(data.questions):
        fields = question._asdict()
        fields["runs"] = answers = []
        for place, answer in enumerate(question.runs):
            shown: dict[str, Any] = {"score": answer.score, "answer": answer.answer}
            if answer.drawn is not None:
                if supported[place][number] is False:
                    shown["unsupported"] = lacking  # the page says what is missing
                shown["drawn"] = answer.drawn
            answers.append(shown)
        questions.append({name: value for name, value in fields.items() if value not in (None, "", [], {})})
    return page(
        "evaluation.report",
        "report.html",
        _STYLES,
        _SCRIPTS,
        {
            "task": data.task,
            "language": data.language,
            "measure": data.measure,
            "runs": [run.name for run in data.runs],
            "questions": questions,
        },
        title=f"{data.title} · {' · '.join(run.name for run in data.runs)}",
        report=data,
        figures=[run_figures(data, place) for place in places],
        lines=against_first([{one.name: one.runs[place].score for one in data.questions} for place in places]),
        divisions=divisions(data),
        chance=chance(data.questions),
        described=[describe_run(run, data.task, data.gold, own) for run, own in zip(data.runs, metadata, strict=True)],
        beside=[beside(own, bool(run.header)) for run, own in zip(data.runs, metadata, strict=True)],
    )
