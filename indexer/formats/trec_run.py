"""Lines of a TREC run, whose scores every tool puts in the order in which the run was ranked."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence

RUN_TAG = "classical-qa"
_DIGITS = 12  # of the hash that names an answer


def text_id(text: str) -> str:
    """Id in runs and qrels of a candidate that has none: the hash of its text without case, blanks
    folded."""
    return hashlib.sha256(" ".join(text.lower().split()).encode()).hexdigest()[:_DIGITS]


def run_lines(query_id: str, ranked: Iterable[tuple[str, float]], tag: str) -> Iterator[str]:
    """Yields a line `query_id Q0 doc_id rank score tag` for each (doc_id, score) of a question,
    which come best first.

    Scores have 7 significant digits; a tied one is lowered as by `falling` and has 9 digits, which
    distinguish it from its neighbours.
    """
    documents = list(ranked)
    # Rounded first: a tie is what readers of the file will see as one.
    scores = falling([float(f"{score:.7g}") for _, score in documents])
    for rank, ((doc_id, _), score) in enumerate(zip(documents, scores, strict=True), 1):
        yield f"{query_id} Q0 {doc_id} {rank} {score:.9g} {tag}\n"


def falling(scores: Sequence[float]) -> list[float]:
    """Scores of a ranking, best first, each made less than the one before also in single precision.

    A score that is not is replaced by the next lower single-precision number: trec_eval reads
    scores in single precision and orders ties by descending doc_id. Ties remain only at the lowest
    finite number (-3e38). No score may be NaN.
    """
    import numpy as np

    result: list[float] = []
    last, greatest = np.float32(np.inf), np.finfo(np.float32).max
    with np.errstate(over="ignore", under="ignore"):
        for value in scores:
            score = value
            if np.float32(score) >= last and last > -greatest:
                score = float(np.nextafter(last, np.float32(-np.inf)))
            last = np.float32(score)
            result.append(score)
    return result
