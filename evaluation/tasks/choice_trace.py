"""What a multiple-choice run's trace tells the evaluation: shape, T or F and the score of each choice."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from indexer.files.encoding import open_lines
from indexer.files.errors import bad_input


class TraceRow(NamedTuple):
    """A question's row of the trace; `scores` are by the choices' numbers, in their order."""

    shape: str
    asks: str
    system: str
    scores: Mapping[str, float]


def read_choice_trace(path: Path) -> dict[tuple[str, str, int], TraceRow]:
    """The rows by exam ("" where the trace names none), question id and how often that came before.

    UserError, with file and line, for a line that is no JSON object or lacks what a trace row has.
    """
    rows: dict[tuple[str, str, int], TraceRow] = {}
    for number, text, _ in open_lines(path):
        if text is not None and not text.strip():
            continue
        try:
            row = json.loads(text or "")
            if "run" in row:
                continue
            name = (str(row.get("exam", "")), str(row["question_id"]))
            read = _row(row)
        except (ValueError, KeyError, TypeError, AttributeError):
            raise bad_input(path, number, "no row of a trace", "expected what --trace wrote") from None
        occurrence = 0
        while (*name, occurrence) in rows:
            occurrence += 1
        rows[*name, occurrence] = read
    return rows


def _row(row: Mapping[str, Any]) -> TraceRow:
    scores = {str(candidate["id"]): float(candidate["score"]) for candidate in row["candidates"]}
    return TraceRow(str(row["shape"] or ""), str(row["asks"] or ""), str(row["system"]), scores)
