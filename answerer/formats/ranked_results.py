"""Results of rankers: score files of NLPCC, a number a line, and SelQA's result files."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from indexer.files.arrays import Float64Array, Int64Array
from indexer.files.encoding import TextLine, open_lines
from indexer.files.errors import bad_input
from indexer.formats.labels import is_number
from indexer.formats.selqa import SelqaFile

if TYPE_CHECKING:
    from indexer.formats.sentence_rows import RowFile


def scores_text(scores: Float64Array, lines: Sequence[int] | Int64Array) -> str:
    """The score file: `scores[i]`, (rows,), on line `lines[i]` (from 0), with 7 significant digits."""
    # The file has its rows in another order than the lists of candidates.
    placed = np.empty(len(scores))
    placed[np.asarray(lines, np.int64)] = scores
    return "".join(f"{score:.7g}\n" for score in placed)


def score_lines(path: str | Path) -> int:
    """The number of scores in a file. Raises UserError as `read_scores` does for a line that is not a score."""
    return sum(1 for line in open_lines(path) if _score(path, line) is not None)


def read_scores(path: str | Path, lines: int, gold: str | Path) -> Float64Array:
    """The scores of a file with one number per line, an array (lines,).

    Raises UserError if a line is not a finite number, or if there are not as many as the `lines` of the file `gold`.
    """
    scores = [_score(path, line) for line in open_lines(path)]
    if len(scores) != lines:
        raise bad_input(path, None, f"{len(scores)} scores", f"{gold} has {lines} lines, one score each")
    return np.array(scores)


def _score(path: str | Path, line: TextLine) -> float:
    """Parses one line as a number. Raises UserError with file and line for a line that is not a finite number."""
    number = (line.text or "").strip()
    # `nan` and `inf` are numbers for float, and no scores.
    if not is_number(number):
        said = line.reason if line.text is None else f"{line.text[:40]!r} is not a score"
        raise bad_input(path, line.number, said, "expected a number")
    return float(number)


def results_text(file: SelqaFile | RowFile, results: Sequence[Float64Array]) -> str:
    """The text of an input file with the scores of its candidates added, at 6 significant digits.

    `results` has an array (candidates,) for each question that has candidates, in order. NLPCC rows get the score as a
    last column, SelQA objects get a list `results`.
    """
    if not isinstance(file, SelqaFile):
        # The rows verbatim, each with its score as one more column, under `Score` after a header.
        placed = np.empty(sum(map(len, results)))
        placed[file.places] = np.concatenate(results)
        head = [f"{file.header}\tScore\n"] if file.header else []
        return "".join([*head, *(f"{row}\t{score:.6g}\n" for row, score in zip(file.rows, placed, strict=True))])
    # The objects in the shape that came in, with `results`: one number in [0, 1] a sentence.
    given = iter(results)
    rows = [
        json.dumps({**value, "results": [float(f"{one:.6g}") for one in (next(given) if each.candidates else ())]})
        for value, each in zip(file.objects, file.lists, strict=True)
    ]
    return "[\n" + ",\n".join(rows) + "\n]\n" if file.is_list else "".join(f"{row}\n" for row in rows)


def require_results(file: SelqaFile, path: str | Path) -> list[list[float]]:
    """The scores of each question of a SelQA file. Raises UserError for a question without `results`."""
    # The input of `answerer selqa` has the same form without results.
    missing = [line for line, results in zip(file.lines, file.results, strict=True) if results is None]
    if missing:
        raise bad_input(path, missing[0], "an object without results", "expected the output of `answerer selqa`")
    return [results for results in file.results if results is not None]


def read_results(path: str | Path) -> tuple[SelqaFile | RowFile, list[list[float]]]:
    """A result file of either form, and each question's results. Raises UserError for a question without results."""
    from indexer.formats.sentence_rows import read_sentence_file

    read = read_sentence_file(path, scored=True)
    return read, require_results(read, path) if isinstance(read, SelqaFile) else read.results
