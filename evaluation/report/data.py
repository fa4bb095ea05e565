"""The data of a report: gold, runs and traces joined by question, and the figures over them.

The figures are shares by class of question, scores by margin, and how often the evidence supports
the right answer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from answerer.page.drawn import Drawn, Gold, draw_row
from answerer.trace import TraceQuestion, read_trace
from evaluation.contract import Scoring
from evaluation.runs import unlike
from evaluation.significance import estimate
from evaluation.tasks.results import (
    Reported,
    ReportedQuestion,
    names_of,
    read_reported,
    rows_by_question,
)
from indexer.files.errors import UserError
from indexer.files.messages import counted, warn
from indexer.languages.registry import detect_language

_EXAMS_NAMED = 3  # in the title; further ones are counted
# Of names that go into a link: letters of any script stay, which browsers show in the address.
_UNSAFE = re.compile(r"[^\w.-]+")
_BINS = 16  # of a histogram of margins
_CALIBRATED = 5  # groups of questions by margin
_FEWEST = 3  # questions of such a group


class ReportedAnswer(NamedTuple):
    """The answer of one run to a question: its score, its text and, if the run has a trace, its
    candidates and evidence."""

    score: float
    answer: str
    drawn: Drawn | None


class JoinedQuestion(NamedTuple):
    """A question of the gold with the answers of all runs, in their order; `anchor` is its fragment
    identifier in the page. Text, classes and chance of `question` are completed from the first
    trace that has it; the score and answer in it are the first run's."""

    name: str
    anchor: str
    question: ReportedQuestion
    runs: list[ReportedAnswer]


class ReportRun(NamedTuple):
    """A run: its name in the report, its file, and its trace with its header (both empty without
    one)."""

    name: str
    path: str
    trace: str
    header: Mapping[str, Any]


class ReportData(NamedTuple):
    """The data of a report; with `chosen_among` a right answer is one of the choices that a
    question gives.

    `title` has the names of the exams, or of the gold file for tasks without exams; `language` is
    the questions'.
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
    """Joins the questions of the gold, in order, with the runs' answers; `traces` belong to the
    first runs, in order.

    Raises UserError for more traces than runs, a trace of another task or run, runs over different
    questions, and a gold without questions.
    """
    if len(traces) > len(runs):
        raise UserError(
            f"{counted(len(traces), 'traces')} for {counted(len(runs), 'runs')}: give at most one "
            f"for each run, in the same order"
        )
    trace_paths = [*traces, *[None] * (len(runs) - len(traces))]
    reports = read_reported(scoring, gold, runs)
    read = [
        _read_rows(task, reported, trace)
        for reported, trace in zip(reports, trace_paths, strict=True)
    ]
    headers = [header for header, _ in read]
    first = reports[0]
    names = names_of(first.questions)
    # Fragment identifiers have characters that are safe in a link, and are all different.
    anchors = [
        re.sub(r"[ ()]+", ".", name)
        for name in unlike([_UNSAFE.sub("_", name) or "_" for name in names])
    ]
    questions: list[JoinedQuestion] = []
    for position, question in enumerate(first.questions):
        right = Gold(question.gold, question.gold_ids)
        answers = []
        for reported, (header, rows) in zip(reports, read, strict=True):
            result, row = reported.questions[position], rows[position]
            drawn = draw_row({"task": task, **header}, row, right) if row else None
            answers.append(ReportedAnswer(result.score, result.answer, drawn))
        completed = _with_trace(question, answers, first.chosen_among)
        questions.append(JoinedQuestion(names[position], anchors[position], completed, answers))
    named_runs = [
        ReportRun(name, str(runs[number]), str(trace_paths[number] or ""), headers[number])
        for number, name in enumerate(_names_of_runs(runs, headers))
    ]
    return ReportData(
        _title(first.questions, gold),
        _language(headers, questions),
        task,
        str(gold),
        first.measure,
        named_runs,
        _without_equal_division(questions),
        first.chosen_among,
    )


def _read_rows(
    task: str, reported: Reported, trace: Path | None
) -> tuple[Mapping[str, Any], Sequence[TraceQuestion | None]]:
    """The header of a run's trace, and its row of each question; {} and Nones without a trace.
    Raises UserError for a trace of another task, and for one without a row of any question."""
    if trace is None:
        return {}, [None] * len(reported.questions)
    header, rows = read_trace(trace)
    if header.get("task", task) != task:
        raise UserError(f"{trace}: a trace of {header['task']}; expected one of {task}")
    return header, match_rows(reported, rows, trace)


def _with_trace(
    question: ReportedQuestion, answers: Sequence[ReportedAnswer], chosen_among: bool
) -> ReportedQuestion:
    """A question with what the first of the runs' traces that has it says of it: text, shape, what
    it asks for, and if `chosen_among` the chance by its number of choices. With or without a trace,
    names of kinds get blanks for `_`, and empty kinds go."""
    kinds = {name.replace("_", " "): kind for name, kind in question.kinds.items() if kind}
    drawn = next((answer.drawn for answer in answers if answer.drawn), None)
    if drawn is None:
        return question._replace(kinds=kinds)
    asks = {"T": "which is right", "F": "which is wrong"}.get(drawn.asks, "")
    kinds |= {name: kind for name, kind in (("shape", drawn.shape), ("asks", asks)) if kind}
    chance = question.chance
    if chosen_among and drawn.candidates:
        # The gold of an exam does not say how many choices a question has; the trace does.
        chance = 1 / len(drawn.candidates)
    return question._replace(text=drawn.asked or question.text, kinds=kinds, chance=chance)


def _without_equal_division(questions: Sequence[JoinedQuestion]) -> list[JoinedQuestion]:
    """The questions without the division by shape, if another division gives every question the
    same class; else the questions."""
    every = [joined.question.kinds for joined in questions]
    others = dict.fromkeys(name for kinds in every for name in kinds if name != "shape")
    if not any(all(kinds.get("shape") == kinds.get(name) for kinds in every) for name in others):
        return list(questions)
    return [
        joined._replace(
            question=joined.question._replace(
                kinds={name: kind for name, kind in kinds.items() if name != "shape"}
            )
        )
        for joined, kinds in zip(questions, every, strict=True)
    ]


def _names_of_runs(runs: Sequence[Path], headers: Sequence[Mapping[str, Any]]) -> list[str]:
    """The names of runs: their methods if all have one and these differ, else those of their files
    without the ending, made different (`unlike`)."""
    methods = [str(header.get("method") or "") for header in headers]
    if all(methods) and len(set(methods)) == len(runs):
        return methods
    return list(unlike([run.stem for run in runs]))


def _title(questions: Sequence[ReportedQuestion], gold: Path) -> str:
    """The exams of questions, of more than three the first three and the number of others; without
    any the name of the gold file without its ending and a `.gold` before that."""
    exams = list(dict.fromkeys(question.exam for question in questions if question.exam))
    more = f" and {len(exams) - _EXAMS_NAMED} more" if len(exams) > _EXAMS_NAMED else ""
    return ", ".join(exams[:_EXAMS_NAMED]) + more or gold.stem.removesuffix(".gold")


def _language(headers: Sequence[Mapping[str, Any]], questions: Sequence[JoinedQuestion]) -> str:
    """The code of the first language that a trace names, else of that of the texts."""
    for header in headers:
        if header.get("language"):
            return str(header["language"])
    texts = (f"{joined.question.text} {' '.join(joined.question.gold)}" for joined in questions)
    return detect_language("\n".join(texts)).code


def match_rows(
    reported: Reported, rows: Sequence[TraceQuestion], path: Path
) -> list[TraceQuestion | None]:
    """The trace's row of every question of a run, in order, None if the trace lacks one. `path` is
    the trace's, for messages.

    Raises UserError if the trace has no row for any of the questions. Warns if rows have other
    answers than the run (comparing letters and digits only; not where the run has none or the
    question no gold), since their reasons and method are
    then another run's, and if their questions have another text than the gold's with the same ids,
    since files of scores do not name their questions.
    """
    matched = rows_by_question(reported.questions, rows)
    if not any(matched):
        raise UserError(
            f"{path}: no row for any question of the gold; expected the trace of the run"
        )
    mismatches, answered = (
        [],
        [],
    )  # the ids of questions with another text, and of those with another answer
    for question, row in zip(reported.questions, matched, strict=True):
        if row is None:
            continue
        if (
            row.question.strip()
            and question.text.strip()
            and row.question.split() != question.text.split()
        ):
            mismatches.append(question.question_id)
        if question.answer:
            ours, theirs = (
                "".join(filter(str.isalnum, text))
                for text in (question.answer, "".join(row.system))
            )
            differs = bool(question.gold or question.gold_ids) and ours != theirs
        # a run of scores has no answers: the row differs if the run is right and the row's answer
        # is not gold
        else:
            differs = (
                question.score == 1
                and bool(question.gold_ids)
                and row.answer not in question.gold_ids
            )
        answered += [question.question_id] if differs else []
    of_all = f"of {len(matched)} questions"
    if mismatches:
        warn(
            f"{path}: asks {len(mismatches)} {of_all} with another text than the gold (the first "
            f"is {mismatches[0]})"
        )
    if answered:
        warn(
            f"{path}: answers {len(answered)} {of_all} differently from the run (the first is "
            f"{answered[0]})"
        )
    return matched


class Group(NamedTuple):
    """Questions of one class: their number, and each run's mean score with standard error (None for
    one question)."""

    kind: str
    questions: int
    means: list[tuple[float, float | None]]
    chance: float | None


class Bin(NamedTuple):
    """Margins in [`low`, `high`): the numbers of right and wrong answers with such a margin."""

    low: float
    high: float
    right: int
    wrong: int


class Step(NamedTuple):
    """Answers with similar margins: median margin, share that is right with its standard error,
    number of answers."""

    margin: float
    share: float
    error: float
    questions: int


class RunFigures(NamedTuple):
    """One run's figures. `points` are (got, possible) if questions have points.

    `supported` is the share of questions whose right answer is supported, of those for which
    `supports` is known.
    """

    right: int
    points: tuple[float, float] | None
    margins: list[Bin]
    steps: list[Step]
    supported: float | None


def run_figures(data: ReportData, position: int) -> RunFigures:
    """Computes the figures of the run at a position of `data.runs`; `right` counts scores of 1.

    `margins` is a histogram from the smallest margin (or 0) to the largest, which the last bin
    includes; empty without margins or if all are 0. `steps` are five groups of equal size by
    margin, fewer if one would have less than three answers.
    """
    answers = [joined.runs[position] for joined in data.questions]
    worths = [joined.question.worth or 0.0 for joined in data.questions]
    points = sum(answer.score * worth for answer, worth in zip(answers, worths, strict=True))
    drawn = [(answer.drawn, answer.score >= 1) for answer in answers if answer.drawn]
    margins = sorted((answer.margin, right) for answer, right in drawn if answer.margin is not None)
    supported = [support for support in supports(data, position) if support is not None]
    return RunFigures(
        sum(answer.score >= 1 for answer in answers),
        (points, sum(worths)) if any(worths) else None,
        _histogram(margins),
        _calibration(margins),
        sum(supported) / len(supported) if supported else None,
    )


def _histogram(margins: Sequence[tuple[float, bool]]) -> list[Bin]:
    """The numbers of right and wrong answers in 16 bins of equal width, from the smallest margin
    (or 0, if lower) to the largest; [] without margins, or if all are 0. `margins` rise, each with
    whether the answer is right."""
    if not margins:
        return []
    low, high = min(0.0, margins[0][0]), margins[-1][0]
    width = (high - low) / _BINS
    if width <= 0:
        return []
    right, wrong = [0] * _BINS, [0] * _BINS
    for margin, is_right in margins:
        # The largest margin lies on the upper edge of the last bin, and belongs to it.
        position = min(_BINS - 1, int((margin - low) / width))
        (right if is_right else wrong)[position] += 1
    return [
        Bin(low + position * width, low + (position + 1) * width, *counts)
        for position, counts in enumerate(zip(right, wrong, strict=True))
    ]


def _calibration(margins: Sequence[tuple[float, bool]]) -> list[Step]:
    """The share of right answers in five groups of equal size by margin, with its standard error;
    fewer groups if one would have less than three answers, [] for less than three answers.
    `margins` as for `_histogram`."""
    groups = min(_CALIBRATED, len(margins) // _FEWEST)
    steps = []
    for number in range(groups):
        group = margins[number * len(margins) // groups : (number + 1) * len(margins) // groups]
        share = sum(right for _, right in group) / len(group)
        error = (share * (1 - share) / len(group)) ** 0.5
        steps.append(Step(group[len(group) // 2][0], share, error, len(group)))
    return steps


def supports(data: ReportData, position: int) -> list[bool | None]:
    """For each question whether the evidence of the run at a position of `data.runs` supports the
    right answer; None if that is not known, as without a trace.

    With choices: whether the right one has a passage, in a run that has passages. Else: whether a
    right answer is among the candidates, or the answer is at least partly right; None for
    candidates that come with the question and for essays.
    """
    answers = [joined.runs[position] for joined in data.questions]
    shows = any(
        candidate.passages
        for answer in answers
        if answer.drawn
        for candidate in answer.drawn.candidates
    )
    supported: list[bool | None] = []
    for joined, answer in zip(data.questions, answers, strict=True):
        question = joined.question
        candidates = answer.drawn.candidates if answer.drawn else []
        if data.chosen_among:
            right = [candidate for candidate in candidates if candidate.gold] if shows else []
            supported.append(any(candidate.passages for candidate in right) if right else None)
        elif answer.drawn is None or not question.gold or question.gold_ids or answer.drawn.written:
            supported.append(None)
        else:
            supported.append(answer.score > 0 or any(candidate.gold for candidate in candidates))
    return supported


def divisions(data: ReportData) -> dict[str, list[Group]]:
    """The divisions of the questions with at least two classes, and at most half as many classes
    (or two) as questions: name (`shape`) → classes, the largest first, equal ones by
    name; questions without a class are in none."""
    classes: dict[str, list[Group]] = {}
    for name in dict.fromkeys(name for joined in data.questions for name in joined.question.kinds):
        kinds: dict[str, list[JoinedQuestion]] = {}
        for joined in data.questions:
            if name in joined.question.kinds:
                kinds.setdefault(joined.question.kinds[name], []).append(joined)
        # With more classes, most have one or two questions, whose means say nothing.
        if 1 < len(kinds) <= max(2, len(data.questions) / 2):
            groups = classes[name] = []
            for kind, members in sorted(kinds.items(), key=lambda item: (-len(item[1]), item[0])):
                by_run = [
                    [joined.runs[position].score for joined in members]
                    for position in range(len(data.runs))
                ]
                whole = [estimate(scores, bounds=False) for scores in by_run]
                groups.append(
                    Group(
                        kind,
                        len(members),
                        [(result.mean, result.standard_error) for result in whole],
                        chance(members),
                    )
                )
    return classes


def chance(questions: Sequence[JoinedQuestion]) -> float | None:
    """The mean score of guessing; None if it is not known for every question. `questions` are not
    empty."""
    chances = [joined.question.chance for joined in questions if joined.question.chance is not None]
    return sum(chances) / len(chances) if len(chances) == len(questions) else None
