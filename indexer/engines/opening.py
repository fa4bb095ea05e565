"""Opening of an index at an address, and the engine that builds one there."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from indexer.address import Location, locate
from indexer.engines.contract import Index
from indexer.files.errors import UserError
from indexer.files.messages import LOGGER
from indexer.languages.language import Language
from indexer.registry import ANALYSIS

if TYPE_CHECKING:
    from indexer.engines.writing import Builder


def builder_for(address: str | Location) -> Builder:
    """The module that builds and manages the index of an address: of the embedded engine for a
    folder, else of Elasticsearch. Raises UserError for an invalid address."""
    if locate(address).folder is not None:
        from indexer.engines import embedded_build

        return embedded_build
    from indexer.engines import bulk

    return bulk


def open_index(
    address: str | Location,
    kind: str | None = None,
    language: Language | None = None,
    any_version: bool = False,
) -> Index:
    """Opens the index at an address with the engine that serves it; `kind` and `language` are those
    required, if any.

    Raises UserError, one line, if no index is there (the line names the indexer command and the
    environment variable), if another version's analysis made it (unless `any_version`), or if it
    was built for another kind or language; an index that is refused is closed.
    """
    location = locate(address)
    engine = "embedded" if location.folder is not None else "elasticsearch"
    index: Index = import_module(f"indexer.engines.{engine}").open_index(location)
    LOGGER.debug("opened %s (%s)", index, index.engine)
    try:
        analysis = index.metadata.settings.get("analysis")
        if not any_version and analysis not in (None, ANALYSIS.get(index.metadata.kind)):
            raise UserError(
                f"the index {index.address} was made by another version of the analysis of "
                f"{index.metadata.kind}, and its terms would not match: build it again"
            )
        if kind or language:
            require(index, kind, language)
    except UserError:
        index.close()
        raise
    return index


def require(index: Index, kind: str | None = None, language: Language | None = None) -> None:
    """Raises UserError if an open index has another kind or language than required; None requires
    nothing."""
    metadata = index.metadata
    for required, actual, what in (
        (kind, metadata.kind, "kind"),
        (language, metadata.language, "language"),
    ):
        if required is not None and required != actual:
            raise UserError(
                f"the index {index.address} is of the {what} '{actual}', this needs '{required}': "
                f"choose another with --index, or build one with the indexer"
            )
