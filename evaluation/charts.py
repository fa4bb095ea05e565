"""Charts of a report as figures for papers, drawn by matplotlib (the extra `plot`): `python -m
evaluation plot`."""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from evaluation.registry import scoring
from evaluation.report.data import (
    Group,
    ReportData,
    RunFigures,
    chance,
    divisions,
    report_data,
    run_figures,
)
from evaluation.runs import check_run, run_arguments, traces_option
from evaluation.scoring import in_files, readable
from evaluation.significance import estimate
from indexer.files.atomic import write_all
from indexer.files.errors import UserError, visible
from indexer.files.messages import warn
from indexer.files.validation import FileName, validate_path
from indexer.files.versions import install_hint
from indexer.parameters import command_line, option, output_path, word_choice

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from evaluation.scoring import AnyRun

FORMATS = ("svg", "png", "pdf")
CHARTS = ("score", "kinds", "margins", "calibration")

# The font that comes with matplotlib, then the usual ones for what it lacks; a missing character
# takes the next font.
_FONTS = (
    "DejaVu Sans",
    "Noto Sans CJK JP",
    "Noto Sans JP",
    "IPAexGothic",
    "IPAGothic",
    "WenQuanYi Zen Hei",
)
_WIDTH = 6.3  # inches: the text of a page of A4
_AXES, _BAR = 0.65, 0.17  # inches: of title and axis, and of each bar
_DOTS = 200  # an inch, of PNG
_COLOURS = (
    "#0072b2",
    "#d55e00",
    "#009e73",
    "#cc79a7",
    "#e69f00",
    "#56b4e9",
    "#000000",
)  # Okabe and Ito 2008
_RIGHT, _WRONG = _COLOURS[2], _COLOURS[1]
_CHANCE: dict[str, Any] = {"color": "#888888", "linestyle": "dashed", "linewidth": 0.8}
_STYLE: Any = {
    "font.size": 8.0,
    "axes.titlesize": 9.0,
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
    "legend.fontsize": "small",
    "svg.hashsalt": "classical-qa",  # ids in SVG would else differ from run to run
    "text.parse_math": False,  # texts are data: a $ in them is a $
    "pdf.fonttype": 42,
}
_UNDATED: dict[str, dict[str, None]] = {
    "svg": {"Date": None},
    "png": {},
    "pdf": {"CreationDate": None},
}


class Panel(NamedTuple):
    """A chart: its name, its title, its height in inches, and the function that draws it."""

    chart: str
    title: str
    height: float
    draw: Callable[[Axes], None]


@dataclass(frozen=True, repr=False)
class Plot:
    """A figure of charts, drawn when it is displayed (as in a notebook) or saved; `charts` are
    names of `CHARTS`, empty for all for which there are numbers."""

    data: ReportData
    charts: Sequence[str]

    def render(self, form: str = "svg") -> bytes:
        """The figure as `svg`, `png` or `pdf`; the same bytes for the same numbers.

        Raises UserError for another format, without matplotlib, and for a chart without numbers.
        Warns of characters that no font has.
        """
        if form not in FORMATS:
            raise UserError(
                f"{form!r} is not a format of figures: expected one of {', '.join(FORMATS)}"
            )
        drawable = panels(self.data)
        if lacking := [
            name for name in self.charts if all(panel.chart != name for panel in drawable)
        ]:
            reason = "there are no numbers for it; most charts need the --trace of each run"
            raise UserError(f"--chart {lacking[0]}: {reason}")
        chosen = [panel for panel in drawable if panel.chart in self.charts or not self.charts]
        try:
            from matplotlib import rc_context
            from matplotlib.figure import Figure
            from matplotlib.font_manager import fontManager
        except ImportError:
            raise UserError(f"evaluation plot needs matplotlib: {install_hint('plot')}") from None
        installed = set(fontManager.get_font_names())
        families = [name for name in _FONTS if name in installed]
        heights = [panel.height for panel in chosen]
        buffer = io.BytesIO()
        with (
            rc_context({**_STYLE, "font.family": families}),
            warnings.catch_warnings(record=True) as said,
        ):
            figure = Figure((_WIDTH, sum(heights)), dpi=_DOTS, layout="tight")
            column = figure.subplots(len(chosen), squeeze=False, height_ratios=heights)[:, 0]
            for axes, panel in zip(column, chosen, strict=True):
                axes.set_title(visible(panel.title))
                panel.draw(axes)
            figure.savefig(buffer, format=form, metadata=_UNDATED[form])
        if any("missing from font" in str(one.message) for one in said):
            warn(
                "no font on this machine has some of the characters: install one, such as Noto "
                "Sans CJK"
            )
        return buffer.getvalue()

    def save(self, place: FileName) -> None:
        """Writes the figure in the format of the file's extension: .svg, .png or .pdf. Raises
        UserError for another."""
        write_all([(str(place), self.render(format_of(place)))])

    def _repr_png_(self) -> bytes:
        return self.render("png")

    def __repr__(self) -> str:
        return f"<Plot {self.data.task}: {', '.join(run.name for run in self.data.runs)}>"


def plot(name: str, gold: FileName, *runs: AnyRun, charts: Sequence[str] = ()) -> Plot:
    """Draws charts of one or more runs over the questions of a gold.

    `name` is the task's. `charts` are some of: scores with their intervals (`score`), mean scores
    by kind of question (`kinds`) and, for runs with evidence, numbers of right and wrong answers by
    margin (`margins`) and the fraction that is right by margin (`calibration`). By default all for
    which there are numbers. Raises UserError for another chart, and without runs.
    """
    if (
        isinstance(charts, str)
        or not isinstance(charts, Sequence)
        or not all(one in CHARTS for one in charts)
    ):
        raise UserError(f"charts: expected a list of {', '.join(CHARTS)}")
    if not runs:
        raise UserError("no run: expected one or more to draw")
    with in_files(runs, traced=True) as files:
        names, places, traces = zip(*files, strict=True)
        data = report_data(name, scoring(name), readable(gold, "gold"), places, traces)
    called = [run._replace(name=Path(one).name) for run, one in zip(data.runs, names, strict=True)]
    return Plot(data._replace(runs=called), tuple(charts))


def format_of(place: FileName) -> str:
    """The format of a figure by the extension of its path. Raises UserError if it is not one of
    `FORMATS`."""
    ending = Path(validate_path(place, "place")).suffix.lower().removeprefix(".")
    if ending not in FORMATS:
        raise UserError(
            f"{place}: the file extension must be one of "
            f"{', '.join(f'.{name}' for name in FORMATS)}"
        )
    return ending


def panels(data: ReportData) -> list[Panel]:
    """Every chart for which there are numbers, in the order of the figure."""
    names, guessed = [visible(run.name) for run in data.runs], chance(data.questions)
    title = f"{data.measure} × 100 of {len(data.questions)} questions, with 95 % intervals"
    title += "" if guessed is None else f"; dashed: chance, {100 * guessed:.1f}"
    drawable = [Panel("score", title, _AXES + _BAR * len(names), partial(draw_scores, data, names))]
    for division, groups in divisions(data).items():
        title, tall = (
            f"By {division}, with standard errors",
            _AXES + _BAR * (len(groups) * len(names)),
        )
        drawable.append(Panel("kinds", title, tall, partial(draw_kinds, groups, names)))
    for place, name in enumerate(names):
        figures = run_figures(data, place)
        called = f": {name}" if len(names) > 1 else ""
        if any(one.right or one.wrong for one in figures.margins):
            title = f"Margins of right and wrong answers{called}"
            drawable.append(Panel("margins", title, 1.7, partial(draw_margins, figures)))
        if len(figures.steps) > 1:
            title = f"% right by margin, with standard errors{called}"
            drawable.append(
                Panel("calibration", title, 1.7, partial(draw_calibration, figures, guessed))
            )
    return drawable


def draw_scores(data: ReportData, names: Sequence[str], axes: Axes) -> None:
    """Draws a bar for each run's mean score × 100 with its interval, the first run on top, chance
    as a dashed line."""
    for place in range(len(names)):
        whole = estimate([one.runs[place].score for one in data.questions])
        low, high = (whole.mean if bound is None else bound for bound in (whole.low, whole.high))
        sides = [[100 * max(0.0, whole.mean - low)], [100 * max(0.0, high - whole.mean)]]
        axes.barh(place, 100 * whole.mean, 0.54, xerr=sides, color=_COLOURS[place % len(_COLOURS)])
    axes.set_yticks(range(len(names)), names)
    axes.set(xlim=(0, 100))
    axes.yaxis.set_inverted(True)
    if (guessed := chance(data.questions)) is not None:
        axes.axvline(100 * guessed, **_CHANCE)


def draw_kinds(groups: Sequence[Group], names: Sequence[str], axes: Axes) -> None:
    """Draws, for each class of a division, a bar of each run's mean score × 100 with its standard
    error; guessing is a dashed line over the class's bars."""
    thick = 0.8 / len(names)
    for place, name in enumerate(names):
        means, errors = zip(*(group.means[place] for group in groups), strict=True)
        places = [row + (place - (len(names) - 1) / 2) * thick for row in range(len(groups))]
        sides, colour = [100 * (error or 0.0) for error in errors], _COLOURS[place % len(_COLOURS)]
        axes.barh(
            places,
            [100 * mean for mean in means],
            0.9 * thick,
            xerr=sides,
            color=colour,
            label=name,
        )
    for row, group in enumerate(groups):
        if group.chance is not None:
            axes.plot([100 * group.chance] * 2, [row - 0.4, row + 0.4], **_CHANCE)
    axes.set_yticks(
        range(len(groups)), [f"{visible(group.kind)} ({group.questions})" for group in groups]
    )
    axes.set(xlim=(0, 100))
    axes.yaxis.set_inverted(True)
    if len(names) > 1:
        axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))


def draw_margins(figures: RunFigures, axes: Axes) -> None:
    """Draws a histogram of margins: numbers of right answers above the line, of wrong ones
    below."""
    lows, width = (
        [one.low for one in figures.margins],
        0.9 * (figures.margins[0].high - figures.margins[0].low),
    )
    axes.bar(
        lows,
        [one.right for one in figures.margins],
        width,
        align="edge",
        color=_RIGHT,
        label="right",
    )
    axes.bar(
        lows,
        [-one.wrong for one in figures.margins],
        width,
        align="edge",
        color=_WRONG,
        label="wrong",
    )
    axes.axhline(0, color="black", linewidth=0.8)
    axes.yaxis.set_major_formatter(lambda value, _: f"{abs(value):g}")
    axes.set(xlabel="margin to the next candidate", ylabel="answers")
    axes.legend()


def draw_calibration(figures: RunFigures, guessed: float | None, axes: Axes) -> None:
    """Draws the percentage of right answers with its standard error for each group of similar
    margins; `guessed`, the mean score of guessing from 0 to 1, is a dashed line."""
    steps = figures.steps
    shares, errors = [100 * one.share for one in steps], [100 * one.error for one in steps]
    axes.errorbar(range(len(steps)), shares, errors, fmt="o", color=_COLOURS[0], elinewidth=0.8)
    axes.set_xticks(range(len(steps)), [f"{one.margin:.2g}\n({one.questions})" for one in steps])
    axes.set(xlabel="median margin (answers)", ylim=(0, 105), ylabel="% right")
    if guessed is not None:
        axes.axhline(100 * guessed, **_CHANCE)


@command_line(
    "evaluation plot ntcir-mc samples/sample-exam-en.gold.xml exam.run.xml -o figure.svg",
    *run_arguments("RUN1 [RUN2...]"),
    traces_option("margins, calibration and shapes come from it"),
    option(
        "--chart",
        "charts",
        multiple=True,
        type=partial(word_choice, CHARTS),
        help="A chart to draw, again for more [all that there are numbers for].",
    ),
    option(
        "-o",
        "output",
        required=True,
        metavar="FIGURE",
        type=output_path,
        help="Where the figure goes; its ending says the format: .svg, .png or .pdf.",
    ),
)
def command(
    task: str,
    gold: Path,
    runs: tuple[Path, ...],
    traces: tuple[Path, ...],
    charts: tuple[str, ...],
    output: str,
) -> None:
    """Draw the charts of `evaluation report` for a paper: scores with their intervals, shares by
    kind of question, margins of right and wrong answers, and the share that is right by margin.

    The same input gives the same file. Needs matplotlib (the extra `plot`).
    """
    ending = format_of(output)
    for run in runs:
        check_run(gold, run)
    data = report_data(task, scoring(task), gold, runs, traces)
    write_all([(output, Plot(data, charts).render(ending))])
