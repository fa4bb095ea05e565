"""Signals in plain words: what each is about, those of one family added up."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple


class Part(NamedTuple):
    """What one family of signals added, or holds, in words."""

    words: str
    value: float


def number(value: object) -> float:
    """A number of a trace. TypeError for anything else: Python would take the text "inf" for one, too."""
    if type(value) is float:  # as nearly all are
        return value
    if not isinstance(value, int | float):
        raise TypeError(f"{value!r} is no number")
    return float(value)


def parts(task: str, signals: Mapping[str, float]) -> list[Part]:
    """The signals by family, those of one family added up, the strongest first; families that add nothing are left out.

    A signal that no line of signals.tsv knows stands under its own name.
    """
    sums: dict[str, float] = {}
    for name, value in signals.items():
        words = _words(task, name)
        sums[words] = sums.get(words, 0.0) + value
    return sorted((Part(words, value) for words, value in sums.items() if value), key=lambda one: -abs(one.value))


@cache
def _words(task: str, signal: str) -> str:
    return next(
        (words for known, pattern, words in _lines() if known in (task, "*") and pattern.fullmatch(signal)), signal
    )


@cache
def _lines() -> list[tuple[str, re.Pattern[str], str]]:
    text = files(__package__).joinpath("signals.tsv").read_text("utf-8")
    rows = [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]
    return [(task, re.compile(re.escape(pattern).replace("…", ".*")), words) for task, pattern, words in rows]
