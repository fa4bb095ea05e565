"""Word lists of the rankers: data files, each with a line on where it comes from."""

from __future__ import annotations

from indexer.files.lists import listed


def word_list(name: str) -> list[str]:
    """The lines of a list, without empty ones and those that begin with #."""
    return listed(__name__, name)
