"""Keywords in, ranked hits out.

From Python: `open_index("books/mine").search("Who built the Taj Mahal?", k=3)` gives a list of
`Hit`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from indexer.files.errors import UserError
    from retriever.explain import Evidence
    from retriever.search import Hit, Hits, OpenIndex, open_index
else:

    def __getattr__(name: str) -> object:
        from indexer.lazy import load_name

        modules = {
            "indexer.files.errors": "UserError",
            ".explain": "Evidence",
            ".search": "Hit Hits OpenIndex open_index",
        }
        return load_name(__name__, modules, name)

    def __dir__() -> list[str]:
        return __all__


__all__ = ["Evidence", "Hit", "Hits", "OpenIndex", "UserError", "open_index"]
