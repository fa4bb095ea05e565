"""Results of rankers: score files of NLPCC, a number a line, and SelQA's result files."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from indexer.files.arrays import Float64Array, Int64Array
from indexer.files.encoding import open_lines
from indexer.files.errors import bad_input
from indexer.files.validation import is_number
from indexer.formats.selqa import SelqaFile

if TYPE_CHECKING:
    from indexer.formats.sentence_rows import RowFile


def scores_text(scores: Float64Array, lines: Sequence[int] | Int64Array) -> str:
    """The score file: `scores[i]`, (rows,), on line `lines[i]`, with 7 significant digits; `lines`
    has each number from 0 to rows − 1 once."""
    # The file has its rows in another order than the lists of candidates.
    placed = np.empty(len(scores))
    placed[np.asarray(lines, np.int64)] = scores
    return "".join(f"{score:.7g}\n" for score in placed)


def read_scores(path: str | Path, lines: int | None = None, gold: str | Path = "") -> Float64Array:
    """The scores of a file with one number per line, an array (lines,). Raises UserError if a line
    is not a finite number (nor may it be blank), or if there are not as many as the `lines` of the
    file `gold`; None allows any number."""
    scores = []
    for number, text, reason in open_lines(path):
        # `nan` and `inf` are numbers for float, and no scores.
        if text is None or not is_number(text.strip()):
            fault = reason if text is None else f"{text[:40]!r} is not a score"
            raise bad_input(path, number, fault, "expected a number")
        scores.append(float(text.strip()))
    if lines not in (None, len(scores)):
        raise bad_input(
            path, None, f"{len(scores)} scores", f"{gold} has {lines} lines, one score each"
        )
    return np.array(scores)


def results_text(file: SelqaFile | RowFile, results: Sequence[Float64Array]) -> str:
    """The text of an input file with the scores of its candidates added, at 6 significant digits.

    `results` has an array (candidates,) for each question that has candidates, in order. NLPCC rows
    get the score as a last column (`Score` in a header), SelQA objects get a list `results`, []
    without candidates.
    """
    if not isinstance(file, SelqaFile):
        # The rows verbatim, each with its score as one more column, under `Score` after a header.
        placed = np.empty(sum(map(len, results)))
        placed[file.positions] = np.concatenate(results)
        head = [f"{file.header}\tScore\n"] if file.header else []
        return "".join(
            [
                *head,
                *(f"{row}\t{score:.6g}\n" for row, score in zip(file.rows, placed, strict=True)),
            ]
        )
    # The objects in the shape that came in, with `results`: one number in [0, 1] a sentence.
    scores = iter(results)
    rows = [
        json.dumps(
            {
                **value,
                "results": [
                    float(f"{score:.6g}")
                    for score in (next(scores) if candidate_list.candidates else ())
                ],
            }
        )
        for value, candidate_list in zip(file.objects, file.lists, strict=True)
    ]
    return (
        "[\n" + ",\n".join(rows) + "\n]\n" if file.is_list else "".join(f"{row}\n" for row in rows)
    )


def read_results(path: str | Path) -> tuple[SelqaFile | RowFile, list[list[float]]]:
    """A file as `results_text` writes it, and the scores of each question, [] without candidates.
    Raises UserError for a question without results."""
    from indexer.formats.sentence_rows import read_sentence_file

    read = read_sentence_file(path, scored=True)
    scores = [results for results in read.results if results is not None]
    if isinstance(read, SelqaFile) and None in read.results:
        # The input of `answerer selqa` has the same form without results.
        line = read.lines[read.results.index(None)]
        raise bad_input(
            path,
            line,
            "an object without results",
            "expected the output of `classical-qa answer selqa`",
        )
    return read, scores
