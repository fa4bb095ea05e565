"""What an English candidate opens with, which of the question's pairs of words it holds, what stands beside it."""

from __future__ import annotations

import numpy as np

from indexer.files.arrays import Float64Array
from retriever.learning.lists import summed
from retriever.ranking.english.texts import EnglishTexts
from retriever.ranking.overlap import Overlap
from retriever.ranking.windows import token_weights

OPENING = 6
FADING = 4


def opening(table: Overlap) -> dict[str, Float64Array]:
    """Shares of the question's weight that stand early in the row; terms matched at their place among all words.

    A sentence that opens with the question's subject is about it. "fading": a word at place p (from 0) counts
    1 / (1 + p / 4), each term once, where it stands first. "first words": the first six words alone. The weights are
    the idf over questions, for a subject stands in nearly every row of its list. 0 for a row or a question without
    words.
    """
    tokens, lists = table.candidates, table.lists
    weight = table.question_idf()
    per_row = table.whole(weight)
    lengths = np.bincount(tokens.rows, minlength=tokens.texts)
    place = np.arange(len(tokens.ids)) - (np.cumsum(lengths) - lengths)[tokens.rows]
    values = token_weights(table, tokens, weight)
    return {
        "opening: fading": summed(tokens.rows, values / (1 + place / FADING), lists.rows) / per_row,
        "opening: first words": summed(tokens.rows, values * (place < OPENING), lists.rows) / per_row,
    }


def _joined(table: Overlap, weight: Float64Array, by: int) -> Float64Array:
    """The weight, (rows,), that the row `by` places before adds to what the row itself holds; `weight` is (terms,)."""
    terms = max(1, len(weight))
    own = table.pair_row * terms + table.pair_term
    rows = table.pair_row + by
    inside = (rows >= 0) & (rows < table.lists.rows)
    rows, term = rows[inside], table.pair_term[inside]
    inside = table.lists.list_of[rows] == table.term_list[term]
    rows, term = rows[inside], term[inside]
    new = ~np.isin(rows * terms + term, own)
    return summed(rows[new], weight[term[new]], table.lists.rows)


def neighbours(table: Overlap, name: str, reach: int = 2) -> dict[str, Float64Array]:
    """Coverage of the sentences around each row, and what they add to its own coverage."""
    lists = table.lists
    weight = table.list_idf() * table.file_idf()
    per_row = table.whole(weight)
    covered = table.sums(weight) / per_row
    columns = {}
    for by in [*range(-reach, 0), *range(1, reach + 1)]:
        columns[f"{name}: coverage of the row at {-by:+d}"] = lists.shifted(covered, by)
        columns[f"{name}: added by the row at {-by:+d}"] = _joined(table, weight, by) / per_row
    best = np.zeros(lists.rows)
    for by in range(1, 4):
        best = np.maximum(best, lists.shifted(covered, by) * 0.7 ** (by - 1))
    columns[f"{name}: best of the rows before"] = best
    return columns


def pairs(texts: EnglishTexts) -> dict[str, Float64Array]:
    """Shares of the question's pairs of stems, stop words too, and the idf over the file that they sum to."""
    table = texts.pairs
    return {
        "pairs: coverage": table.coverage(np.ones_like(table.list_df)),
        "pairs: coverage × list idf": table.coverage(table.list_idf()),
        "pairs: sum × file idf": table.sums(table.file_idf()),
    }
