"""An index that a function is given: open already, or an address, where it is opened for the
function's time."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Union

from indexer.address import Location
from indexer.engines.contract import Index
from indexer.engines.opening import open_index, require
from indexer.files.validation import validate_path

if TYPE_CHECKING:
    from indexer.build import BuiltIndex
    from indexer.languages.language import Language
    from retriever.search import OpenIndex

Address = Union[str, os.PathLike[str], Location, "BuiltIndex"]
AnyIndex = Union[Address, "OpenIndex", Index]
"""An index to ask: one that is open, one that was built, or an address."""


@contextmanager
def using_index(
    index: AnyIndex, kind: str | None = None, language: Language | None = None
) -> Iterator[Index]:
    """Context manager that yields an index under the engines' contract: that of an open index,
    which stays open; else the index at an address, which is opened, and closed at the end.

    Raises UserError as `open_index` does, and for an index of another `kind` or `language` than
    required.
    """
    target: Any = getattr(index, "engine_index", index)  # of an `OpenIndex`
    if isinstance(target, Index):
        require(target, kind, language)
        yield target
        return
    opened = open_index(as_address(target), kind, language)
    try:
        yield opened
    finally:
        opened.close()


def as_address(address: Address) -> str | Location:
    """The address as a string: strings and locations unchanged; of a built index its address; a
    path as a folder, with ./ before a bare name, so that it is not taken for an index on a server.
    """
    if isinstance(address, str | Location):
        return address
    if not isinstance(address, os.PathLike):
        from indexer.build import BuiltIndex

        if isinstance(address, BuiltIndex):
            return address.address
    path = validate_path(address, "index")
    return path if "/" in path else f"./{path}"
