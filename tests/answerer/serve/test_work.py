"""What a worker process does with a request."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from answerer.serve import worker as work
from indexer.engines.contract import IndexGone

REQUEST = {"question": "Who?", "addresses": [], "choices": [], "k": 1, "method": None, "evidence": False}


@pytest.mark.parametrize("gone", [1, 2])
def test_an_index_that_is_replaced_in_this_moment_is_opened_anew_once(
    gone: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    outcomes: list[Any] = [IndexGone("replaced")] * gone

    def answered(asked: object) -> str:
        if outcomes:
            raise outcomes.pop()
        return "Shah Jahan"

    monkeypatch.setattr(work, "_of_question", answered)
    line = json.dumps(REQUEST).encode()
    if gone == 1:
        assert json.loads(work.answer_line(line, tmp_path)) == "Shah Jahan"
    else:
        with pytest.raises(IndexGone):
            work.answer_line(line, tmp_path)
