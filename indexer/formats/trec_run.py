"""Lines of a TREC run, whose scores every tool puts in the order in which the run was ranked."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from indexer.files.errors import bad_input
from indexer.files.validation import is_number

if TYPE_CHECKING:
    from indexer.files.arrays import Float64Array

RUN_TAG = "classical-qa"
BEIR_QRELS = ["query-id", "corpus-id", "score"]
"""The first line of BEIR's qrels."""
_FIRST = 5  # lines whose form is that of the file
_DIGITS = 12  # of the hash that names an answer


def text_id(text: str) -> str:
    """Id in runs and qrels of a candidate that has none: 12 hex digits of the SHA-256 of its text
    without case, blanks folded."""
    return hashlib.sha256(" ".join(text.lower().split()).encode()).hexdigest()[:_DIGITS]


def judged_form(beginning: str) -> str:
    """`judgements (qrels)` or `a run` for the beginning of a file whose first five lines, blank
    ones left out, are all those of qrels or of a run, or that begins with the header of BEIR's
    qrels; "" for any other."""
    lines = [line.split() for line in beginning.splitlines()[:_FIRST] if line.strip()]
    if lines and all(len(row) == 4 and row[1] in ("0", "Q0") for row in lines):
        return "judgements (qrels)" if all(is_number(row[3]) for row in lines) else ""
    if lines and all(len(row) == 6 and row[1] in ("0", "Q0") for row in lines):
        return "a run" if all(is_number(row[4]) for row in lines) else ""
    return "judgements (qrels)" if lines and lines[0] == BEIR_QRELS else ""


def refuse_judged(path: str | Path, beginning: str, expected: str) -> None:
    """Raises UserError, ending in `expected`, for a file, given as queries or documents, whose
    beginning is that of qrels or of a run (`judged_form`)."""
    if form := judged_form(beginning):
        raise bad_input(path, 1, f"looks like {form}", expected)


def run_lines(query_id: str, ranked: Iterable[tuple[str, float]], tag: str) -> Iterator[str]:
    """Yields a line `query_id Q0 doc_id rank score tag`, with its line end and ranks from 1, for
    each (doc_id, score) of a question, which come best first.

    Scores have 7 significant digits; a tied one is made the next lower number of single
    precision, with 9 digits, which distinguish it from its neighbours.
    """
    documents = list(ranked)
    # Rounded first: a tie is what readers of the file will see as one.
    scores = falling([float(f"{score:.7g}") for _, score in documents])
    for rank, ((doc_id, _), score) in enumerate(zip(documents, scores, strict=True), 1):
        yield f"{query_id} Q0 {doc_id} {rank} {score:.9g} {tag}\n"


def falling(scores: Sequence[float]) -> list[float]:
    """Scores of a ranking, best first, each made less than the one before also in single precision.

    A score that is not less is replaced by the next lower single-precision number: trec_eval reads
    scores in single precision and orders ties by descending doc_id. Ties remain only at the lowest
    finite number (-3e38); a score above the greatest becomes that. No score may be NaN.
    """
    import numpy as np

    result: list[float] = falling_array(np.array(scores, dtype=np.float64)).tolist()
    return result


def falling_array(scores: Float64Array) -> Float64Array:
    """The scores of a ranking, best first; one that is not less than the one before in single
    precision becomes the next lower number of it, the others stay in double precision."""
    import numpy as np

    greatest = float(np.finfo(np.float32).max)
    with np.errstate(under="ignore"):
        single = np.clip(scores, -greatest, greatest).astype(np.float32)
    # The bits of single-precision numbers count them from 0 up, and with the sign bit from 0 down:
    # the number below is the count less one.
    bits, sign = single.view(np.int32).astype(np.int64), 2**31
    counts = np.where(bits < 0, -(bits + sign), bits)
    ranks = np.arange(len(counts))
    lowest = -int(np.float32(greatest).view(np.int32))
    lowered = np.maximum(np.minimum.accumulate(counts + ranks) - ranks, lowest)
    bits = np.where(lowered < 0, -lowered - sign, lowered).astype(np.int32)
    changed = (lowered != counts) | (scores > greatest)
    return np.where(changed, bits.view(np.float32), scores)


def falling_digits(scores: Float64Array) -> Float64Array:
    """The scores of a ranking, best first, each made less than the one before (`falling_array`),
    the lowered ones with 9 digits, which distinguish numbers of single precision."""
    falling = falling_array(scores)
    changed = (falling != scores).nonzero()[0]
    falling[changed] = [float(f"{score:.9g}") for score in falling[changed].tolist()]
    return falling


def score_text(score: float) -> str:
    """A score as a run has it: the fewest digits that give the same number back, without `.0`."""
    return repr(float(score)).removesuffix(".0")
