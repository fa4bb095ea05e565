"""Computes the figures of a report: overall score, shares by class of question, scores by margin."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from evaluation.report.data import JoinedQuestion, ReportData
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
    """A division of the questions into classes, the largest first; `name` is that of the division (`shape`)."""

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
    """Computes the figures of the run with the index `place`.

    `margins` is a histogram from the smallest margin (or 0) to the largest, which the last bin includes; empty without
    margins or if all are 0. `steps` are five groups of equal size by margin, fewer if one would have less than three
    answers.
    """
    answers = [one.runs[place] for one in data.questions]
    worths = [one.worth or 0.0 for one in data.questions]
    possible = sum(worths)
    points = sum(answer.score * worth for answer, worth in zip(answers, worths, strict=True))
    margins = sorted(
        (answer.drawn.margin, answer.score >= 1)
        for answer in answers
        if answer.drawn and answer.drawn.margin is not None
    )
    bins: list[Bin] = []
    low, high = (min(0.0, margins[0][0]), margins[-1][0]) if margins else (0.0, 0.0)
    width = (high - low) / _BINS
    if width > 0:
        counts = [[0, 0] for _ in range(_BINS)]
        for margin, right in margins:
            counts[min(_BINS - 1, int((margin - low) / width))][not right] += 1
        bins = [Bin(low + at * width, low + (at + 1) * width, *pair) for at, pair in enumerate(counts)]
    groups = min(_CALIBRATED, len(margins) // _FEWEST)
    steps = []
    for at in range(groups):
        own = margins[at * len(margins) // groups : (at + 1) * len(margins) // groups]
        share = sum(right for _, right in own) / len(own)
        steps.append(Step(own[len(own) // 2][0], share, (share * (1 - share) / len(own)) ** 0.5, len(own)))
    supported = [one for one in supports(data, place) if one is not None]
    return RunFigures(
        sum(answer.score >= 1 for answer in answers),
        (points, possible) if possible else None,
        bins,
        steps,
        sum(supported) / len(supported) if supported else None,
    )


def supports(data: ReportData, place: int) -> list[bool | None]:
    """For each question whether the run's evidence supports the right answer; None if that is not known. `place` is the
    run's index.

    With choices: whether the right one has a passage, in a run that has passages. Else: whether a right answer is among
    the candidates, or the answer is at least partly right; None for candidates that come with the question and for
    essays.
    """
    answers = [one.runs[place] for one in data.questions]
    shows = any(candidate.passages for one in answers if one.drawn for candidate in one.drawn.candidates)
    supported: list[bool | None] = []
    for question, answer in zip(data.questions, answers, strict=True):
        candidates = answer.drawn.candidates if answer.drawn else []
        if data.chosen_among:
            right = [candidate for candidate in candidates if candidate.gold] if shows else []
            supported.append(any(candidate.passages for candidate in right) if right else None)
        elif answer.drawn is None or not question.gold or question.gold_ids or answer.drawn.written:
            supported.append(None)
        else:
            supported.append(answer.score > 0 or any(candidate.gold for candidate in candidates))
    return supported


def divisions(data: ReportData) -> list[Division]:
    """The divisions of the questions with at least two classes, and at most half as many classes (or two) as
    questions."""
    names = dict.fromkeys(name for one in data.questions for name in one.kinds)
    found: list[Division] = []
    for name in names:
        kinds: dict[str, list[JoinedQuestion]] = {}
        for one in data.questions:
            if name in one.kinds:
                kinds.setdefault(one.kinds[name], []).append(one)
        if 1 < len(kinds) <= max(2, len(data.questions) / 2):
            groups = []
            for kind, own in sorted(kinds.items(), key=lambda item: (-len(item[1]), item[0])):
                by_run = [[one.runs[place].score for one in own] for place in range(len(data.runs))]
                whole = [estimate(scores, bounds=False) for scores in by_run]
                means = [(one.mean, one.standard_error) for one in whole]
                groups.append(Group(kind, len(own), means, chance(own)))
            found.append(Division(name, groups))
    return found


def chance(questions: Sequence[JoinedQuestion]) -> float | None:
    """The mean score of guessing; None if it is not known for every question."""
    known = [one.chance for one in questions if one.chance is not None]
    return sum(known) / len(known) if len(known) == len(questions) else None
