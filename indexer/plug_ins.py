"""What other distributions add to a registry, by entry points of the registry's shape."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from importlib.metadata import EntryPoint, entry_points
from typing import TypeVar

from indexer.files.errors import one_line
from indexer.files.messages import warn

Entry = TypeVar("Entry")
_NAME = re.compile("[a-z][a-z0-9-]*")


def plug_ins(group: str, taken: Collection[str]) -> dict[str, tuple[str, str]]:
    """Name → (its place, `module` or `module:attribute`; one line of help) of each entry point of a
    group, by name; the help is the first line of the docstring of what lies there, which is
    imported. One without a docstring, one of a name in `taken`, and any other that `load_entries`
    leaves out, is left out with a warning."""
    return load_entries(group, taken, place_and_help, group)


def distribution_of(group: str, name: str) -> tuple[str, str] | None:
    """Name and version of the distribution that an entry point of a group comes from; None for one
    that is not installed, or not from a distribution."""
    points = (point for point in entry_points(group=group) if point.name == name and point.dist)
    point = next(points, None)
    return (point.dist.name, point.dist.version) if point and point.dist else None


def load_entries(
    group: str, taken: Collection[str], load: Callable[[EntryPoint], Entry], noun: str
) -> dict[str, Entry]:
    """Name → what `load` makes of each entry point of a group, by name. One that cannot be loaded,
    or whose name is in `taken`, came before or is not of `a-z`, digits and hyphens, a letter first,
    is left out, with a warning that calls it `noun` and names its distribution."""
    added: dict[str, Entry] = {}
    for point in sorted(entry_points(group=group), key=lambda point: point.name):
        try:
            if point.name in taken or point.name in added:
                raise ValueError(f"the name {point.name!r} is taken")
            if not _NAME.fullmatch(point.name):
                raise ValueError(f"{point.name!r} is not of letters, digits and hyphens")
            added[point.name] = load(point)
        except Exception as error:  # any code of others may run here
            distribution = point.dist.name if point.dist else "a distribution"
            warn(f"{distribution}: {noun} {point.name} is left out ({one_line(str(error))})")
    return added


def place_and_help(point: EntryPoint) -> tuple[str, str]:
    """Loads an entry point; returns its place and the first line of its docstring. Raises
    ValueError without a docstring."""
    text = (point.load().__doc__ or "").strip()
    if not text:
        raise ValueError("no docstring, whose first line is the help")
    return point.value, text.splitlines()[0]
