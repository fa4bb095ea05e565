"""Versions of the packages that made something: an index, an answer."""

from __future__ import annotations

import platform
import shlex
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, requires, version

OURS = "classical-qa"


def versions(packages: Iterable[str]) -> dict[str, str]:
    """The version of this program, of Python and of each package (by its name on PyPI), in the order of the names.

    Nothing is imported. Packages that are not installed are left out; so is this program, run from a checkout.
    """
    found = {"python": platform.python_version()}
    for package in {OURS, *packages}:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return dict(sorted(found.items()))


def install_hint(extra: str) -> str:
    """The command that installs the packages of an extra, wherever this program came from: it is on no registry."""
    try:
        declared = requires("classical-qa") or []
    except PackageNotFoundError:  # a checkout that is only on the path
        declared = []
    wanted = [one.partition(";")[0].strip() for one in declared if f"'{extra}'" in one.replace('"', "'")]
    return shlex.join(["pip", "install", *(wanted or ["-e", f".[{extra}]"])])


def own_version() -> str:
    """The version that is installed; "(not installed)" for a checkout that is only on the path."""
    try:
        return version("classical-qa")
    except PackageNotFoundError:
        return "(not installed)"
