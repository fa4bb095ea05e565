"""Interface of the engines to who builds and manages indexes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from indexer.address import Location
from indexer.engines.contract import Document, Metadata
from indexer.engines.searching import Searcher


class Writer(Protocol):
    """An index being built aside; nothing of it is seen until `publish`."""

    @property
    def counts(self) -> Mapping[str, int]:
        """Number of documents in each part so far."""

    def add(self, part: str, documents: Sequence[Document]) -> None:
        """Writes documents, whose doc_ids are new to the part. A document that lacks terms in a
        term field is neither written nor counted."""

    def searcher(self, part: str) -> Searcher:
        """A searcher over the documents written to a part so far (for documents derived from
        others)."""

    def publish(self) -> Metadata:
        """Checks the counts and puts the new index in the old one's place, in one step; returns its
        final metadata."""

    def discard(self) -> None:
        """Closes without publishing, and removes all that was written aside."""


class Builder(Protocol):
    """Builds, describes and deletes indexes of an engine. The modules `embedded_build` and `bulk`
    are two."""

    def standing(self, address: str | Location) -> dict[str, Any] | None:
        """The stored metadata (`indexer.engines.contract`), of any version, of the index at an
        address, with the local time of the build, to the minute, as `built`; None without an index
        of this program."""

    def names(self, location: Location) -> list[str]:
        """Sorted names of this program's indexes beside a location: in its folder's folder, or on
        its servers."""

    def unfinished_builds(self, location: Location) -> list[str]:
        """Sorted names of the indexes beside a location of which a build is under way or was
        interrupted."""

    def size(self, address: str | Location) -> int:
        """The bytes that an index and unfinished builds of it take on disk; on a cluster all
        their copies."""

    def remove(self, address: str | Location) -> None:
        """Removes an index and what an interrupted build of it left. Raises UserError where none is
        there."""

    def build(
        self,
        address: str | Location,
        metadata: Metadata,
        shards: int | None = None,
        replicas: int | None = None,
    ) -> Writer:
        """A build aside; what dead builds of the index left there is removed."""
