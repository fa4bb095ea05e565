"""The names that a room offers: each loads its module when it is first asked for, so that an import costs nothing."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping


def lazily(room: str, homes: Mapping[str, str]) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """A `__getattr__` and a `__dir__` for a room: `homes` has the names that each module holds, with blanks between
    them. AttributeError for any other name."""
    home_of = {name: module for module, names in homes.items() for name in names.split()}

    def load(name: str) -> object:
        if name not in home_of:
            raise AttributeError(f"module {room!r} has no attribute {name!r}")
        value: object = getattr(importlib.import_module(home_of[name]), name)
        setattr(sys.modules[room], name, value)
        return value

    return load, lambda: sorted(home_of)
