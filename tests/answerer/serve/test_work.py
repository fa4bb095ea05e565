"""What a worker process does with a request."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from answerer.serve import worker
from answerer.serve.requests import IndexQuestion
from indexer.engines.errors import IndexGone, TransientError

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
        assert worker.do_work(QUESTION, tmp_path) == "Shah Jahan"
    else:
        with pytest.raises(IndexGone):
            worker.do_work(QUESTION, tmp_path)


def test_stderr_says_why_the_search_server_is_away(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def refused(work: object, folder: object) -> None:
        raise TransientError("no Elasticsearch answers at http://localhost:9200")

    monkeypatch.setattr(worker, "do_work", refused)
    message = worker._outcome(QUESTION, tmp_path, tmp_path)
    assert (message.kind, json.loads(message.body)) == ("away", worker.AWAY)
    assert capsys.readouterr().err == "no Elasticsearch answers at http://localhost:9200\n"
