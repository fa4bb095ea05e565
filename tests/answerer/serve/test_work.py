"""What a worker process does with a request."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from answerer.serve import worker
from answerer.serve.requests import IndexQuestion
from indexer.engines.contract import IndexGone

QUESTION = IndexQuestion("Who?", (), (), None, 1, False)


@pytest.mark.parametrize("gone", [1, 2])
def test_an_index_that_is_replaced_in_this_moment_is_opened_anew_once(
    gone: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    outcomes: list[Any] = [IndexGone("replaced")] * gone

    def answered(asked: object) -> str:
        if outcomes:
            raise outcomes.pop()
        return "Shah Jahan"

    monkeypatch.setattr(worker, "_of_question", answered)
    if gone == 1:
        assert worker.answered(QUESTION, tmp_path) == "Shah Jahan"
    else:
        with pytest.raises(IndexGone):
            worker.answered(QUESTION, tmp_path)
