"""Gold, runs and traces joined to what a report shows: every question as every run answered it."""

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

_EXAMS_NAMED = 3
_UNSAFE = re.compile(r"[^\w.-]+")


class Answered(NamedTuple):
    """A question as one run answered it: its score and, where the run has a trace, how it came about."""

    score: float
    answer: str
    drawn: Drawn | None


class Question(NamedTuple):
    """A question of the gold. `anchor` is its place in the page; `gold_ids` are in order."""

    name: str
    anchor: str
    text: str
    kinds: dict[str, str]
    gold: list[str]
    gold_ids: list[str]
    worth: float | None
    chance: float | None
    runs: list[Answered]


class Run(NamedTuple):
    """A run: its name in the report, its file, and the header of its trace (empty without one)."""

    name: str
    path: str
    trace: str
    header: Mapping[str, Any]


class _Told(NamedTuple):
    """What a run's task and its trace tell; `rows` are the trace's, in the order of the questions."""

    run: Path
    reported: Reported
    trace: Path | None
    header: Mapping[str, Any]
    rows: list[TraceQuestion | None]


class ReportData(NamedTuple):
    """All that a report shows; `chosen_among` says that a right answer is one of the choices that a question gives.

    `title` is what the exams are called, of tasks without exams the gold's file; `language` is that of the questions.
    """

    title: str
    language: str
    task: str
    gold: str
    measure: str
    runs: list[Run]
    questions: list[Question]
    chosen_among: bool = False


def report_data(
    task: str, scoring: Scoring, gold: Path, runs: Sequence[Path], traces: Sequence[Path | None]
) -> ReportData:
    """The questions of the gold in order, as the runs answered them; `traces` belong to the first runs, in order.

    UserError: more traces than runs, a trace of another task or of another run, runs over other questions, no question.
    """
    if len(traces) > len(runs):
        raise UserError(f"{len(traces)} traces for {len(runs)} runs: give at most one for each run, in the same order")
    given = [*traces, *[None] * (len(runs) - len(traces))]
    told = [_told(task, scoring.reported(gold, run), run, path) for run, path in zip(runs, given, strict=True)]
    if not told[0].reported.questions:
        raise UserError(f"{gold}: no question to report on")
    names = names_of(told[0].reported.questions)
    for one in told:
        if names_of(one.reported.questions) != names:
            raise UserError(f"{one.run}: other questions than in {runs[0]}; expected runs of one gold")
    described = [
        Run(name, str(one.run), str(one.trace or ""), one.header)
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
    """The questions without a shape that says of each what another division says already."""
    others = dict.fromkeys(name for one in questions for name in one.kinds if name != "shape")
    if not any(all(one.kinds.get("shape") == one.kinds.get(name) for one in questions) for name in others):
        return questions
    return [one._replace(kinds={name: k for name, k in one.kinds.items() if name != "shape"}) for one in questions]


def _told(task: str, reported: Reported, run: Path, trace: Path | None) -> _Told:
    """A run with its trace, where it has one. UserError for a trace of another task or another run."""
    if trace is None:
        return _Told(run, reported, None, {}, [None] * len(reported.questions))
    header, rows = read_trace(trace)
    if header.get("task", task) != task:
        raise UserError(f"{trace}: a trace of {header['task']}; expected one of {task}")
    return _Told(run, reported, trace, header, matched(reported, rows, trace))


def _anchors(names: Sequence[str]) -> list[str]:
    """Places in a page, of characters that a link may hold, all different."""
    return [re.sub(r"[ ()]+", ".", name) for name in unlike([_UNSAFE.sub("_", name) or "_" for name in names])]


def _run_names(told: Sequence[_Told]) -> list[str]:
    """The methods of the runs where these tell them apart, else the names of their files."""
    methods = [str(one.header.get("method") or "") for one in told]
    if all(methods) and len(set(methods)) == len(told):
        return methods
    return list(unlike([one.run.stem for one in told]))


def matched(told: Reported, rows: Sequence[TraceQuestion], path: Path) -> list[TraceQuestion | None]:
    """The trace's row of every question. UserError where it has none for any.

    Said on stderr where it answers questions otherwise than the run: its reasons, and its method, are another run's;
    and where it asks others than the gold has under their ids, for scores name no questions.
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
    """Whether a trace's row has another answer than the run, by letters and digits.

    A run of scores has no answer: there the trace is another's that does not take what the run has right.
    """
    if not one.answer:
        return one.score == 1 and bool(one.gold_ids) and row.answer not in one.gold_ids
    return bool(one.gold or one.gold_ids) and _letters(one.answer) != _letters("".join(row.system))


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def _question(task: str, told: Sequence[_Told], place: int, name: str, anchor: str) -> Question:
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
