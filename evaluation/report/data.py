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


class ReportedAnswer(NamedTuple):
    """The answer of one run to a question: its score, its text and, if the run has a trace, its candidates and
    evidence."""

    score: float
    answer: str
    drawn: Drawn | None


class JoinedQuestion(NamedTuple):
    """A question of the gold with the answers of all runs, in their order.

    `anchor` is its fragment identifier in the page; `kinds` maps the name of a division of the questions to its class;
    `gold` are right answers, `gold_ids` the ids of right candidates, sorted; `worth` are its points, `chance` the mean
    score of guessing.
    """

    name: str
    anchor: str
    text: str
    kinds: dict[str, str]
    gold: list[str]
    gold_ids: list[str]
    worth: float | None
    chance: float | None
    runs: list[ReportedAnswer]


class ReportRun(NamedTuple):
    """A run: its name in the report, its file, and the header of its trace (empty without one)."""

    name: str
    path: str
    trace: str
    header: Mapping[str, Any]


class _TracedRun(NamedTuple):
    """A run with its trace; `rows` has the trace's row of each question, in order, None if the trace lacks it."""

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
    questions: list[JoinedQuestion]
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
    traced: list[_TracedRun] = []
    for run, trace in zip(runs, [*traces, *[None] * (len(runs) - len(traces))], strict=True):
        reported = scoring.reported(gold, run)
        if trace is None:
            traced.append(_TracedRun(run, reported, None, {}, [None] * len(reported.questions)))
            continue
        header, rows = read_trace(trace)
        if header.get("task", task) != task:
            raise UserError(f"{trace}: a trace of {header['task']}; expected one of {task}")
        traced.append(_TracedRun(run, reported, trace, header, match_rows(reported, rows, trace)))
    first = traced[0].reported
    if not first.questions:
        raise UserError(f"{gold}: no question to report on")
    names = names_of(first.questions)
    for one in traced:
        if names_of(one.reported.questions) != names:
            raise UserError(f"{one.run}: other questions than in {runs[0]}; expected runs of one gold")
    # Fragment identifiers have characters that are safe in a link, and are all different.
    anchors = [re.sub(r"[ ()]+", ".", name) for name in unlike([_UNSAFE.sub("_", name) or "_" for name in names])]
    questions = [
        _join_answers(task, traced, place, name, anchor)
        for place, (name, anchor) in enumerate(zip(names, anchors, strict=True))
    ]
    # The division by shape is left out if another division has the same classes.
    others = dict.fromkeys(name for one in questions for name in one.kinds if name != "shape")
    if any(all(one.kinds.get("shape") == one.kinds.get(name) for one in questions) for name in others):
        for question in questions:
            question.kinds.pop("shape", None)
    methods = [str(one.header.get("method") or "") for one in traced]
    by_method = all(methods) and len(set(methods)) == len(traced)
    called = methods if by_method else list(unlike([one.run.stem for one in traced]))
    exams = list(dict.fromkeys(one.exam for one in first.questions if one.exam))
    title = ", ".join(exams[:_EXAMS_NAMED])
    if len(exams) > _EXAMS_NAMED:
        title += f" and {len(exams) - _EXAMS_NAMED} more"
    language = next((str(one.header["language"]) for one in traced if one.header.get("language")), "")
    return ReportData(
        title or gold.stem.removesuffix(".gold"),
        language or detect_language("\n".join(f"{one.text} {' '.join(one.gold)}" for one in questions)).code,
        task,
        str(gold),
        first.measure,
        [
            ReportRun(name, str(one.run), str(one.trace or ""), one.header)
            for name, one in zip(called, traced, strict=True)
        ],
        questions,
        chosen_among=first.chosen_among,
    )


def match_rows(reported: Reported, rows: Sequence[TraceQuestion], path: Path) -> list[TraceQuestion | None]:
    """The trace's row of every question of a run, in order, None if the trace lacks one. `path` is the trace's, for
    messages.

    Raises UserError if the trace has no row for any of the questions. Warns if rows have other answers than the run,
    since their reasons and method are then another run's, and if their questions have another text than the gold's with
    the same ids, since files of scores do not name their questions.
    """
    matched = rows_by_question([(one.exam, one.question_id) for one in reported.questions], rows)
    if not any(matched):
        raise UserError(f"{path}: no row for any question of the run; expected the run's own trace")
    pairs = [(one, row) for one, row in zip(reported.questions, matched, strict=True) if row]
    if other := [one.question_id for one, row in pairs if asks_otherwise(row, one.text)]:
        count = f"{len(other)} of {len(matched)}"
        warn(f"{path}: asks {count} questions with another text than the gold (the first is {other[0]})")
    if other := [one.question_id for one, row in pairs if _answers_otherwise(one, row)]:
        count = f"{len(other)} of {len(matched)}"
        warn(f"{path}: answers {count} questions differently from the run (the first is {other[0]})")
    return matched


def _answers_otherwise(one: ReportedQuestion, row: TraceQuestion) -> bool:
    """Whether a trace's row has another answer than the run, comparing letters and digits only.

    A run of scores has no answers: there a row differs if the run is right and the row's answer is not gold.
    """
    if not one.answer:
        return one.score == 1 and bool(one.gold_ids) and row.answer not in one.gold_ids
    ours, theirs = ("".join(filter(str.isalnum, text)) for text in (one.answer, "".join(row.system)))
    return bool(one.gold or one.gold_ids) and ours != theirs


def _join_answers(task: str, traced: Sequence[_TracedRun], place: int, name: str, anchor: str) -> JoinedQuestion:
    """Joins the runs' answers to the question at index `place`, called `name`; its class, text and chance are completed
    from the first trace that has it."""
    first = traced[0].reported.questions[place]
    gold = Gold(first.gold, first.gold_ids)
    answered = []
    for run in traced:
        own, row, header = run.reported.questions[place], run.rows[place], {"task": task, **run.header}
        answered.append(ReportedAnswer(own.score, own.answer, None if row is None else draw_row(header, row, gold)))
    kinds = {name: kind for name, kind in first.kinds.items() if kind}
    chance, text = first.chance, first.text
    if drawn := next((one.drawn for one in answered if one.drawn), None):
        asks = {"T": "the true", "F": "the false"}.get(drawn.asks, "")
        kinds |= {name: kind for name, kind in (("shape", drawn.shape), ("asks for", asks)) if kind}
        text = drawn.asked or text
        if traced[0].reported.chosen_among and drawn.candidates:
            chance = 1 / len(drawn.candidates)
    return JoinedQuestion(
        name, anchor, text, kinds, list(first.gold), sorted(first.gold_ids), first.worth, chance, answered
    )
