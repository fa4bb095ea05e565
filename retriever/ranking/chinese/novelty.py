"""What a Chinese candidate says beyond its question: one that only repeats the question answers nothing."""

from __future__ import annotations

import numpy as np

from indexer.files.arrays import Float64Array
from retriever.learning.lists import summed
from retriever.ranking.chinese.texts import CODE_POINTS, ChineseTexts
from retriever.ranking.overlap import distinct


def novelty(texts: ChineseTexts) -> dict[str, Float64Array]:
    """log(1 + how many different characters a row has that its question lacks), (rows,); 0 for an empty row."""
    tokens = texts.candidates
    unasked = texts.single.token_term < 0
    rows = distinct(tokens.rows[unasked] * CODE_POINTS + tokens.ids[unasked]) // CODE_POINTS
    return {"new characters": np.log1p(summed(rows, np.ones(len(rows)), texts.lists.rows))}
