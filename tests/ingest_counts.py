"""Counts of a build's summary, whatever its words."""

from __future__ import annotations

import re


def records(said: str) -> tuple[int, int, int]:
    """The records that a build's summary says were read, used and rejected."""
    return _numbers(said, "records", 3)


def documents(said: str) -> tuple[int, ...]:
    """The documents that a build's summary says were made, indexed, without terms, and left out as
    asked, if any."""
    return _numbers(said, "documents", 4)


def _numbers(said: str, about: str, most: int) -> tuple[int, ...]:
    (line,) = (line for line in said.splitlines() if line.startswith(f"{about}: "))
    line = re.sub(r"\(.*?\)", "", line)
    return tuple(int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*", line)[:most])
