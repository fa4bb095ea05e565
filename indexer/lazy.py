"""Lazy names of a package: each loads its module when it is first used, so that an import costs
nothing."""

from __future__ import annotations

import importlib
from collections.abc import Mapping


def load_name(package: str, modules: Mapping[str, str], name: str) -> object:
    """Imports the module that holds a name, stores the name's value in the package and returns it.

    `modules` maps a module, with a dot before it one of the package, to its names, separated by
    blanks; `UserError` is a name of every package. Raises AttributeError for any other name.
    """
    if name == "UserError":  # which every package offers
        from indexer.files.errors import UserError

        return UserError
    module = next((module for module, names in modules.items() if name in names.split()), None)
    if module is None:
        raise AttributeError(f"module {package!r} has no attribute {name!r}")
    value: object = getattr(importlib.import_module(module, package), name)
    setattr(importlib.import_module(package), name, value)
    return value
