"""Word order: shared word pairs and triples, word pairs near each other, common subsequence, densest window."""

from __future__ import annotations

import numpy as np

from retriever.ranking.english import EnglishTexts
from retriever.ranking.features.windows import common_subsequence, row_max, token_weights, window_sums
from retriever.ranking.lists import summed
from retriever.ranking.listwise import FloatArray, IntArray
from retriever.ranking.overlap import Tokens, consecutive, overlap

WINDOW = 14
SKIP = 4


def near_pairs(tokens: Tokens, reach: int, size: int) -> Tokens:
    """Every pair of terms at most `reach` apart, in either order, as one number."""
    ids, rows = [], []
    for gap in range(1, min(reach, len(tokens.ids) - 1) + 1):
        left, right = tokens.ids[:-gap], tokens.ids[gap:]
        same = tokens.rows[:-gap] == tokens.rows[gap:]
        ids.append((np.minimum(left, right) * size + np.maximum(left, right))[same])
        rows.append(tokens.rows[:-gap][same])
    if not ids:
        return Tokens(np.zeros(0, np.int64), np.zeros(0, np.int64), tokens.texts)
    all_rows = np.concatenate(rows)
    order = np.argsort(all_rows, kind="stable")
    return Tokens(np.concatenate(ids)[order], all_rows[order], tokens.texts)


def _question_bits(questions: Tokens, terms: IntArray, count: int) -> IntArray:
    """For each question term the set of its places in the question as bits (places above 62 are left out)."""
    lengths = np.bincount(questions.rows, minlength=questions.texts)
    place = np.arange(len(questions.ids)) - (np.cumsum(lengths) - lengths)[questions.rows]
    bits = np.zeros(count, np.int64)
    kept = place < 63
    np.bitwise_or.at(bits, terms[kept], np.left_shift(1, place[kept]))
    return bits


def ngrams(texts: EnglishTexts) -> dict[str, FloatArray]:
    """Shares of the question's pairs and triples, its words in order, and the weight in the densest window."""
    size = len(texts.words.stems) + 1
    sides = [texts.words.view(side, texts.words.stem) for side in (texts.questions, texts.candidates)]
    content = [
        side.only(~texts.words.is_stop[raw.ids])
        for side, raw in zip(sides, (texts.questions, texts.candidates), strict=False)
    ]
    columns: dict[str, FloatArray] = {}
    for name, pair in (
        ("pairs", [consecutive(side, 2, size) for side in sides]),
        ("triples", [consecutive(side, 3, size) for side in sides]),
        ("near pairs", [near_pairs(side, SKIP, size) for side in content]),
    ):
        table = overlap(pair[0], pair[1], texts.lists)
        columns[f"{name}: coverage"] = table.coverage(np.ones_like(table.list_df))
        columns[f"{name}: coverage × list idf"] = table.coverage(table.list_idf())
        columns[f"{name}: sum × file idf"] = table.sums(table.file_idf())
    table = texts.all_stems
    bits = _question_bits(texts.questions, table.question_term, len(table.term_list))
    row_bits = np.where(table.token_term >= 0, bits[np.maximum(table.token_term, 0)], 0)
    common = common_subsequence(row_bits, texts.candidates)
    length = texts.lists.of_rows(np.maximum(texts.questions.lengths(), 1.0))
    columns["common subsequence"] = common / length
    columns["common subsequence density"] = common / np.log(table.lengths + 2)
    weight = table.list_idf() * table.file_idf()
    weights = token_weights(table, texts.candidates, weight)
    total = summed(table.term_list, weight, len(texts.lists.sizes))
    dense = row_max(texts.candidates, window_sums(texts.candidates, weights, 0, WINDOW - 1))
    columns["densest window"] = dense / texts.lists.of_rows(np.where(total > 0, total, 1.0))
    return columns
