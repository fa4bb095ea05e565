"""Word lists that come with the program, in the folder `wordlists` of a package: an entry a line, `#` for remarks."""

from __future__ import annotations

from importlib import resources


def read_word_list(package: str, name: str) -> list[str]:
    """The lines of a package's word list, without empty ones and those that begin with #."""
    lines = resources.files(package).joinpath("wordlists", name).read_text("utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]
