"""What a Chinese question asks for: groups of expressions of the same intent, types of question and their answers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

import numpy as np

from indexer.files.arrays import Float64Array
from indexer.files.lists import listed
from retriever.bm25 import idf
from retriever.question_types import QuestionType
from retriever.ranking.chinese.texts import ChineseTexts

ANSWERED = "answer: present"


@cache
def intent_groups() -> tuple[re.Pattern[str], ...]:
    """One pattern a group of expressions, longest first."""
    groups = [
        sorted(set(line.split()), key=lambda word: (-len(word), word)) for line in listed(__package__, "intents.txt")
    ]
    return tuple(re.compile("|".join(map(re.escape, group))) for group in groups)


def intents(texts: ChineseTexts, requests: Sequence[str]) -> dict[str, Float64Array]:
    """For each row: how many intents of the question's request it shares, how special they are, and whether the last.

    `requests` are the questions without their topics: what a name is made of says not what is asked.
    """
    lists = texts.lists
    shared, special, last, late, density = (np.zeros(lists.rows) for _ in range(5))
    for number, request in enumerate(requests):
        start, size = int(lists.starts[number]), int(lists.sizes[number])
        rows = texts.candidate_texts[start : start + size]
        asked = []
        for group in intent_groups():
            ends = [match.end() for match in group.finditer(request)]
            if ends:
                asked.append((ends[-1], group))
        if not asked:
            continue
        latest = max(end for end, _ in asked)
        total = 0.0
        for end, group in asked:
            holds = np.array([1.0 if group.search(row) else 0.0 for row in rows])
            df = holds.sum()
            rarity = idf(size, df)
            place = (end / len(request)) ** 3
            span = slice(start, start + size)
            shared[span] += holds
            special[span] += holds * rarity
            late[span] += holds * rarity * place
            total += rarity * place
            if end == latest:
                last[span] = np.maximum(last[span], holds * rarity)
        if total:
            density[start : start + size] = late[start : start + size] / total
    return {
        "intents: shared": shared,
        "intents: list idf": special,
        "intents: late × list idf": late,
        "intents: share": density,
        "intents: last": last,
    }


def chinese_answers(
    texts: ChineseTexts, types: Sequence[QuestionType], covered: Float64Array
) -> dict[str, Float64Array]:
    """Expressions that could answer the type of the question and do not stand in it; `covered` is (rows,)."""
    lists = texts.lists
    count, best = np.zeros(lists.rows), np.zeros(lists.rows)
    for number, question in enumerate(texts.question_texts):
        pattern = types[number].answer
        if pattern is None:
            continue
        start, size = int(lists.starts[number]), int(lists.sizes[number])
        expressions = [
            [one for one in pattern.findall(row) if one not in question]
            for row in texts.candidate_texts[start : start + size]
        ]
        df: dict[str, int] = {}
        for row in expressions:
            for one in dict.fromkeys(row):
                df[one] = df.get(one, 0) + 1
        for place, row in enumerate(expressions):
            count[start + place] = len(row)
            best[start + place] = max((np.log((size + 1) / df[one]) for one in row), default=0.0)
    present = (count > 0).astype(float)
    return {
        ANSWERED: present,
        "answer: log count": np.log1p(count),
        "answer: best list idf": best,
        "answer: present × coverage": present * covered,
        "answer: best idf × coverage": best * covered,
    }
