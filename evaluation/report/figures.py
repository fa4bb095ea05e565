"""Computes the figures of a report: overall score, shares by class of question, scores by margin."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from answerer.page.drawn import Drawn
from evaluation.report.data import Question, ReportData
from evaluation.significance import estimate

_BINS = 16  # of a histogram of margins
_CALIBRATED = 5  # groups of questions by margin
_FEWEST = 3  # questions of such a group


class Group(NamedTuple):
    """Questions of one class: their number, and each run's mean score with standard error (None for one question)."""

    kind: str
    questions: int
    means: list[tuple[float, float | None]]
    chance: float | None


class Division(NamedTuple):
    """A division of the questions into classes, the largest first."""

    name: str
    groups: list[Group]


class Bin(NamedTuple):
    """Margins in [`low`, `high`): the numbers of right and wrong answers with such a margin."""

    low: float
    high: float
    right: int
    wrong: int


class Step(NamedTuple):
    """Answers with similar margins: median margin, share that is right with its standard error, number of answers."""

    margin: float
    share: float
    error: float
    questions: int


class RunFigures(NamedTuple):
    """One run's figures. `points` are (got, possible) if questions have points.

    `supported` is the share of questions whose right answer is supported, of those for which `supports` is known.
    """

    right: int
    points: tuple[float, float] | None
    margins: list[Bin]
    steps: list[Step]
    supported: float | None


def run_figures(data: ReportData, place: int) -> RunFigures:
    """Computes the figures of the run with this index."""
    scores = [one.runs[place].score for one in data.questions]
    worth = [one.worth for one in data.questions]
    got = sum(score * (each or 0.0) for score, each in zip(scores, worth, strict=True))
    possible = sum(each or 0.0 for each in worth)
    judged = [
        (run.drawn.margin, run.score >= 1)
        for run in (one.runs[place] for one in data.questions)
        if run.drawn and run.drawn.margin is not None
    ]
    told = [one for one in supports(data, place) if one is not None]
    return RunFigures(
        sum(score >= 1 for score in scores),
        (got, possible) if possible else None,
        _bins(judged),
        _steps(judged),
        sum(told) / len(told) if told else None,
    )


def _bins(judged: Sequence[tuple[float, bool]]) -> list[Bin]:
    """A histogram of (margin, right) from the smallest margin (or 0) to the largest, which the last bin includes.

    Empty without margins or if all are 0.
    """
    if not judged:
        return []
    low = min(0.0, *(margin for margin, _ in judged))
    width = (max(margin for margin, _ in judged) - low) / _BINS
    if width <= 0:
        return []
    counts = [[0, 0] for _ in range(_BINS)]
    for margin, right in judged:
        counts[min(_BINS - 1, int((margin - low) / width))][not right] += 1
    return [Bin(low + at * width, low + (at + 1) * width, *pair) for at, pair in enumerate(counts)]


def _steps(judged: Sequence[tuple[float, bool]]) -> list[Step]:
    """The answers in five groups of equal size by margin, fewer groups if one would have less than three answers."""
    ordered = sorted(judged)
    groups = min(_CALIBRATED, len(ordered) // _FEWEST)
    found = []
    for at in range(groups):
        own = ordered[at * len(ordered) // groups : (at + 1) * len(ordered) // groups]
        share = sum(right for _, right in own) / len(own)
        error = (share * (1 - share) / len(own)) ** 0.5
        found.append(Step(own[len(own) // 2][0], share, error, len(own)))
    return found


def supports(data: ReportData, place: int) -> list[bool | None]:
    """For each question whether the run's evidence supports the right answer; None if that is not known.

    With choices: whether the right one has a passage, in a run that has passages. Else: whether a right answer is among
    the candidates, or the answer is at least partly right; None for candidates that come with the question and for
    essays.
    """
    if not data.chosen_among:
        return [_has_right_candidate(one, place) for one in data.questions]
    drawn = [one.runs[place].drawn for one in data.questions]
    shows = any(candidate.passages for run in drawn if run for candidate in run.candidates)
    return [_has_passage(run) if shows else None for run in drawn]


def _has_passage(drawn: Drawn | None) -> bool | None:
    """Whether the right choice has a passage; None without a trace or a right choice."""
    right = [candidate for candidate in drawn.candidates if candidate.gold] if drawn else []
    return any(candidate.passages for candidate in right) if right else None


def _has_right_candidate(one: Question, place: int) -> bool | None:
    """Whether a right answer is among a run's candidates, or was given; None if that is not known."""
    run = one.runs[place]
    if run.drawn is None or not one.gold or one.gold_ids or run.drawn.written:
        return None
    return run.score > 0 or any(candidate.gold for candidate in run.drawn.candidates)


def divisions(data: ReportData) -> list[Division]:
    """The divisions with at least two classes, and at most half as many classes as questions."""
    names = dict.fromkeys(name for one in data.questions for name in one.kinds)
    found = []
    for name in names:
        kinds: dict[str, list[Question]] = {}
        for one in data.questions:
            if name in one.kinds:
                kinds.setdefault(one.kinds[name], []).append(one)
        if 1 < len(kinds) <= max(2, len(data.questions) / 2):
            ordered = sorted(kinds.items(), key=lambda item: (-len(item[1]), item[0]))
            found.append(Division(name, [_group(kind, own) for kind, own in ordered]))
    return found


def _group(kind: str, own: Sequence[Question]) -> Group:
    """The figures of the questions of one class."""
    means = []
    for place in range(len(own[0].runs)):
        whole = estimate([one.runs[place].score for one in own], bounds=False)
        means.append((whole.mean, whole.standard_error))
    return Group(kind, len(own), means, chance(own))


def chance(questions: Sequence[Question]) -> float | None:
    """The mean score of guessing; None if it is not known for every question."""
    known = [one.chance for one in questions if one.chance is not None]
    return sum(known) / len(known) if len(known) == len(questions) else None
