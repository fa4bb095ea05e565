"""Counts of a build's summary, whatever its words."""

from __future__ import annotations

import re


def records(said: str) -> tuple[int, int, int]:
    """The records that a build's summary says were read, used and rejected."""
    read, *rest = _numbers(said, "read")
    return (read, *rest) if len(rest) == 2 else (read, read, 0)


def indexed(said: str) -> dict[str, int]:
    """The units that a build's summary says are indexed, by their names."""
    line = _line(said, "indexed")
    return {name: int(count) for count, name in re.findall(r"(\d+) (\w+)", line)}


def _numbers(said: str, about: str) -> list[int]:
    line = re.sub(r"\(.*?\)", "", _line(said, about))
    return [int(number) for number in re.findall(r"\d+", line)]


def _line(said: str, about: str) -> str:
    (line,) = (line for line in said.splitlines() if line.startswith(f"{about}: "))
    return line.replace(",", "") if about == "read" else line
