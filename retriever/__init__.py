"""Keywords in, ranked hits out.

From Python: `open_index("books/mine").search("Who built the Taj Mahal?", k=3)` gives a list of
`Hit`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from indexer.files.errors import UserError
    from retriever.explain import Evidence
    from retriever.rankings import Rankings
    from retriever.search import Hit, Hits, OpenIndex, open_index
    from retriever.topics import Topic, read_topics
else:

    def __getattr__(name: str) -> object:
        from indexer.lazy import load_name

        modules = {
            ".explain": "Evidence",
            ".rankings": "Rankings",
            ".search": "Hit Hits OpenIndex open_index",
            ".topics": "Topic read_topics",
        }
        return load_name(__name__, modules, name)

    def __dir__() -> list[str]:
        return __all__


__all__ = [
    "Evidence",
    "Hit",
    "Hits",
    "OpenIndex",
    "Rankings",
    "Topic",
    "UserError",
    "open_index",
    "read_topics",
]
