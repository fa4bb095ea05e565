"""What every form of question file is read into: questions with labelled choices, and what could not be read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple


class LabelledChoice(NamedTuple):
    """A choice; `label` is as printed, without brackets and full stop (B, イ, ②)."""

    label: str
    text: str


class PlainQuestion(NamedTuple):
    """A question with two or more choices; `line` is the line of the file where it begins.

    `name` is its printed number or id, "" if it has none. `answers` are the right answers as the file writes them: a
    label, a position, or the text of a choice.
    """

    name: str
    text: str
    choices: tuple[LabelledChoice, ...]
    answers: tuple[str, ...]
    line: int


class Remark(NamedTuple):
    """Something about a line of the file, in words."""

    line: int
    text: str


class Parsed(NamedTuple):
    """The contents of a question file: each question of the file is either in `questions` or named in `rejected`.

    `notes` name lines that belong to no question, and answers that belong to none.
    """

    questions: Sequence[PlainQuestion]
    rejected: Sequence[Remark]
    notes: Sequence[Remark] = ()


FEWEST, MOST = 2, 26
"""Choices of a question."""


def checked(question: PlainQuestion) -> PlainQuestion | Remark:
    """The question, or the reason why it cannot be asked: no text, fewer than two choices, an empty choice."""
    what = f"question {question.name}" if question.name else "a question"
    if len(question.choices) < FEWEST:
        count = "no choices" if not question.choices else "only one choice"
        return Remark(question.line, f"{what} has {count}: not a multiple-choice question, left out")
    if len(question.choices) > MOST:
        return Remark(question.line, f"{what} has {len(question.choices)} choices; at most {MOST} are read: left out")
    if not question.text:
        return Remark(question.line, f"{what} has choices, but no text: write the question before them")
    if empty := [choice.label for choice in question.choices if not choice.text]:
        return Remark(question.line, f"{what}: choice {empty[0]} is empty: write its text, or delete it")
    return question


def sorted_out(found: Iterable[PlainQuestion | Remark], notes: Sequence[Remark] = ()) -> Parsed:
    """The questions that can be asked, and the remarks on those that cannot, each in the order of the file."""
    checked_ones = [checked(one) if isinstance(one, PlainQuestion) else one for one in found]
    questions = [one for one in checked_ones if isinstance(one, PlainQuestion)]
    return Parsed(questions, [one for one in checked_ones if isinstance(one, Remark)], sorted(notes))
