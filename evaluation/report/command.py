"""`python -m evaluation report TASK GOLD RUN…`: a self-contained page of runs, their figures and their reasons."""

from __future__ import annotations

from pathlib import Path

from evaluation.registry import scoring
from evaluation.runs import run_arguments, traces_option, warn_of_training
from indexer.parameters import OutputPath, command_line, option
from indexer.workers import pause_garbage_collection

_EXAMPLE = (
    "evaluation report ntcir-mc samples/sample-exam-en.gold.xml exam.run.xml --trace exam.run.jsonl -o report.html"
)


@command_line(
    _EXAMPLE,
    *run_arguments("RUN1 [RUN2...]"),
    traces_option("without it a page has scores, but no reasons"),
    option("-o", "output", metavar="REPORT.html", type=OutputPath(), default="-", help="Where the page goes [stdout]."),
)
def command(task: str, gold: Path, runs: tuple[Path, ...], traces: tuple[Path, ...], output: str) -> None:
    """A page that shows how good runs are, why every question was answered so, and where the runs differ.

    It is one file that opens without a network: figures and charts, then every question with its choices or
    candidates, what decided, and the passages behind it.
    """
    from evaluation.report.data import report_data
    from evaluation.report.write import report_page
    from indexer.files.atomic import write_text
    from retriever.provenance import read_metadata

    metadata = [read_metadata(run) for run in runs]
    for run, own in zip(runs, metadata, strict=True):
        warn_of_training(gold, run, own)
    with pause_garbage_collection():
        page = report_page(report_data(task, scoring(task), gold, runs, traces), metadata)
    write_text(output, page)
