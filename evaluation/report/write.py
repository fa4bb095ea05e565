"""Renders a report as HTML: the figures as markup, the questions as data that its script displays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from answerer.page.frame import page
from evaluation.report.data import Answered, Question, ReportData
from evaluation.report.figures import chance, divisions, run_figures, supports
from evaluation.report.made import beside, describe_run
from evaluation.significance import against_first

_STYLES = ("answer.css", "report.css")
_SCRIPTS = ("answer.js", "report.js")


def report_page(data: ReportData, metadata: Sequence[Mapping[str, Any] | None]) -> str:
    """Renders the page; `metadata` are those of each run, in order, None for a run without metadata."""
    scores = [{one.name: one.runs[place].score for one in data.questions} for place in range(len(data.runs))]
    return page(
        "evaluation.report",
        "report.html",
        _STYLES,
        _SCRIPTS,
        _page_data(data),
        title=f"{data.title} · {' · '.join(run.name for run in data.runs)}",
        report=data,
        figures=[run_figures(data, place) for place in range(len(data.runs))],
        lines=against_first(scores),
        divisions=divisions(data),
        chance=chance(data.questions),
        described=[describe_run(run, data.task, data.gold, own) for run, own in zip(data.runs, metadata, strict=True)],
        beside=[beside(own, bool(run.header)) for run, own in zip(data.runs, metadata, strict=True)],
    )


def _page_data(data: ReportData) -> dict[str, Any]:
    """The data of the page's script."""
    by_run = [supports(data, place) for place in range(len(data.runs))]
    lacking = "no passage on the right choice" if data.chosen_among else "no right candidate"
    return {
        "task": data.task,
        "language": data.language,
        "measure": data.measure,
        "runs": [run.name for run in data.runs],
        "questions": [
            _question(one, [lacking if supported is False else "" for supported in own])
            for one, own in zip(data.questions, zip(*by_run, strict=True), strict=True)
        ],
    }


def _question(one: Question, lacking: Sequence[str]) -> dict[str, Any]:
    """A question for the page's script, without empty fields; `lacking` has a text for each run."""
    fields = one._asdict()
    fields["runs"] = [_answer_data(run, said) for run, said in zip(one.runs, lacking, strict=True)]
    return {name: value for name, value in fields.items() if value not in (None, "", [], {})}


def _answer_data(run: Answered, lacking: str) -> dict[str, Any]:
    """An answer for the page's script; `unsupported` says what is missing if nothing supports the right answer."""
    found: dict[str, Any] = {"score": run.score, "answer": run.answer}
    if run.drawn is None:
        return found
    return {**found, **({"unsupported": lacking} if lacking else {}), "drawn": run.drawn}
