"""How much of the question a candidate covers, its terms weighted by how much they tell candidates apart."""

from __future__ import annotations

import numpy as np

from retriever.ranking.lists import summed
from retriever.ranking.listwise import FloatArray
from retriever.ranking.overlap import Overlap


def bm25(table: Overlap, k1: float = 1.2, b: float = 0.75) -> FloatArray:
    """Okapi BM25 of each row, with idf from the question's own candidates."""
    lists, weight = table.lists, table.list_idf() * table.term_count
    mean = lists.of_rows(np.maximum(lists.total(table.lengths) / lists.sizes, 1e-9))
    norm = k1 * (1 - b + b * table.lengths / mean)
    part = weight[table.pair_term] * table.pair_count * (k1 + 1) / (table.pair_count + norm[table.pair_row])
    return summed(table.pair_row, part, lists.rows)


def coverage(table: Overlap, name: str) -> dict[str, FloatArray]:
    """Shares of the question's terms under several weights, and the density of matches in the row."""
    list_idf, file_idf = table.list_idf(), table.file_idf()
    both = list_idf * file_idf
    log_length = np.log(table.lengths + 2)
    covered = table.coverage(both)
    return {
        f"{name}: coverage": table.coverage(np.ones_like(list_idf)),
        f"{name}: coverage × list idf": table.coverage(list_idf),
        f"{name}: coverage × file idf": table.coverage(file_idf),
        f"{name}: coverage × both idf": covered,
        f"{name}: sum × both idf": table.sums(both),
        f"{name}: coverage × list and question idf": table.coverage(list_idf * table.question_idf()),
        f"{name}: density": covered / log_length,
        f"{name}: bm25": bm25(table),
    }
