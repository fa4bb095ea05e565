"""Corpora in, an index out.

From Python: `build_textbook(files or documents, "books/mine", language="en")` gives an `Index`, the record of what was
built; `retriever.open_index` opens it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from indexer.building import build_datasets, build_tables, build_textbook, build_triples
    from indexer.files.errors import UserError
    from indexer.index import Index
else:
    from indexer.lazy import lazily

    __getattr__, __dir__ = lazily(
        __name__,
        {
            "indexer.building": "build_datasets build_tables build_textbook build_triples",
            "indexer.files.errors": "UserError",
            "indexer.index": "Index",
        },
    )

__all__ = ["Index", "UserError", "build_datasets", "build_tables", "build_textbook", "build_triples"]
