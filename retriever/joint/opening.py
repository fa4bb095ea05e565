"""From several addresses to one index to ask: opened, made sure to be alike, joined."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from indexer.address import open_index, require
from indexer.engines.contract import Index
from indexer.files.errors import UserError
from indexer.files.messages import warn
from indexer.languages.language import Language
from indexer.location import Location, locate
from retriever.joint.index import joint_index


def open_indexes(addresses: Sequence[str], kind: str | None = None, language: Language | None = None) -> Index:
    """What the addresses name, as one index (of one address that very index).

    UserError, one line: what `open_index` says of each, an address twice, and what `join` refuses.
    """
    refuse_doubles(addresses)
    opened: list[Index] = []
    try:
        opened += (open_index(address) for address in addresses)
        joined = join(opened)
        for one in opened:
            require(one, kind, language)
    except UserError:
        for one in opened:
            one.close()
        raise
    return joined


def join(indexes: Sequence[Index]) -> Index:
    """Open indexes as one; of one that very index.

    UserError where two differ in kind or language. A warning where two were built from the same files.
    """
    if len(indexes) == 1:
        return indexes[0]
    for first, second in combinations(indexes, 2):
        for name in ("kind", "language"):
            one, other = getattr(first.metadata, name), getattr(second.metadata, name)
            if one != other:
                raise UserError(
                    f"the index {first.address} is of the {name} '{one}', {second.address} of '{other}': ask together "
                    f"only indexes of one {name}"
                )
        _tell_shared(first, second)
    return joint_index(indexes)


def _tell_shared(first: Index, second: Index) -> None:
    """A warning that names a file that both indexes were built from."""
    shared = [name for name, size in first.metadata.sources if (name, size) in second.metadata.sources]
    if shared:
        more = f" and {len(shared) - 1} more" if len(shared) > 1 else ""
        warn(f"the indexes {first.address} and {second.address} hold the same documents, of {shared[0]}{more}")


def refuse_doubles(addresses: Sequence[str]) -> None:
    """UserError where two addresses are one place."""
    places: dict[object, str] = {}  # each with what may be shown of it
    for address in addresses:
        location = locate(address)
        place, shown = _place(location), location.shown
        if place in places:
            both = shown if places[place] == shown else f"{places[place]} and {shown}"
            raise UserError(f"--index {both}: the same index twice; name each once")
        places[place] = shown


def _place(location: Location) -> object:
    if location.folder is not None:
        return location.folder.resolve()
    return frozenset(location.servers), location.name
