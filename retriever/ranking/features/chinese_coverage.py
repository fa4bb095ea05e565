"""How much of a Chinese question a candidate covers, late words first, whole and after the question's topic."""

from __future__ import annotations

import numpy as np

from retriever.ranking.chinese import ChineseTexts, late_weight
from retriever.ranking.features.coverage import bm25
from retriever.ranking.listwise import FloatArray
from retriever.ranking.overlap import Overlap


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
            f"{n}-grams: late density": table.coverage(late * list_idf) / log_length,
            f"{n}-grams: bm25": bm25(table, 1.2, 0.3),
        }
    return columns


def topic_lengths(texts: ChineseTexts) -> list[int]:
    """For each question, the length of its longest prefix that stands in several of its candidates."""
    lengths = []
    for number, question in enumerate(texts.question_texts):
        start, size = int(texts.lists.starts[number]), int(texts.lists.sizes[number])
        rows = texts.candidate_texts[start : start + size]
        length = 0
        for end in range(2, len(question)):
            prefix = question[:end]
            rows = [row for row in rows if prefix in row]
            if len(rows) < 2:
                break
            length = end
        lengths.append(length)
    return lengths


def tail(texts: ChineseTexts, table: Overlap, n: int) -> dict[str, FloatArray]:
    """Coverage and density of what the question says after its topic."""
    topic = np.array(topic_lengths(texts), float)
    columns: dict[str, FloatArray] = {}
    from retriever.ranking.chinese import CODE_POINTS
    from retriever.ranking.overlap import consecutive

    runs = consecutive(texts.questions, n, CODE_POINTS)
    counts = np.bincount(runs.rows, minlength=runs.texts)
    place = np.arange(len(runs.ids)) - (np.cumsum(counts) - counts)[runs.rows]
    weight = np.zeros(len(table.term_list))
    np.maximum.at(weight, table.question_term, (place >= topic[runs.rows] - n + 1).astype(float))
    covered = table.coverage(weight * table.list_idf())
    columns[f"tail {n}-grams: list idf"] = covered
    columns[f"tail {n}-grams: density"] = covered / np.log(table.lengths + 2)
    columns[f"tail {n}-grams: file idf"] = table.coverage(weight * table.file_idf())
    columns[f"topic {n}-grams"] = table.coverage((1 - weight) * table.list_idf())
    return columns
