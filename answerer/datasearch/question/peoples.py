"""Countries under their names, the people and adjectives of them, and codes: "the only Cuban" and Cuba are the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from answerer.datasearch.question.words import words
from indexer.files.lists import listed


class Called(NamedTuple):
    """A country as a question calls it, and what else tables call it; all as words between blanks."""

    name: str
    others: tuple[str, ...]


def _read() -> dict[str, tuple[str, ...]]:
    """For each name that a question may use the others of that country, from `peoples.tsv`."""
    found: dict[str, tuple[str, ...]] = {}
    for line in listed(__package__, "peoples.tsv"):
        names, _, codes = line.partition("\t")
        spoken = [" ".join(words(name)) for name in names.split(", ")]
        known = list(dict.fromkeys([*spoken, *(" ".join(words(code)) for code in codes.split(", ") if code)]))
        for name in spoken:
            found[name] = tuple(other for other in known if other != name)
    return found


_OTHERS = _read()
_LONGEST = max(name.count(" ") for name in _OTHERS) + 1


def countries(found: tuple[str, ...]) -> Iterator[Called]:
    """The countries that words name, in their order, the longest name at each place."""
    start = 0
    while start < len(found):
        for size in range(_LONGEST, 0, -1):
            name = " ".join(found[start : start + size])
            if name in _OTHERS:
                yield Called(name, _OTHERS[name])
                break
        start += size
