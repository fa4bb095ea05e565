"""Documents gathered into requests."""

from __future__ import annotations

import pytest

from indexer.document import Document, Part
from indexer.engines import bulk
from indexer.engines.contract import Metadata
from indexer.languages.english import ENGLISH

METADATA = Metadata("textbook", (Part("sentences", ("text",)),), ENGLISH, {})


def test_what_a_signal_kept_from_being_handed_on_is_still_there(
    elasticsearch_address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A build that is interrupted sends the rest before it notes which sources are finished."""

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    writer = bulk.build(elasticsearch_address, METADATA)
    writer.add("sentences", [Document("a", "text", {"text": ["word"]})])
    with monkeypatch.context() as patch:
        patch.setattr("queue.Queue.put", interrupted)
        with pytest.raises(KeyboardInterrupt):
            writer.finish_source("a.txt", costly=True)
    writer.abandon()
    again = bulk.build(elasticsearch_address, METADATA)
    assert set(again.finished_sources) == {"a.txt"}
    assert again.publish().documents == {"sentences": 1}
