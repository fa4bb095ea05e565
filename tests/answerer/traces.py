"""Questions of traces for tests, written as short JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from answerer.trace import TraceQuestion, decode


def exam_row(scores: Sequence[float], system: str, asks: str = "T") -> dict[str, Any]:
    """The row of an exam's question A1 with choices of these scores."""
    candidates = [
        {"id": str(number), "text": f"choice {number}", "score": score}
        for number, score in enumerate(scores, 1)
    ]
    return {
        "question_id": "A1",
        "shape": "sentence",
        "asks": asks,
        "question": "Which?",
        "system": system,
        "candidates": candidates,
    }


def question(row: Mapping[str, Any]) -> TraceQuestion:
    """The question of a row, with an id where it has none."""
    return decode({"question_id": "A1", **row})
