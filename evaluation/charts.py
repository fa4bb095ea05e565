"""Charts of a report as figures for papers, drawn by matplotlib (the extra `plot`): `python -m evaluation plot`."""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from evaluation.registry import scoring
from evaluation.report.data import ReportData, report_data
from evaluation.report.figures import Division, RunFigures, chance, divisions, run_figures
from evaluation.runs import AnyRun, FileName, check_run, in_files, readable, run_arguments, traces_option
from evaluation.significance import Estimate, estimate
from indexer.files.errors import UserError, visible
from indexer.files.messages import warn
from indexer.files.validation import validate_path
from indexer.files.versions import install_hint
from indexer.parameters import OneOf, OutputPath, command_line, option

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CHARTS = ("score", "kinds", "margins", "calibration")
FORMATS = ("svg", "png", "pdf")


@dataclass(frozen=True, repr=False)
class Plot:
    """A figure of charts, drawn when it is displayed (as in a notebook) or saved."""

    data: ReportData
    charts: Sequence[str]

    def render(self, form: str = "svg") -> bytes:
        """The figure as `svg`, `png` or `pdf`; the same bytes for the same numbers.

        Raises UserError for another format and without matplotlib.
        """
        if form not in FORMATS:
            raise UserError(f"{form!r} is no format of a figure: expected one of {', '.join(FORMATS)}")

        return figure_bytes(self.data, self.charts, form)

    def save(self, place: FileName) -> None:
        """Writes the figure in the format of the file's extension: .svg, .png or .pdf. Raises UserError for another."""
        from indexer.files.atomic import write_bytes

        write_bytes(str(place), self.render(format_of(place)))

    def _repr_png_(self) -> bytes:
        return self.render("png")

    def __repr__(self) -> str:
        return f"<Plot {self.data.task}: {', '.join(run.name for run in self.data.runs)}>"


def plot(name: str, gold: FileName, *runs: AnyRun, charts: Sequence[str] = ()) -> Plot:
    """Draws charts of one or more runs over the questions of a gold.

    `charts` are some of: scores with their intervals (`score`), shares by kind of question (`kinds`) and, for runs with
    evidence, margins of right and wrong answers (`margins`) and the share that is right by margin (`calibration`). By
    default all for which there are numbers.
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
    """The format of a file's extension. Raises UserError if it is not one of `FORMATS`."""
    ending = Path(validate_path(place, "place")).suffix.lower().removeprefix(".")
    if ending not in FORMATS:
        raise UserError(f"{place}: the ending is to be one of {', '.join(f'.{name}' for name in FORMATS)}")
    return ending


_FIRST = "DejaVu Sans"  # comes with matplotlib
_BOXES = "Last Resort"  # comes with it too, and has a box for every character
_PREFERRED = ("Noto Sans CJK JP", "Noto Sans JP", "IPAexGothic", "IPAGothic", "Noto Sans CJK SC", "WenQuanYi Zen Hei")


def families_for(text: str) -> tuple[list[str], str]:
    """The font families for a text, in the order in which they are tried, and the characters that no font has."""
    missing = {character for character in text if not character.isspace()}
    families: list[str] = []
    for family, path in _fonts():
        found = missing & _characters(path)
        if found or not families:
            families.append(family)
            missing -= found
        if not missing:
            break
    return families, "".join(sorted(missing))


def _fonts() -> Iterator[tuple[str, str]]:
    """Yields name and path of upright fonts of normal weight: matplotlib's, Chinese and Japanese ones, all others."""
    order = {name: place for place, name in enumerate((_FIRST, *_PREFERRED))}
    from matplotlib.font_manager import fontManager

    plain = {
        entry.name: entry.fname
        for entry in fontManager.ttflist
        if entry.style == "normal" == entry.variant and not entry.name.startswith(_BOXES)
    }
    for name in sorted(plain, key=lambda name: (order.get(name, len(order)), name)):
        yield name, plain[name]


@cache
def _characters(path: str) -> frozenset[str]:
    """The characters that a font has glyphs for; empty if the file cannot be read."""
    from matplotlib.font_manager import get_font

    try:
        return frozenset(map(chr, get_font(path).get_charmap()))
    except (OSError, RuntimeError):
        return frozenset()


_WIDTH = 6.3  # inches: the text of a page of A4
_DOTS = 200  # an inch, of PNG
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")  # Okabe and Ito 2008
_RIGHT, _WRONG, _GREY = "#009e73", "#d55e00", "#888888"
_STYLE: Any = {
    "font.size": 8.0,
    "axes.titlesize": 9.0,
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "svg.hashsalt": "classical-qa",  # ids in SVG would else differ from run to run
    "text.parse_math": False,  # texts are data: a $ in them is a $
    "pdf.fonttype": 42,
}
_UNDATED: dict[str, dict[str, None]] = {
    "svg": {"Date": None, "Creator": None},
    "png": {"Software": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}


class Panel(NamedTuple):
    """A chart: its name, its title, its height in inches, and the function that draws it."""

    chart: str
    title: str
    height: float
    draw: Callable[[Axes], None]


def figure_bytes(data: ReportData, charts: Sequence[str], form: str) -> bytes:
    """Draws the figure as svg, png or pdf; without `charts` all for which there are numbers.

    Raises UserError without matplotlib, and for a chart without numbers. Warns of characters that no font has.
    """
    found = panels(data)
    for name in charts:
        if not any(panel.chart == name for panel in found):
            raise UserError(f"--chart {name}: there are no numbers for it; {_REMEDIES[name]}")
    chosen = [panel for panel in found if panel.chart in charts or not charts]
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure

    except ImportError:
        raise UserError(f"evaluation plot needs matplotlib: {install_hint('plot')}") from None
    families, missing = families_for(_texts(data, chosen))
    if missing:
        shown = visible(missing[:10]) + ("…" if len(missing) > 10 else "")
        warn(f"no font on this machine has {shown}: drawn as boxes; install one, such as Noto Sans CJK")
    with rc_context({**_STYLE, "font.family": families}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")
        figure = Figure((_WIDTH, sum(panel.height for panel in chosen)), dpi=_DOTS, layout="constrained")
        made = figure.subplots(len(chosen), squeeze=False, height_ratios=[panel.height for panel in chosen])
        for axes, panel in zip(made[:, 0], chosen, strict=True):
            axes.set_title(visible(panel.title))
            panel.draw(axes)
        figure.draw_without_rendering()
        figure.set_layout_engine("none")  # the last digits of its solver are those of places in memory
        for axes in made[:, 0]:
            axes.set_position([round(side, 6) for side in axes.get_position().bounds])
        buffer = io.BytesIO()
        figure.savefig(buffer, format=form, dpi=_DOTS, metadata=_UNDATED[form])
    return buffer.getvalue()


_REMEDIES = {
    "score": "give a gold with questions",
    "kinds": "the questions are of one kind; a --trace tells their shapes",
    "margins": "give the --trace of a run whose candidates have scores",
    "calibration": "it takes the --trace of a run with six answers or more whose candidates have scores",
}


def panels(data: ReportData) -> list[Panel]:
    """Every chart for which there are numbers, in the order of the figure."""
    names = [visible(run.name) for run in data.runs]
    scores = [[one.runs[place].score for one in data.questions] for place in range(len(names))]
    figures = [run_figures(data, place) for place in range(len(names))]
    guessed = chance(data.questions)
    whole = [estimate(values) for values in scores]
    title = f"{data.measure} × 100 of {len(data.questions)} questions, with 95 % intervals"
    title += "" if guessed is None else f"; dashed: chance, {100 * guessed:.1f}"
    found = [Panel("score", title, _height(len(names)), lambda axes: _score(axes, names, whole, guessed))]
    found += [_kinds_panel(division, names) for division in divisions(data)]
    for name, own in zip(names, figures, strict=True):
        called = f": {name}" if len(names) > 1 else ""
        if any(one.right or one.wrong for one in own.margins):
            found.append(Panel("margins", f"Margins of right and wrong answers{called}", 1.7, _drawing(_margins, own)))
        if len(own.steps) > 1:
            title = f"% right by margin, with standard errors{called}"
            found.append(Panel("calibration", title, 1.7, _drawing(_calibration, own, guessed)))
    return found


def _drawing(draw: Callable[..., None], *values: object) -> Callable[[Axes], None]:
    return lambda axes: draw(axes, *values)


def _height(bars: int) -> float:
    """The height in inches of a panel with this number of bars: title and axis, and a sixth of an inch for each."""
    return 0.65 + 0.17 * bars


def _kinds_panel(division: Division, names: Sequence[str]) -> Panel:
    height = _height(len(division.groups) * len(names))
    return Panel("kinds", f"By {division.name}, with standard errors", height, _drawing(_kinds, division, names))


def _texts(data: ReportData, chosen: Sequence[Panel]) -> str:
    """All characters that the figure may have to draw."""
    kinds = [kind for one in data.questions for kind in one.kinds.values()]
    return visible("".join(["0123456789.−%", *(panel.title for panel in chosen), *kinds, *(r.name for r in data.runs)]))


def _score(axes: Axes, names: Sequence[str], whole: Sequence[Estimate], guessed: float | None) -> None:
    """Draws a bar for each run with its interval; chance is a dashed line."""
    for place, one in enumerate(whole):
        around = None if one.low is None or one.high is None else [[one.mean - one.low], [one.high - one.mean]]
        _bar(axes, place, one.mean, around, _COLOURS[place % len(_COLOURS)], 0.6)
    axes.set_yticks(range(len(names)), names)
    _percent_axis(axes, guessed)


def _kinds(axes: Axes, division: Division, names: Sequence[str]) -> None:
    """Draws a group of bars for each class, with a bar for each run; chance is a dashed line over the group."""
    thick = 0.8 / len(names)
    for row, group in enumerate(division.groups):
        for place, (mean, error) in enumerate(group.means):
            at = row + (place - (len(names) - 1) / 2) * thick
            label = names[place] if not row and len(names) > 1 else None
            around = None if error is None else [[error], [error]]
            _bar(axes, at, mean, around, _COLOURS[place % len(_COLOURS)], thick, label)
        if group.chance is not None:
            axes.vlines(100 * group.chance, row - 0.4, row + 0.4, _GREY, "dashed", linewidth=0.8)
    labels = [f"{visible(group.kind)} ({group.questions})" for group in division.groups]
    axes.set_yticks(range(len(labels)), labels)
    if len(names) > 1:
        axes.legend(frameon=False, fontsize="small", loc="center left", bbox_to_anchor=(1.0, 0.5))
    _percent_axis(axes, None)


def _bar(
    axes: Axes,
    at: float,
    mean: float,
    around: list[list[float]] | None,
    colour: str,
    thick: float,
    label: str | None = None,
) -> None:
    """Draws a bar from 0 to a share in percent; `around` are its distances to the ends of the error bar."""
    error = None if around is None else [[100 * max(0.0, side[0])] for side in around]
    axes.barh(at, 100 * mean, thick * 0.9, color=colour, xerr=error, label=label, error_kw={"elinewidth": 0.8})


def _percent_axis(axes: Axes, guessed: float | None) -> None:
    """Sets an axis from 0 to 100 %, the first bar on top, with chance as a dashed line."""
    axes.invert_yaxis()
    axes.set_xlim(0, 100)
    if guessed is not None:
        axes.axvline(100 * guessed, color=_GREY, linestyle="dashed", linewidth=0.8)


def _margins(axes: Axes, own: RunFigures) -> None:
    """Draws a histogram of margins, right answers above the line, wrong ones below."""
    width = own.margins[0].high - own.margins[0].low
    places = [one.low for one in own.margins]
    axes.bar(places, [one.right for one in own.margins], width * 0.9, align="edge", color=_RIGHT, label="right")
    axes.bar(places, [-one.wrong for one in own.margins], width * 0.9, align="edge", color=_WRONG, label="wrong")
    axes.axhline(0, color="black", linewidth=0.8)
    axes.yaxis.set_major_formatter(lambda value, _: f"{abs(value):g}")
    axes.set_xlabel("margin to the next candidate")
    axes.set_ylabel("answers")
    axes.legend(frameon=False, fontsize="small")


def _calibration(axes: Axes, own: RunFigures, guessed: float | None) -> None:
    """Draws the share of right answers with its standard error for each group of similar margins."""
    places = range(len(own.steps))
    shares = [100 * one.share for one in own.steps]
    axes.errorbar(places, shares, [100 * one.error for one in own.steps], fmt="o", color=_COLOURS[0], elinewidth=0.8)
    axes.set_xticks(places, [f"{one.margin:.2g}\n({one.questions})" for one in own.steps])
    axes.set_xlabel("median margin (answers)")
    axes.set_ylim(0, 105)
    axes.set_ylabel("% right")
    if guessed is not None:
        axes.axhline(100 * guessed, color=_GREY, linestyle="dashed", linewidth=0.8)


_EXAMPLE = "evaluation plot ntcir-mc samples/sample-exam-en.gold.xml exam.run.xml -o figure.svg"


@command_line(
    _EXAMPLE,
    *run_arguments("RUN1 [RUN2...]"),
    traces_option("margins, calibration and shapes come from it"),
    option(
        "--chart",
        "charts",
        multiple=True,
        type=OneOf(CHARTS),
        help="A chart to draw, again for more [all that there are numbers for].",
    ),
    option(
        "-o",
        "output",
        required=True,
        metavar="FIGURE",
        type=OutputPath(),
        help="Where the figure goes; its ending says the format: .svg, .png or .pdf.",
    ),
)
def command(
    task: str, gold: Path, runs: tuple[Path, ...], traces: tuple[Path, ...], charts: tuple[str, ...], output: str
) -> None:
    """Draw the charts of `evaluation report` for a paper: scores with their intervals, shares by kind of question,
    margins of right and wrong answers, and the share that is right by margin.

    The same input gives the same file. Needs matplotlib (the extra `plot`).
    """
    ending = format_of(output)
    from evaluation.report.data import report_data
    from indexer.files.atomic import write_bytes

    for run in runs:
        check_run(gold, run)
    data = report_data(task, scoring(task), gold, runs, traces)
    write_bytes(output, figure_bytes(data, charts, ending))
