"""What a task tells the report of its questions, beyond their scores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from answerer.trace import TraceQuestion


class ReportedQuestion(NamedTuple):
    """A question of the gold as one run answered it; `question_id` (and `exam`) are those of the trace.

    `score` is what runs are compared by, higher is better, `gold` the right answers as texts, `gold_ids` the ids of
    the right candidates where these come with the question; `spellings` the ways to write each right answer, compared
    as terms are, where it has several. `worth` are its points, where questions have some.
    `chance` is the score that guessing has on average; None where nothing is guessed among given candidates, or the
    gold does not tell how many there are. `kinds`: name of a division of the questions → this question's class.
    """

    question_id: str
    score: float
    gold: Sequence[str] = ()
    gold_ids: frozenset[str] = frozenset()
    answer: str = ""
    text: str = ""
    exam: str = ""
    worth: float | None = None
    chance: float | None = None
    kinds: Mapping[str, str] = {}
    spellings: Sequence[Sequence[str]] = ()


class Reported(NamedTuple):
    """A run's questions in the order of the gold. `measure` names the score.

    `chosen_among` says that a right answer is one of the choices that the question gives.
    """

    measure: str
    questions: Sequence[ReportedQuestion]
    chosen_among: bool = False


def names_of(questions: Sequence[ReportedQuestion]) -> list[str]:
    """What each question is called: its id, with the exam where there are several, numbered where it comes again."""
    several = len({one.exam for one in questions}) > 1
    return list(unlike([f"{one.exam} {one.question_id}" if several else one.question_id for one in questions]))


def unlike(names: Sequence[str]) -> Iterator[str]:
    """The names, numbered where one comes again: `A1`, `A1 (2)`."""
    seen: set[str] = set()
    last: dict[str, int] = {}
    for name in names:
        new = name
        while new in seen:
            last[name] = last.get(name, 1) + 1
            new = f"{name} ({last[name]})"
        seen.add(new)
        yield new


def scores_of(reported: Reported) -> dict[str, float]:
    """The score of each question by its name."""
    return dict(zip(names_of(reported.questions), (one.score for one in reported.questions), strict=True))


def rows_by_question(asked: Iterable[tuple[str, str]], rows: Iterable[TraceQuestion]) -> list[TraceQuestion | None]:
    """The trace's row of every question, by exam and id; one asked again takes the next row of its name.

    None where the trace has none; a row that names no exam is for any, and a question of no exam for the rows of all.
    """
    asked = list(asked)
    named = any(exam for exam, _ in asked)
    waiting: dict[tuple[str, str], list[TraceQuestion]] = {}
    for row in rows:
        waiting.setdefault((row.exam if named else "", row.question_id), []).append(row)
    found: list[TraceQuestion | None] = []
    for exam, question_id in asked:
        own = waiting.get((exam, question_id)) or waiting.get(("", question_id)) or []
        found.append(own.pop(0) if own else None)
    return found
