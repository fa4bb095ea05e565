"""A Chinese question taken apart: the topic, which its list is about, and the request, what it asks of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from indexer.files.arrays import Float64Array
from indexer.files.lists import listed
from retriever.ranking.chinese.texts import CODE_POINTS, ChineseTexts, characters
from retriever.ranking.overlap import Overlap, consecutive, overlap

LEAD = 3  # a document names its topic in full at its beginning, and later leaves it out
SHORTEST = 3
LOOKED_AT = 1_000  # characters of a question: looking grows with these times the length of the rows


class Asked(NamedTuple):
    """A question's topic ("" where none is found), and the question without it."""

    topic: str
    request: str


def taken_apart(texts: ChineseTexts) -> list[Asked]:
    """Each question: its topic is its longest run of at least three characters that a first row of its list holds.

    It lies in the question's first 1,000 characters. Of equally long ones the first counts. A mark stands where the
    topic was: no expression comes about across it.
    """
    starts = texts.lists.starts.tolist()
    return [
        _parted(question, texts.candidate_texts[start : start + min(LEAD, size)])
        for question, start, size in zip(texts.question_texts, starts, texts.lists.sizes.tolist(), strict=True)
    ]


def _parted(question: str, lead: Sequence[str]) -> Asked:
    start, length = 0, SHORTEST - 1
    end = min(len(question), LOOKED_AT)
    for place in range(end):
        while place + length < end and any(question[place : place + length + 1] in row for row in lead):
            start, length = place, length + 1
    if length < SHORTEST:
        return Asked("", question)
    after = start + length
    return Asked(question[start:after], f"{question[:start]}|{question[after:]}")


@cache
def _function_words() -> re.Pattern[str]:
    found = [word for line in listed(__package__, "function_words.txt") for word in line.split()]
    return re.compile("|".join(sorted(found, key=len, reverse=True)))


def request(texts: ChineseTexts, asked: Sequence[Asked]) -> dict[str, Float64Array]:
    """Coverage of the request's characters and pairs, by list idf, and the share of the topic's characters, (rows,).

    0 where a question has no request, or no topic.
    """
    requests = [_function_words().sub("", one.request) for one in asked]
    single, pairs = (_runs(texts, requests, n) for n in (1, 2))
    topic = _runs(texts, [one.topic for one in asked], 1)
    return {
        "request: 1-grams": single.coverage(single.list_idf()),
        "request: 2-grams": pairs.coverage(pairs.list_idf()),
        "topic: share": topic.coverage(np.ones_like(topic.list_df)),
    }


def _runs(texts: ChineseTexts, parts: Sequence[str], n: int) -> Overlap:
    """Runs of n characters of a part of each question, matched with the rows of its list."""
    sides = (characters(parts), texts.candidates)
    wanted, held = (consecutive(side, n, CODE_POINTS) for side in sides)
    return overlap(wanted, held, texts.lists)
