"""What a cluster says of itself: how many nodes hold data, and why an index cannot be written or searched."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from elasticsearch import ApiError, Elasticsearch, TransportError

SECONDS_TO_TELL = 10


def data_nodes(client: Elasticsearch) -> int:
    """How many nodes hold data; 1 where we may not ask."""
    try:
        return int(client.options(request_timeout=SECONDS_TO_TELL).cluster.health()["number_of_data_nodes"])
    except ApiError:
        return 1


def why_it_waits(client: Elasticsearch, index: str) -> str:
    """Why shards of an index are without a primary, as the end of a line ("; …"); "" where there is nothing to tell."""
    asking = client.options(request_timeout=SECONDS_TO_TELL)
    try:
        (concrete, *_) = asking.indices.get_alias(index=index)
        health = asking.cluster.health(index=concrete, level="shards")
        nodes = health["number_of_data_nodes"]
        if health["status"] != "red":
            return ""
        shards = health["indices"][concrete]["shards"]
        lost = sorted(int(number) for number, shard in shards.items() if not shard["primary_active"])
        said = asking.cluster.allocation_explain(index=concrete, shard=lost[0], primary=True)
    except (ApiError, TransportError, LookupError, ValueError):
        return ""
    which = f"{', '.join(map(str, lost))} of {len(shards)}"
    return f"; the index is red: shard {which} has no primary, nodes that hold data: {nodes} ({_reason(said.body)})"


def _reason(said: Mapping[str, Any]) -> str:
    """Why a primary is on no node: what forbids it, else what became of it."""
    for node in said.get("node_allocation_decisions", ()):
        for decider in node.get("deciders", ()):
            if decider.get("decision") == "NO":
                return str(decider["explanation"])[:300]
    unassigned = said.get("unassigned_info", {})
    return f"{unassigned.get('reason', 'unassigned')}: {said.get('allocate_explanation', '')}"[:300]
