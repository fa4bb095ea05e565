"""The Elasticsearch engine: an index is a set of aliases on a server, one for each part."""

from __future__ import annotations

from collections.abc import Mapping

from elasticsearch import Elasticsearch

from indexer.engines import metadata as stored_metadata
from indexer.engines.connection import OURS, SECONDS_TO_GREET, connect, talking
from indexer.engines.contract import Metadata, Standing, Writer
from indexer.engines.elasticsearch_search import ElasticsearchSearcher
from indexer.files.errors import UserError
from indexer.location import Location, locate, nothing_there


class ElasticsearchEngine:
    """Indexes on a cluster; `shards` and `replicas` are those of the indexes that are built, None for what is usual."""

    def __init__(self, shards: int | None = None, replicas: int | None = None) -> None:
        self._shards = shards
        self._replicas = replicas

    def open(self, address: str) -> ElasticsearchIndex:
        """The index behind an alias. UserError when there is none, when it is not ours, or no server answers."""
        location = locate(address)
        client = connect(location)
        try:
            with talking(location):
                found = client.options(request_timeout=SECONDS_TO_GREET).indices.get_mapping(
                    index=location.name, ignore_unavailable=True
                )
            said = {str(name): about["mappings"].get("_meta", {}).get(OURS, {}) for name, about in found.items()}
            if not said:
                raise nothing_there(location, self.names(location))
            concrete, ours = next(iter(said.items()))
            place, _, number = concrete.rpartition(".")
            if len(said) > 1 or "metadata" not in ours or place != f"{ours['name']}.{ours['part']}":
                raise UserError(f"the index {location.shown} was not built by this program: choose another name")
            metadata = stored_metadata.from_json(ours["metadata"], location.shown)
            parts = {part.name: f"{ours['name']}.{part.name}.{number}" for part in metadata.parts}
        except BaseException:
            client.close()
            raise
        return ElasticsearchIndex(location, client, metadata, parts)

    def standing(self, address: str) -> Standing | None:
        """What the index behind the alias says; None where there is none, or where it is not ours."""
        location = locate(address)
        client = connect(location)
        try:
            with talking(location):
                greeting = client.options(request_timeout=SECONDS_TO_GREET)
                found = greeting.indices.get(index=location.name, ignore_unavailable=True)
        finally:
            client.close()
        for about in found.values():
            ours = about["mappings"].get("_meta", {}).get(OURS, {})
            if "metadata" in ours:
                created = int(about["settings"]["index"]["creation_date"]) / 1000
                return stored_metadata.standing(ours["metadata"], created)
        return None

    def names(self, location: Location) -> list[str]:
        client = connect(location)
        try:
            with talking(location):
                found = client.indices.get(index="*").values()
        finally:
            client.close()
        ours = ((about["mappings"].get("_meta", {}).get(OURS, {}).get("name"), about["aliases"]) for about in found)
        return sorted({name for name, aliases in ours if name in aliases})

    def size(self, address: str) -> int:
        location = locate(address)
        client = connect(location)
        try:
            with talking(location):
                found = client.indices.stats(index=f"{location.name},{location.name}.*", metric="store")
        finally:
            client.close()
        return int(found["_all"]["total"]["store"]["size_in_bytes"])

    def remove(self, address: str) -> None:
        from indexer.engines.bulk import indexes_of

        location = locate(address)
        client = connect(location)
        try:
            with talking(location):
                found = list(indexes_of(client, location))
                if not found:
                    raise nothing_there(location, self.names(location))
                client.indices.delete(index=found)
        finally:
            client.close()

    def build(self, address: str, metadata: Metadata) -> Writer:
        """A build in concrete indexes that no alias points to yet; see `ElasticsearchWriter`."""
        from indexer.engines.bulk import ElasticsearchWriter

        return ElasticsearchWriter(locate(address), metadata, self._shards, self._replicas)


class ElasticsearchIndex:
    """An open index: the concrete indexes that its name stood for when it was opened, so that a build that replaces it
    meanwhile never mixes with it: what is asked then is a UserError, and opening it anew finds the new one."""

    engine = "elasticsearch"

    def __init__(self, location: Location, client: Elasticsearch, metadata: Metadata, parts: Mapping[str, str]) -> None:
        self.address = location.shown
        self.metadata = metadata
        self._client = client
        self._parts = {
            part.name: ElasticsearchSearcher(location, client, part, parts[part.name]) for part in metadata.parts
        }

    def part(self, name: str | None = None) -> ElasticsearchSearcher:
        return self._parts[name or self.metadata.parts[0].name]

    def close(self) -> None:
        self._client.close()
