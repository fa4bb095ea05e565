"""Questions of traces for tests, written as short JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from answerer.trace import TraceQuestion, decode


def question(row: Mapping[str, Any]) -> TraceQuestion:
    """The question of a row, with an id where it has none."""
    return decode({"question_id": "A1", **row})
