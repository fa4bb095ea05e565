"""Word order: which of the question's pairs of neighbouring words a candidate holds."""

from __future__ import annotations

import numpy as np

from indexer.files.arrays import Float64Array
from retriever.ranking.english.texts import EnglishTexts


def pairs(texts: EnglishTexts) -> dict[str, Float64Array]:
    """Shares of the question's pairs of stems, stop words too, and the idf over the file that they sum to."""
    table = texts.pairs
    return {
        "pairs: coverage": table.coverage(np.ones_like(table.list_df)),
        "pairs: coverage × list idf": table.coverage(table.list_idf()),
        "pairs: sum × file idf": table.sums(table.file_idf()),
    }
