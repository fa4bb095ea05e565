"""How much of a Chinese question a candidate covers, late words first, whole and after the question's topic."""

from __future__ import annotations

import numpy as np

from retriever.ranking.chinese import ChineseTexts, late_weight
from retriever.ranking.features.coverage import bm25
from retriever.ranking.listwise import FloatArray


def chinese_coverage(texts: ChineseTexts) -> dict[str, FloatArray]:
    """Coverage of characters, pairs and triples under list idf, file idf and the place in the question."""
    columns: dict[str, FloatArray] = {}
    for n, table in ((1, texts.single), (2, texts.pairs), (3, texts.triples)):
        late = late_weight(table, texts.questions, n)
        list_idf, file_idf = table.list_idf(), table.file_idf()
        log_length = np.log(table.lengths + 2)
        columns |= {
            f"{n}-grams: list idf": table.coverage(list_idf),
            f"{n}-grams: late × list idf": table.coverage(late * list_idf),
            f"{n}-grams: late × file idf": table.coverage(late * file_idf),
            f"{n}-grams: late × both idf": table.coverage(late * list_idf * file_idf),
            f"{n}-grams: question idf": table.coverage(table.question_idf() * list_idf),
            f"{n}-grams: late × question idf": table.coverage(late * table.question_idf() * list_idf),
            f"{n}-grams: late × question idf density": table.coverage(late * table.question_idf() * list_idf)
            / log_length,
            f"{n}-grams: late density": table.coverage(late * list_idf) / log_length,
            f"{n}-grams: bm25": bm25(table, 1.2, 0.3),
        }
    return columns
