"""Documents gathered into requests."""

from __future__ import annotations

import pytest

from indexer.document import Document, Part
from indexer.engines.bulk import Chunk, Chunks


def test_what_a_signal_kept_from_being_handed_on_is_still_there() -> None:
    """A build that is interrupted sends the rest before it notes which sources are finished."""

    def interrupted(chunk: Chunk) -> None:
        raise KeyboardInterrupt

    chunks = Chunks({"sentences": Part("sentences", ("text",))}, {"sentences": "book.sentences.1"}, interrupted)
    chunks.add("sentences", [Document("a", "text", {"text": ["word"]})])
    with pytest.raises(KeyboardInterrupt):
        chunks.flush("sentences")
    assert [(chunk.target, len(chunk.lines)) for chunk in chunks.rest()] == [("book.sentences.1.writing", 1)]
