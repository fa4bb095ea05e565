"""Types of questions (who, where, how many …), recognised by their words."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from indexer.analysis.text import read_word_list


class QuestionType(NamedTuple):
    """A type of question: `question` matches such questions, `answer` what could answer them (None:
    unknown)."""

    name: str
    question: re.Pattern[str]
    answer: re.Pattern[str] | None = None


ENGLISH_TYPES = tuple(
    QuestionType(name, re.compile(pattern, re.IGNORECASE))
    for name, pattern in (
        line.split("\t") for line in read_word_list(__package__, "english_question_types.tsv")
    )
)


def english_type(question: str) -> QuestionType:
    """The type whose words, in any case, come first in the question, the earlier listed of two in
    one place; the last of the list for a question without such words."""
    *types, other = ENGLISH_TYPES
    matches = [
        (match.start(), n)
        for n, kind in enumerate(types)
        if (match := kind.question.search(question))
    ]
    return types[min(matches)[1]] if matches else other


def chinese_type(question: str) -> QuestionType:
    """The first type listed whose words occur anywhere in the question; the last one takes all that
    are left."""
    return next(kind for kind in chinese_types() if kind.question.search(question))


@cache
def chinese_types() -> tuple[QuestionType, ...]:
    """All types of Chinese questions, in the order of the word list, which is the order of
    trial."""
    lines = (line.split("\t") for line in read_word_list(__package__, "chinese_question_types.tsv"))
    return tuple(
        QuestionType(name, re.compile(pattern), re.compile(answer) if answer else None)
        for name, pattern, answer in lines
    )
