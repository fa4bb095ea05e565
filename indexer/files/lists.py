"""Lists that come with the program as data files: one entry a line, `#` begins a line about the list."""

from __future__ import annotations

from importlib import resources


def listed(package: str, name: str) -> list[str]:
    """The lines of a package's list, without empty ones and those that begin with #."""
    lines = resources.files(package).joinpath(name).read_text("utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]
