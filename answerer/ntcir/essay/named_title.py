"""The title that a question states whole: its section is what the question is about."""

from __future__ import annotations

from collections.abc import Iterable

from indexer.analysis import Analyser


def named_title(asked: str, titles: Iterable[str], analyser: Analyser) -> str:
    """The title of most terms that stands in a text as it is written, whole words of it; "" where none does.

    Of titles of equally many terms the longest, then the first in order of code points.
    """
    asked_terms = analyser.terms(asked)
    named = []
    for title in {title for title in titles if title and title in asked}:
        terms = analyser.terms(title)
        if terms and _holds(asked_terms, terms):
            named.append((-len(terms), -len(title), title))
    return min(named)[-1] if named else ""


def _holds(terms: list[str], run: list[str]) -> bool:
    return any(terms[start : start + len(run)] == run for start in range(len(terms) - len(run) + 1))
