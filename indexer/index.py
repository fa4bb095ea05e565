"""What Python gets of a build: the index that now stands at an address, and what became of the records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from indexer.engines.contract import Metadata
from indexer.engines.metadata import described
from indexer.ingest_report import IngestReport
from indexer.location import without_passwords


@dataclass(frozen=True, repr=False)
class Index:
    """An index that was built: a record to pass on, nothing that is open (`retriever.open_index` opens it).

    `read` records were read, `rejected` of them are not used; the first few of these stand in `examples`.
    """

    address: str
    metadata: Metadata
    read: int
    rejected: int
    examples: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """`textbook`, `triples`, `tables` or `datasets`."""
        return self.metadata.kind

    @property
    def language(self) -> str | None:
        """The code of its language; None where its documents have each their own."""
        return self.metadata.language.code if self.metadata.language else None

    @property
    def documents(self) -> Mapping[str, int]:
        """How many documents each of its parts holds."""
        return self.metadata.documents

    @property
    def used(self) -> int:
        """How many of the records read are used."""
        return self.read - self.rejected

    def __repr__(self) -> str:
        return described(without_passwords(self.address), self.metadata)


def built(address: str, metadata: Metadata, tally: IngestReport) -> Index:
    """The record of a build that has ended well."""
    return Index(address, metadata, tally.read, tally.rejected, tuple(tally.examples))
