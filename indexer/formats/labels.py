"""Candidates of a question and their labels: any number above 0 says that a candidate is right."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from indexer.files.errors import UserError, bad_input
from indexer.files.messages import warn
from indexer.files.validation import is_number, refuse_halves


def read_label(text: str, file: str | Path, line: int) -> tuple[bool, str]:
    """Returns whether the label's number is above 0, and a warning: "" for 0 and 1, else how the
    number counts ("10" occurs). Raises UserError, with file and line, if the label is not a
    number."""
    if not is_number(text):
        raise bad_input(file, line, f"the label {text[:40]!r} is not a number", "expected 0 or 1")
    value = float(text)
    warning = (
        "" if value in (0, 1) else f"{file}:{line}: the label {text} counts as {int(value > 0)}"
    )
    return value > 0, warning


def warn_of_labels(warnings: Sequence[str]) -> None:
    """Warns with the first five non-empty texts of `read_label`, and with the number of any
    others."""
    told = [warning for warning in warnings if warning]
    for warning in told[:5]:
        warn(warning)
    if len(told) > 5:
        warn(f"{len(told) - 5} more labels like these")


# A question that brings its candidates: what every reader of a ranking task's file gives.


class CandidateList(NamedTuple):
    """A question and its candidate sentences in document order.

    `gold` says for each candidate whether it is right (None in a test file). `group` is the unit
    kept together in cross-validation (an article, or the question). `topic` is the document's title
    if known. `kinds` maps the name of each classification of questions in the data (type,
    paraphrase) to this question's class.
    """

    question: str
    candidates: tuple[str, ...]
    gold: tuple[bool, ...] | None = None
    group: str = ""
    topic: str = ""
    kinds: Mapping[str, str] = MappingProxyType({})


Candidates = tuple[str, Sequence[str]]
"""A question and its candidates, as a program gives them."""


def candidate_lists(questions: Iterable[CandidateList | Candidates]) -> list[CandidateList]:
    """Validates `CandidateList`s, or pairs of a question and its candidates, whose group is the
    question.

    Raises UserError for an item of another shape, an empty question, one without candidates, and
    without questions.
    """
    lists = []
    for number, item in enumerate(questions, 1):
        if not isinstance(item, CandidateList):
            question, several = (
                item if isinstance(item, tuple | list) and len(item) == 2 else ("", ())
            )
            item = CandidateList(question, texts_of(several) or (), group=question)
        if not isinstance(item.question, str) or not item.question.strip() or not item.candidates:
            raise UserError(
                f"question {number}: expected a pair of a question and its candidates, a list of "
                f"texts"
            )
        refuse_halves((item.question, *item.candidates), f"question {number}")
        lists.append(item)
    if not lists:
        raise UserError("no questions: give pairs of a question and its candidates")
    return lists


def texts_of(value: object) -> tuple[str, ...] | None:
    """The strings of an iterable as a tuple; None for a single string, for a value that is not
    iterable, and if an item is not a string (pandas' NaN)."""
    if not isinstance(value, Iterable) or isinstance(value, str):
        return None
    texts = tuple(value)
    return texts if all(isinstance(text, str) for text in texts) else None


def candidate_id(question_id: str | int, position: int) -> str:
    """Id of a candidate in traces, qrels and runs: its question's id, a hyphen and its position in
    the list, from 0."""
    return f"{question_id}-{position}"
