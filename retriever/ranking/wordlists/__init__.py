"""Word lists of the rankers: data files, each with a line on where it comes from."""

from __future__ import annotations

from importlib.resources import files


def word_list(name: str) -> list[str]:
    """The lines of a list, without empty ones and those that begin with #."""
    text = files(__name__).joinpath(name).read_text("utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]
