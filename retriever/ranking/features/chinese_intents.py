"""What a Chinese question asks for: groups of expressions of the same intent, types of question and their answers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

import numpy as np

from retriever.ranking.chinese import ChineseTexts
from retriever.ranking.listwise import FloatArray, IntArray
from retriever.ranking.wordlists import word_list


@cache
def intent_groups() -> tuple[re.Pattern[str], ...]:
    """One pattern a group of expressions, longest first."""
    groups = [
        sorted(set(line.split()), key=lambda word: (-len(word), word)) for line in word_list("chinese_intents.txt")
    ]
    return tuple(re.compile("|".join(map(re.escape, group))) for group in groups)


def intents(texts: ChineseTexts) -> dict[str, FloatArray]:
    """For each row: how many of the question's intents it shares, how special they are, and whether the last one."""
    lists = texts.lists
    shared, special, last, late, density = (np.zeros(lists.rows) for _ in range(5))
    for number, question in enumerate(texts.question_texts):
        start, size = int(lists.starts[number]), int(lists.sizes[number])
        rows = texts.candidate_texts[start : start + size]
        found = []
        for group in intent_groups():
            ends = [match.end() for match in group.finditer(question)]
            if ends:
                found.append((ends[-1], group))
        if not found:
            continue
        latest = max(end for end, _ in found)
        total = 0.0
        for end, group in found:
            holds = np.array([1.0 if group.search(row) else 0.0 for row in rows])
            df = holds.sum()
            idf = np.log1p((size - df + 0.5) / (df + 0.5))
            place = (end / len(question)) ** 3
            span = slice(start, start + size)
            shared[span] += holds
            special[span] += holds * idf
            late[span] += holds * idf * place
            total += idf * place
            if end == latest:
                last[span] = np.maximum(last[span], holds * idf)
        if total:
            density[start : start + size] = late[start : start + size] / total
    return {
        "intents: shared": shared,
        "intents: list idf": special,
        "intents: late × list idf": late,
        "intents: share": density,
        "intents: last": last,
    }


@cache
def chinese_types() -> tuple[tuple[str, re.Pattern[str], re.Pattern[str] | None], ...]:
    """Name, pattern in the question and pattern of an answer of each type, in the order in which they are tried."""
    types = []
    for line in word_list("chinese_question_types.tsv"):
        name, question, answer = line.split("\t")
        types.append((name, re.compile(question), re.compile(answer) if answer else None))
    return tuple(types)


def chinese_type_numbers(questions: Sequence[str]) -> IntArray:
    """For each question the number of its type."""
    types = chinese_types()
    return np.array(
        [next(i for i, (_, pattern, _) in enumerate(types) if pattern.search(text)) for text in questions], np.int64
    )


def chinese_answers(texts: ChineseTexts, types: IntArray, covered: FloatArray) -> dict[str, FloatArray]:
    """Expressions that could answer the type of the question and do not stand in it."""
    lists, patterns = texts.lists, chinese_types()
    count, best = np.zeros(lists.rows), np.zeros(lists.rows)
    for number, question in enumerate(texts.question_texts):
        pattern = patterns[types[number]][2]
        if pattern is None:
            continue
        start, size = int(lists.starts[number]), int(lists.sizes[number])
        found = [
            [one for one in pattern.findall(row) if one not in question]
            for row in texts.candidate_texts[start : start + size]
        ]
        df: dict[str, int] = {}
        for row in found:
            for one in dict.fromkeys(row):
                df[one] = df.get(one, 0) + 1
        for place, row in enumerate(found):
            count[start + place] = len(row)
            best[start + place] = max((np.log((size + 1) / df[one]) for one in row), default=0.0)
    present = (count > 0).astype(float)
    return {
        "answer: present": present,
        "answer: log count": np.log1p(count),
        "answer: best list idf": best,
        "answer: present × coverage": present * covered,
        "answer: best idf × coverage": best * covered,
    }
