"""Documents gathered into requests."""

from __future__ import annotations

import pytest

from indexer.document import Document, Part
from indexer.engines.bulk import BulkLoader
from indexer.engines.connection import connect
from indexer.location import locate


def test_what_a_signal_kept_from_being_handed_on_is_still_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """A build that is interrupted sends the rest before it notes which sources are finished."""

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    parts = {"sentences": Part("sentences", ("text",))}
    location = locate("http://localhost:9/book")
    loader = BulkLoader(location, connect(location), parts, {"sentences": "book.sentences.1"}, lambda progress: None)
    loader.add("sentences", [Document("a", "text", {"text": ["word"]})])
    with monkeypatch.context() as patch:
        patch.setattr("queue.Queue.put", interrupted)
        with pytest.raises(KeyboardInterrupt):
            loader.flush("sentences")
    assert len(loader._lines["sentences"]) == 1
    loader.abandon()
