"""Documents that the server refuses: told by their ids, with what to do."""

from __future__ import annotations

import hashlib

import pytest

from indexer.engines import bulk
from indexer.engines.contract import Document, Metadata, Part
from indexer.files.errors import UserError
from indexer.languages.english import ENGLISH

METADATA = Metadata("textbook", (Part("sentences", ("text",), ("title",)),), ENGLISH, {})


def test_documents_refused_for_good_are_told_by_their_ids(elasticsearch_address: str) -> None:
    """Lucene takes no term of more than 32,766 bytes; the field of a doc_id cuts none."""
    writer = bulk.build(elasticsearch_address, METADATA)
    doc_ids = [f"{number}{'長' * 11_000}" for number in range(4)]
    documents = [Document(doc_id, "text", {"text": ["word"]}) for doc_id in ["good", *doc_ids]]
    writer.add("sentences", documents)
    with pytest.raises(UserError) as refused:
        writer.publish()
    writer.discard()
    said = str(refused.value)
    shown = [hashlib.sha256(doc_id.encode()).hexdigest() for doc_id in doc_ids[:3]]
    assert f"refused to write 4 documents ({', '.join(shown)}, …): status 400" in said
    assert said.endswith("give the same command again")
