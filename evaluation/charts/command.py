"""`python -m evaluation plot TASK GOLD RUN…`: the charts of the report as SVG, PNG or PDF."""

from __future__ import annotations

from pathlib import Path

import click

from evaluation.charts.plot import CHARTS, format_of
from evaluation.registry import scoring
from evaluation.run_arguments import run_arguments, traces_option
from evaluation.run_checks import check_run
from indexer.cli.parameters import OutputPath

_EXAMPLE = "python -m evaluation plot ntcir-mc samples/sample-exam-en.gold.xml exam.run.xml -o figure.svg"


@click.command(epilog=f"Example: {_EXAMPLE}")
@run_arguments("RUN1 [RUN2...]")
@traces_option("margins, calibration and shapes come from it")
@click.option(
    "--chart",
    "charts",
    multiple=True,
    type=click.Choice(CHARTS),
    help="A chart to draw, again for more [all that there are numbers for].",
)
@click.option(
    "-o",
    "output",
    required=True,
    metavar="FIGURE",
    type=OutputPath(),
    help="Where the figure goes; its ending says the format: .svg, .png or .pdf.",
)
def command(
    task: str, gold: Path, runs: tuple[Path, ...], traces: tuple[Path, ...], charts: tuple[str, ...], output: str
) -> None:
    """Draw the charts of `evaluation report` for a paper: scores with their intervals, shares by kind of question,
    margins of right and wrong answers, and the share that is right by margin.

    The same input gives the same file. Needs matplotlib (the extra `plot`).
    """
    ending = format_of(output)
    from evaluation.charts.figure import figure_bytes
    from evaluation.report.data import report_data
    from indexer.files.atomic import write_bytes

    for run in runs:
        check_run(gold, run)
    data = report_data(task, scoring(task), gold, runs, traces)
    write_bytes(output, figure_bytes(data, charts, ending))
