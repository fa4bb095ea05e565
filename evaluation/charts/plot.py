"""Charts of runs from Python: a figure that a notebook shows, and that is saved for a paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluation.given_runs import AnyRun, FileName, in_files, readable
from evaluation.registry import scoring
from evaluation.report.data import ReportData, report_data
from indexer.files.errors import UserError
from indexer.files.validation import path_given

CHARTS = ("score", "kinds", "margins", "calibration")
FORMATS = ("svg", "png", "pdf")


@dataclass(frozen=True, repr=False)
class Plot:
    """A figure of charts, drawn when it is shown (a notebook shows it by itself) or saved."""

    data: ReportData
    charts: Sequence[str]

    def drawn(self, form: str = "svg") -> bytes:
        """The figure as `svg`, `png` or `pdf`; the same bytes for the same numbers. UserError without matplotlib."""
        if form not in FORMATS:
            raise UserError(f"{form!r} is no format of a figure: expected one of {', '.join(FORMATS)}")
        from evaluation.charts.figure import figure_bytes

        return figure_bytes(self.data, self.charts, form)

    def save(self, place: FileName) -> None:
        """Write the figure; the ending says its format: .svg, .png or .pdf. UserError for any other."""
        from indexer.files.atomic import write_bytes

        write_bytes(str(place), self.drawn(format_of(place)))

    def _repr_png_(self) -> bytes:
        return self.drawn("png")

    def __repr__(self) -> str:
        return f"<Plot {self.data.task}: {', '.join(run.name for run in self.data.runs)}>"


def plot(name: str, gold: FileName, *runs: AnyRun, charts: Sequence[str] = ()) -> Plot:
    """The charts of one run or several over the questions of a gold: scores with their intervals (`score`), shares by
    kind of question (`kinds`), and where the runs hold their evidence margins of right and wrong answers (`margins`)
    and the share that is right by margin (`calibration`). Without `charts` all that there are numbers for.
    """
    if isinstance(charts, str) or not isinstance(charts, Sequence) or not all(one in CHARTS for one in charts):
        raise UserError(f"charts: expected a list of {', '.join(CHARTS)}")
    if not runs:
        raise UserError("no run: expected one or more to draw")
    with in_files(runs, traced=True) as given:
        places, traces = [one.place for one in given], [one.trace for one in given]
        data = report_data(name, scoring(name), readable(gold, "gold"), places, traces)
    called = [run._replace(name=Path(one.name).name) for run, one in zip(data.runs, given, strict=True)]
    return Plot(data._replace(runs=called), tuple(charts))


def format_of(place: FileName) -> str:
    """The format that a file's ending says. UserError for none of `FORMATS`."""
    ending = Path(path_given(place, "place")).suffix.lower().removeprefix(".")
    if ending not in FORMATS:
        raise UserError(f"{place}: the ending is to be one of {', '.join(f'.{name}' for name in FORMATS)}")
    return ending
