"""Where a Chinese candidate's matches stand: densest window, common subsequence, numbers."""

from __future__ import annotations

import re

import numpy as np

from retriever.ranking.chinese import ChineseTexts, late_weight
from retriever.ranking.features.chinese_intents import chinese_types
from retriever.ranking.features.windows import common_subsequence, row_max, token_weights, window_sums
from retriever.ranking.lists import summed
from retriever.ranking.listwise import BoolArray, FloatArray, IntArray

WINDOW = 14
NEAR = 10
_NUMBERS = re.compile(r"[0-9]+")


def answer_marks(texts: ChineseTexts, types: IntArray) -> BoolArray:
    """Marks each letter of the candidates that belongs to an expression which could answer its question."""
    patterns = chinese_types()
    marks = np.zeros(len(texts.kept), bool)
    offset = 0
    for row, text in enumerate(texts.candidate_texts):
        number = int(texts.lists.list_of[row])
        pattern, question = patterns[types[number]][2], texts.question_texts[number]
        for match in pattern.finditer(text) if pattern else ():
            if match.group() not in question:
                marks[offset + match.start() : offset + match.end()] = True
        offset += len(text)
    return marks[texts.kept]


def chinese_order(texts: ChineseTexts, types: IntArray) -> dict[str, FloatArray]:
    """Weight in the densest window, near an answer, and in order; 0 for a question without weight."""
    table, tokens, lists = texts.single, texts.candidates, texts.lists
    weight = late_weight(table, texts.questions, 1) * table.list_idf() * table.question_idf()
    total = lists.of_rows(np.maximum(summed(table.term_list, weight, len(lists.sizes)), 1e-9))
    weights = token_weights(table, tokens, weight)
    dense = row_max(tokens, window_sums(tokens, weights, 0, WINDOW - 1))
    near = row_max(tokens, answer_marks(texts, types) * window_sums(tokens, weights, NEAR, NEAR))
    lengths = np.bincount(texts.questions.rows, minlength=texts.questions.texts)
    place = (
        lengths[texts.questions.rows]
        - 1
        - (np.arange(len(texts.questions.ids)) - (np.cumsum(lengths) - lengths)[texts.questions.rows])
    )
    bits = np.zeros(len(table.term_list), np.int64)
    kept = place < 63
    np.bitwise_or.at(bits, table.question_term[kept], np.left_shift(1, 62 - place[kept]))
    row_bits = np.where(table.token_term >= 0, bits[np.maximum(table.token_term, 0)], 0)
    common = common_subsequence(row_bits, tokens)
    return {
        "densest window": dense / total,
        "near an answer": near / total,
        "common subsequence": common / lists.of_rows(np.maximum(lengths.astype(float), 1)),
        "common subsequence density": common / np.log(table.lengths + 2),
    }


def numbers(texts: ChineseTexts) -> dict[str, FloatArray]:
    """Share of the question's numbers that a row holds; 0 where the question has none."""
    wanted = [set(_NUMBERS.findall(question)) for question in texts.question_texts]
    held = np.zeros(texts.lists.rows)
    for row, text in enumerate(texts.candidate_texts):
        numbers_asked = wanted[texts.lists.list_of[row]]
        if numbers_asked:
            held[row] = len(numbers_asked.intersection(_NUMBERS.findall(text))) / len(numbers_asked)
    return {"numbers": held}
