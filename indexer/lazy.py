"""Lazy names of a package: each loads its module when it is first used, so that an import costs nothing."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping


def lazily(package: str, modules: Mapping[str, str]) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Makes a package's `__getattr__` and `__dir__`, which import a module when one of its names is first used.

    `modules` maps a module to its names, separated by blanks. `__getattr__` raises AttributeError for any other name.
    """
    module_of = {name: module for module, names in modules.items() for name in names.split()}

    def load(name: str) -> object:
        """Imports the module that holds a name, and stores the name's value in the package."""
        if name not in module_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value: object = getattr(importlib.import_module(module_of[name]), name)
        setattr(sys.modules[package], name, value)
        return value

    return load, lambda: sorted(module_of)
