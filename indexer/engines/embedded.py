"""The embedded engine: an index is a folder on disk, searched by tantivy; no server."""

from __future__ import annotations

from indexer.engines.contract import Metadata, Writer
from indexer.engines.embedded_search import EmbeddedSearcher, folder_of, open_part, read_metadata
from indexer.files.errors import UserError
from indexer.location import locate


class EmbeddedEngine:
    """Indexes as folders: `metadata.json`, and a numbered folder that holds a tantivy index for each part."""

    def open(self, address: str) -> EmbeddedIndex:
        """The index in a folder. UserError when there is none, or when it is damaged."""
        location = locate(address)
        folder = folder_of(location)
        for _ in range(3):
            generation, metadata = read_metadata(location)
            try:
                parts = {
                    part.name: EmbeddedSearcher(part, open_part(folder / generation / part.name))
                    for part in metadata.parts
                }
            except (ValueError, OSError) as error:
                damage = error  # a build may have replaced the index between the two reads
                continue
            return EmbeddedIndex(location.shown, metadata, parts)
        raise UserError(f"the index {location.shown} is damaged ({damage}): build it again")

    def build(self, address: str, metadata: Metadata) -> Writer:
        """A build in a hidden folder beside the index; see `EmbeddedWriter`."""
        from indexer.engines.embedded_build import EmbeddedWriter

        return EmbeddedWriter(locate(address), metadata)


class EmbeddedIndex:
    """An open folder. It goes on answering from what it opened when a build replaces the index."""

    engine = "embedded"

    def __init__(self, address: str, metadata: Metadata, parts: dict[str, EmbeddedSearcher]) -> None:
        self.address = address
        self.metadata = metadata
        self._parts = parts

    def part(self, name: str | None = None) -> EmbeddedSearcher:
        return self._parts[name or self.metadata.parts[0].name]

    def close(self) -> None:
        self._parts.clear()
