"""Score files of NLPCC DBQA and TBQA: one number a line, as many lines as the test file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from answerer.formats.labels import is_number
from indexer.files.encoding import open_lines
from indexer.files.errors import bad_input
from retriever.ranking.listwise import FloatArray, IntArray


def scores_text(scores: FloatArray, lines: Sequence[int] | IntArray) -> str:
    """The score file: `scores[i]` on line `lines[i]` (from 0), with 7 significant digits."""
    placed = np.empty(len(scores))
    placed[np.asarray(lines, np.int64)] = scores
    return "".join(f"{score:.7g}\n" for score in placed)


def read_scores(path: str | Path, lines: int, gold: str | Path) -> FloatArray:
    """The scores of a file for a gold file of so many lines.

    UserError, with file and line, where a line is no finite number, and where there are more or fewer lines.
    """
    found = []
    for line in open_lines(path):
        if line.text is None or not is_number(line.text.strip()):
            raise bad_input(path, line.number, f"{(line.text or line.reason)[:40]!r} is no score", "expected a number")
        found.append(float(line.text))
    if len(found) != lines:
        raise bad_input(path, None, f"{len(found)} scores", f"{gold} has {lines} lines, one score each")
    return np.array(found)
