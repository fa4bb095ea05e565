"""What the server refuses: documents told by their ids, a shard with no place by what forbids it."""

from __future__ import annotations

import hashlib
from contextlib import closing

import pytest

from indexer.address import locate
from indexer.engines import bulk
from indexer.engines.connection import connect, why_it_waits
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


def test_a_shard_that_no_node_may_hold_is_told_with_what_keeps_it_away(
    elasticsearch_address: str,
) -> None:
    location = locate(elasticsearch_address)
    nowhere = {"number_of_replicas": 0, "routing.allocation.require._name": "nowhere"}
    with closing(connect(location)) as client:
        client.indices.create(index=location.name, settings=nowhere, wait_for_active_shards="0")
        why = why_it_waits(client, location.name)
        client.indices.delete(index=location.name)
    assert why.startswith(
        "; the index is red: shard 0 of 1 has no primary, nodes that hold data: 1 (node does not "
    )
    assert why.endswith('[_name:"nowhere"])')
