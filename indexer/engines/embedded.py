"""The embedded engine: an index is a folder on disk, searched by tantivy; no server."""

from __future__ import annotations

from indexer.engines.contract import Metadata, Standing, Writer
from indexer.engines.embedded_search import (
    METADATA_FILE,
    EmbeddedSearcher,
    folder_of,
    may_not_be_read,
    names_in,
    open_part,
    read_metadata,
)
from indexer.engines.metadata import standing
from indexer.files.errors import UserError
from indexer.files.json_objects import parse_json
from indexer.location import Location, locate


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
            except PermissionError as error:
                raise may_not_be_read(location, error) from None
            except (ValueError, OSError) as error:
                damage = error  # a build may have replaced the index between the two reads
                continue
            return EmbeddedIndex(location.shown, metadata, parts)
        raise UserError(f"the index {location.shown} is damaged ({damage}): build it again")

    def standing(self, address: str) -> Standing | None:
        """What the folder's metadata say; None where the folder holds no readable metadata."""
        path = folder_of(locate(address)) / METADATA_FILE
        try:
            return standing(parse_json(path.read_text("utf-8")), path.stat().st_mtime)
        except (OSError, ValueError, AttributeError, TypeError):
            return None

    def names(self, location: Location) -> list[str]:
        return names_in(folder_of(location).parent)

    def size(self, address: str) -> int:
        folder = folder_of(locate(address))
        return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())

    def remove(self, address: str) -> None:
        from indexer.engines.embedded_build import remove

        location = locate(address)
        read_metadata(location)
        remove(location)

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
