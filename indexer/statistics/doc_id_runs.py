"""doc_ids that count up, written as runs: those of a book's hundred thousand paragraphs are a few numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

_NUMBERED = re.compile(r"(.*?)([0-9]{0,15})", re.DOTALL)


class Run(NamedTuple):
    """`size` doc_ids of the same `beginning`, behind it the next number in each, from `first`, `width` digits wide."""

    beginning: str
    width: int
    first: int
    size: int


def run_of(doc_id: str) -> Run:
    """A doc_id alone."""
    found = _NUMBERED.fullmatch(doc_id)
    assert found is not None  # noqa: S101 - whatever has no number has an empty one
    return Run(found[1], len(found[2]), int(found[2] or 0), 1)


def joined(runs: Iterable[Run]) -> list[Run]:
    """Runs one after the other, those made one that go on with each other."""
    found: list[Run] = []
    for run in runs:
        last = found[-1] if found else None
        if last and run.width and last[:2] == run[:2] and last.first + last.size == run.first:
            found[-1] = last._replace(size=last.size + run.size)
        else:
            found.append(run)
    return found


def doc_id_at(runs: Sequence[Run], place: int) -> str:
    """The doc_id at a place, from 0. IndexError beyond the last."""
    for run in runs:
        if place < run.size:
            return run.beginning + (f"{run.first + place:0{run.width}}" if run.width else "")
        place -= run.size
    raise IndexError("there are fewer doc_ids")
