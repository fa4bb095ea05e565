"""Corpora in, an index out.

From Python: `build_textbook(files or documents, "books/mine", language="en")` gives a `BuiltIndex`,
the record of what was built; `retriever.open_index` opens it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from indexer.api import (
        build_collection,
        build_datasets,
        build_reports,
        build_tables,
        build_textbook,
        build_triples,
    )
    from indexer.build import BuiltIndex
    from indexer.files.errors import UserError
else:

    def __getattr__(name: str) -> object:
        from indexer.lazy import load_name

        modules = {
            ".api": "build_collection build_datasets build_reports build_tables build_textbook "
            "build_triples",
            ".build": "BuiltIndex",
        }
        return load_name(__name__, modules, name)

    def __dir__() -> list[str]:
        return __all__


__all__ = [
    "BuiltIndex",
    "UserError",
    "build_collection",
    "build_datasets",
    "build_reports",
    "build_tables",
    "build_textbook",
    "build_triples",
]
