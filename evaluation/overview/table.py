"""The table of an overview: a row a run, a column an exam, what all of it adds up to."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from evaluation.overview.runs import Exam, Run, told
from evaluation.registry import Scoring
from evaluation.run_checks import check_run
from evaluation.significance import estimate
from evaluation.tasks.reported import Reported, ReportedQuestion
from indexer.files.errors import UserError
from indexer.files.messages import captured_warnings, warn

Questions = Sequence[ReportedQuestion]


class Scored(NamedTuple):
    """A run with the questions of each exam that it answers, as it answered them."""

    run: Run
    measure: str
    exams: Mapping[str, Questions]


def score_runs(
    task: Scoring, runs: Sequence[Run], exams: Sequence[Exam], options: Mapping[str, Any]
) -> tuple[list[Scored], list[Exam]]:
    """Every run scored, and the exams that some run answers.

    What scoring a file says is said with its run, and so are files that cannot be scored, exams that a run or all of
    them lack, and runs that are the same. UserError where nothing is left to score.
    """
    scored: list[Scored] = []
    talk: list[str] = []
    for run in runs:
        reported: dict[str, Reported] = {}
        for exam in exams:
            path = run.results.get(exam.name)
            if path is None:
                continue
            with captured_warnings() as warnings:
                check_run(exam.path, path)
                try:
                    reported[exam.name] = task.reported(exam.path, path, **options)
                except UserError as error:
                    warnings.append(f"cannot be scored: {error}")
            talk += [f"{run.name}, {exam.name}: {warning}" for warning in dict.fromkeys(warnings)]
        if reported:
            measure = next(iter(reported.values())).measure
            scored.append(Scored(run, measure, {name: one.questions for name, one in reported.items()}))
    told("in scoring", talk)
    if not scored:
        raise UserError("no result that can be scored: the table would be empty")
    answered = [exam for exam in exams if any(exam.name in one.exams for one in scored)]
    told("no run answers this exam, which does not count", [exam.name for exam in exams if exam not in answered])
    _say_lacking(scored, answered)
    _say_doubles([one.run for one in scored])
    return scored, answered


def _say_lacking(scored: Sequence[Scored], exams: Sequence[Exam]) -> None:
    lacking = [
        f"{one.run.name} ({', '.join(exam.name for exam in exams if exam.name not in one.exams)})"
        for one in scored
        if len(one.exams) < len(exams)
    ]
    told("counted 0 where an exam is lacking", lacking)


def _say_doubles(runs: Sequence[Run]) -> None:
    """Say which runs are the same, byte for byte."""
    first: dict[str, str] = {}
    for run in runs:
        digest = hashlib.sha256()
        for exam, path in sorted(run.results.items()):
            digest.update(exam.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
        other = first.setdefault(digest.hexdigest(), run.name)
        if other != run.name:
            warn(f"{run.name} is the same as {other}, byte for byte")


class _Sum(NamedTuple):
    """Questions added up: points of those possible, or (`possible` is None) the mean of a measure."""

    value: float
    possible: float | None
    low: float | None
    high: float | None


def overview(
    task: Scoring, scored: Sequence[Scored], exams: Sequence[Exam], interval: bool, cells: bool
) -> list[dict[str, object]]:
    """The rows of the table, best total first; runs of equal totals share a rank, which says so (`2=`).

    An exam that a run lacks is None in its column and counts 0 in its total. `interval` adds 95 % bootstrap intervals
    over the questions. With `cells` an exam is one column as papers print it (`45/97 [36, 54]`), else numbers.
    """
    asked = {exam.name: next(one.exams[exam.name] for one in scored if exam.name in one.exams) for exam in exams}
    totals = [
        _sum([question for exam, questions in asked.items() for question in _answered(one, exam, questions)], interval)
        for one in scored
    ]
    order = sorted(range(len(scored)), key=lambda place: (-round(totals[place].value, 9), scored[place].run.name))
    ranks = _ranks([round(totals[place].value, 9) for place in order])
    teams = any(one.run.team for one in scored)
    rows: list[dict[str, object]] = []
    for rank, place in zip(ranks, order, strict=True):
        one = scored[place]
        row: dict[str, object] = {"rank": rank, **({"team": one.run.team} if teams else {}), "run": one.run.name}
        for exam in exams:
            row |= _columns(exam.name, one.exams.get(exam.name), interval, cells)
        rows.append(row | _total(task, one, asked, totals[place], interval))
    return rows


def _answered(one: Scored, exam: str, asked: Questions) -> Questions:
    """The questions of an exam as a run answered them: all wrong where it lacks the exam."""
    return one.exams.get(exam) or [question._replace(score=0.0, answer="") for question in asked]


def _sum(questions: Questions, interval: bool) -> _Sum:
    """Points where every question is worth some, else the mean score."""
    worths = [question.worth for question in questions]
    if any(worth is None for worth in worths):
        return _spread([question.score for question in questions], None, 1, interval)
    points = [question.score * (question.worth or 0.0) for question in questions]
    return _spread(points, sum(worth or 0.0 for worth in worths), len(points), interval)


def _spread(values: Sequence[float], possible: float | None, times: int, interval: bool) -> _Sum:
    whole = estimate(values, bounds=interval)
    low, high = (None if bound is None else bound * times for bound in (whole.low, whole.high))
    return _Sum(whole.mean * times, possible, low, high)


def _columns(exam: str, questions: Questions | None, interval: bool, cells: bool) -> dict[str, object]:
    """The columns of one exam: None where the run lacks it."""
    found = _sum(questions, interval) if questions else None
    if cells:
        return {exam: _printed(found)}
    row: dict[str, object] = {exam: None if found is None else _number(found.value, found.possible)}
    if found is not None and found.possible is not None:
        row[f"{exam}: possible"] = _number(found.possible, found.possible)
    if interval:
        row |= {f"{exam}: low": found and found.low, f"{exam}: high": found and found.high}
    return row


def _printed(found: _Sum | None) -> str:
    if found is None:
        return "–"
    form = ".4f" if found.possible is None else ".4g"
    value = format(found.value, form) + ("" if found.possible is None else f"/{found.possible:.4g}")
    if found.low is None or found.high is None:
        return value
    return f"{value} [{found.low:{form}}, {found.high:{form}}]"


def _number(value: float, possible: float | None) -> float | int:
    """Points as whole numbers where they are; means as they are."""
    exact = round(value, 9)
    return int(exact) if possible is not None and exact == int(exact) else value


def _total(
    task: Scoring, one: Scored, asked: Mapping[str, Questions], total: _Sum, interval: bool
) -> dict[str, object]:
    every = [question for exam, questions in asked.items() for question in _answered(one, exam, questions)]
    row: dict[str, object] = {}
    if total.possible is None:
        row[one.measure] = total.value
    else:
        row["points"] = _number(total.value, total.possible)
        row["possible"] = _number(total.possible, total.possible)
        row["right"] = sum(question.score == 1.0 for question in every)
    if interval:
        row |= {"low": total.low, "high": total.high}
    row["questions"] = len(every)
    if task.ranked is None:
        row["unanswered"] = sum(not question.answer for question in every)
    return row


def _ranks(values: Sequence[float]) -> list[str]:
    """1, 2=, 2=, 4: the place of each of falling values, equal ones marked."""
    first = {value: place for place, value in reversed(list(enumerate(values, 1)))}
    counts = Counter(values)
    return [f"{first[value]}{'=' if counts[value] > 1 else ''}" for value in values]


def is_one_run(task: Scoring, folder: Path) -> bool:
    """Whether a folder holds nothing but files that each answer another exam."""
    if any(path.is_dir() for path in folder.iterdir()):
        return False
    asked: list[frozenset[str]] = []
    for path in sorted(folder.glob("*.xml")):
        try:
            with captured_warnings():
                asked.append(task.asked_in(path, False))
        except UserError:  # scoring says what is wrong with the file
            continue
    return len(asked) == len(set(asked))
