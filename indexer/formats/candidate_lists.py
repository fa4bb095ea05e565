"""A question that brings its candidates: what every reader of a ranking task's file gives."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from indexer.cli.given_values import each_given, refuse_halves
from indexer.files.errors import UserError


class CandidateList(NamedTuple):
    """A question and its candidates in document order.

    `gold` marks the right candidates (None in a test file), `group` is what cross-validation keeps together
    (an article, or the question itself), `topic` the title of the document where it is known. `kinds` says how
    the data sort their questions: name of the division → this question's class.
    """

    question: str
    candidates: tuple[str, ...]
    gold: tuple[bool, ...] | None = None
    group: str = ""
    topic: str = ""
    kinds: Mapping[str, str] = MappingProxyType({})


Candidates = tuple[str, Sequence[str]]
"""A question and its candidates, as a program gives them."""


def candidate_lists(given: Iterable[CandidateList | Candidates]) -> list[CandidateList]:
    """Questions with their candidates as lists, each a group of its own where it names none.

    UserError for what is no such pair, for an empty question or one without candidates, and where there is none.
    """
    lists = []
    for number, one in enumerate(each_given(given, "questions"), 1):
        made = one if isinstance(one, CandidateList) else _list(one, number)
        if not made.question.strip() or not made.candidates:
            raise UserError(f"question {number} has no {'candidates' if made.question.strip() else 'text'}")
        refuse_halves((made.question, *made.candidates), f"question {number}")
        lists.append(made)
    if not lists:
        raise UserError("no questions: give pairs of a question and its candidates")
    return lists


def _list(one: object, number: int) -> CandidateList:
    question, given = pair_of(one) or (None, None)
    candidates = texts_of(given)
    if not isinstance(question, str) or candidates is None:
        raise UserError(f"question {number}: expected a pair of a question and its candidates, a list of texts")
    return CandidateList(question, candidates, group=question)


def pair_of(value: object) -> tuple[object, object] | None:
    """The two things that a pair holds, None for anything else."""
    parts = tuple(value) if isinstance(value, Iterable) and not isinstance(value, str) else ()
    return (parts[0], parts[1]) if len(parts) == 2 else None


def texts_of(value: object) -> tuple[str, ...] | None:
    """Several texts, None for anything else: one text, or what holds no text (pandas has NaN for a missing one)."""
    if not isinstance(value, Iterable) or isinstance(value, str):
        return None
    texts = tuple(value)
    return texts if all(isinstance(text, str) for text in texts) else None


def candidate_id(question_id: str | int, place: int) -> str:
    """What traces, qrels and runs call a candidate: its question's id and its place in the list, from 0."""
    return f"{question_id}-{place}"
