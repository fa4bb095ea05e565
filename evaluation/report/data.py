"""Joins gold, runs and traces into the data of a report: every question with the answer of every run."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from answerer.page.drawn import Drawn, Gold, draw_row
from answerer.trace import TraceQuestion, asks_otherwise, read_trace
from evaluation.registry import Scoring
from evaluation.runs import unlike
from evaluation.tasks.results import Reported, ReportedQuestion, names_of, rows_by_question
from indexer.files.errors import UserError
from indexer.files.messages import warn
from indexer.languages.registry import detect_language

_EXAMS_NAMED = 3  # in the title; further ones are counted
_UNSAFE = re.compile(r"[^\w.-]+")


class Answered(NamedTuple):
    """The answer of one run to a question: its score and, if the run has a trace, its candidates and evidence."""

    score: float
    answer: str
    drawn: Drawn | None


class Question(NamedTuple):
    """A question of the gold. `anchor` is its fragment identifier in the page; `gold_ids` are sorted."""

    name: str
    anchor: str
    text: str
    kinds: dict[str, str]
    gold: list[str]
    gold_ids: list[str]
    worth: float | None
    chance: float | None
    runs: list[Answered]


class ReportRun(NamedTuple):
    """A run: its name in the report, its file, and the header of its trace (empty without one)."""

    name: str
    path: str
    trace: str
    header: Mapping[str, Any]


class _RunWithTrace(NamedTuple):
    """A run with its trace; `rows` are the trace's, in the order of the questions."""

    run: Path
    reported: Reported
    trace: Path | None
    header: Mapping[str, Any]
    rows: list[TraceQuestion | None]


class ReportData(NamedTuple):
    """The data of a report; with `chosen_among` a right answer is one of the choices that a question gives.

    `title` has the names of the exams, or of the gold file for tasks without exams; `language` is the questions'.
    """

    title: str
    language: str
    task: str
    gold: str
    measure: str
    runs: list[ReportRun]
    questions: list[Question]
    chosen_among: bool = False


def report_data(
    task: str, scoring: Scoring, gold: Path, runs: Sequence[Path], traces: Sequence[Path | None]
) -> ReportData:
    """Joins the questions of the gold, in order, with the runs' answers; `traces` belong to the first runs, in order.

    Raises UserError for more traces than runs, a trace of another task or run, runs over different questions, and a
    gold without questions.
    """
    if len(traces) > len(runs):
        raise UserError(f"{len(traces)} traces for {len(runs)} runs: give at most one for each run, in the same order")
    given = [*traces, *[None] * (len(runs) - len(traces))]
    told = [_read_run(task, scoring.reported(gold, run), run, path) for run, path in zip(runs, given, strict=True)]
    if not told[0].reported.questions:
        raise UserError(f"{gold}: no question to report on")
    names = names_of(told[0].reported.questions)
    for one in told:
        if names_of(one.reported.questions) != names:
            raise UserError(f"{one.run}: other questions than in {runs[0]}; expected runs of one gold")
    described = [
        ReportRun(name, str(one.run), str(one.trace or ""), one.header)
        for name, one in zip(_run_names(told), told, strict=True)
    ]
    questions = [
        _question(task, told, place, *called) for place, called in enumerate(zip(names, _anchors(names), strict=True))
    ]
    first = told[0].reported
    exams = list(dict.fromkeys(one.exam for one in first.questions if one.exam))
    spoken = next((str(one.header["language"]) for one in told if one.header.get("language")), "")
    return ReportData(
        ", ".join(exams[:_EXAMS_NAMED])
        + (f" and {len(exams) - _EXAMS_NAMED} more" if len(exams) > _EXAMS_NAMED else "")
        or gold.stem.removesuffix(".gold"),
        spoken or detect_language("\n".join(f"{one.text} {' '.join(one.gold)}" for one in questions)).code,
        task,
        str(gold),
        first.measure,
        described,
        _without_doubles(questions),
        chosen_among=first.chosen_among,
    )


def _without_doubles(questions: list[Question]) -> list[Question]:
    """The questions without the division `shape` if another division has the same classes."""
    others = dict.fromkeys(name for one in questions for name in one.kinds if name != "shape")
    if not any(all(one.kinds.get("shape") == one.kinds.get(name) for one in questions) for name in others):
        return questions
    return [one._replace(kinds={name: k for name, k in one.kinds.items() if name != "shape"}) for one in questions]


def _read_run(task: str, reported: Reported, run: Path, trace: Path | None) -> _RunWithTrace:
    """Joins a run with its trace, if it has one. Raises UserError for a trace of another task or run."""
    if trace is None:
        return _RunWithTrace(run, reported, None, {}, [None] * len(reported.questions))
    header, rows = read_trace(trace)
    if header.get("task", task) != task:
        raise UserError(f"{trace}: a trace of {header['task']}; expected one of {task}")
    return _RunWithTrace(run, reported, trace, header, match_rows(reported, rows, trace))


def _anchors(names: Sequence[str]) -> list[str]:
    """Fragment identifiers for names, of characters that are safe in a link, all different."""
    return [re.sub(r"[ ()]+", ".", name) for name in unlike([_UNSAFE.sub("_", name) or "_" for name in names])]


def _run_names(told: Sequence[_RunWithTrace]) -> list[str]:
    """The methods of the runs if they are all different, else the names of their files."""
    methods = [str(one.header.get("method") or "") for one in told]
    if all(methods) and len(set(methods)) == len(told):
        return methods
    return list(unlike([one.run.stem for one in told]))


def match_rows(told: Reported, rows: Sequence[TraceQuestion], path: Path) -> list[TraceQuestion | None]:
    """The trace's row of every question, None if it lacks one. Raises UserError if it has no row for any question.

    Warns if it answers questions otherwise than the run, for then its reasons and method are another run's; and if its
    questions have other texts than the gold's with the same ids, for files of scores do not name their questions.
    """
    found = rows_by_question([(one.exam, one.question_id) for one in told.questions], rows)
    if not any(found):
        raise UserError(f"{path}: no row for any question of the run; expected the run's own trace")
    pairs = list(zip(told.questions, found, strict=True))
    asked = [one.question_id for one, row in pairs if row and asks_otherwise(row, one.text)]
    if asked:
        count = f"{len(asked)} of {len(found)}"
        warn(
            f"{path}: asks {count} questions otherwise than the gold (the first is {asked[0]}): is the gold the run's?"
        )
    unlike_run = [one.question_id for one, row in pairs if row and _answers_otherwise(one, row)]
    if unlike_run:
        count = f"{len(unlike_run)} of {len(found)}"
        warn(f"{path}: answers {count} questions otherwise than the run (the first is {unlike_run[0]}): is it its own?")
    return found


def _answers_otherwise(one: ReportedQuestion, row: TraceQuestion) -> bool:
    """Whether a trace's row has another answer than the run, comparing letters and digits only.

    A run of scores has no answers: there a row differs if the run is right and the row's answer is not gold.
    """
    if not one.answer:
        return one.score == 1 and bool(one.gold_ids) and row.answer not in one.gold_ids
    return bool(one.gold or one.gold_ids) and _letters(one.answer) != _letters("".join(row.system))


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def _question(task: str, told: Sequence[_RunWithTrace], place: int, name: str, anchor: str) -> Question:
    """Joins the runs' answers to the question at an index; class, text and chance are completed from a trace."""
    first = told[0].reported.questions[place]
    gold = Gold(first.gold, first.gold_ids)
    answered = []
    for run in told:
        own, row, header = run.reported.questions[place], run.rows[place], {"task": task, **run.header}
        made = None if row is None else draw_row(header, row, gold)
        answered.append(Answered(own.score, own.answer, made))
    traced = next((one.drawn for one in answered if one.drawn), None)
    kinds = {name: kind for name, kind in first.kinds.items() if kind}
    chance, text = first.chance, first.text
    if traced:
        asks = {"T": "the true", "F": "the false"}.get(traced.asks, "")
        kinds |= {name: kind for name, kind in (("shape", traced.shape), ("asks for", asks)) if kind}
        text = traced.asked or text
        if told[0].reported.chosen_among and traced.candidates:
            chance = 1 / len(traced.candidates)
    return Question(name, anchor, text, kinds, list(first.gold), sorted(first.gold_ids), first.worth, chance, answered)
