"""Score files of NLPCC DBQA and TBQA: one number a line, as many lines as the test file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from indexer.files.arrays import Float64Array, Int64Array
from indexer.files.encoding import Line, held_lines, open_lines
from indexer.files.errors import bad_input
from indexer.formats.labels import is_number


def scores_text(scores: Float64Array, lines: Sequence[int] | Int64Array) -> str:
    """The score file: `scores[i]`, (rows,), on line `lines[i]` (from 0), with 7 significant digits."""
    placed = np.empty(len(scores))
    placed[np.asarray(lines, np.int64)] = scores
    return "".join(f"{score:.7g}\n" for score in placed)


def score_lines(path: str | Path) -> int:
    """How many scores a file has. UserError as of `read_scores` for a line that is none."""
    return sum(1 for line in open_lines(path) if _score(path, line) is not None)


def read_scores(path: str | Path, lines: int, gold: str | Path) -> Float64Array:
    """The scores of a file for a gold file of so many lines.

    UserError, with file and line, where a line is not a finite number, and where there are more or fewer lines.
    """
    scores = [_score(path, line) for line in held_lines(path, line_bytes=0)]
    if len(scores) != lines:
        raise bad_input(path, None, f"{len(scores)} scores", f"{gold} has {lines} lines, one score each")
    return np.array(scores)


def _score(path: str | Path, line: Line) -> float:
    """The number of a line. UserError where it has none."""
    number = (line.text or "").strip()
    if not is_number(number):
        said = line.reason if line.text is None else f"{line.text[:40]!r} is not a score"
        raise bad_input(path, line.number, said, "expected a number")
    return float(number)
