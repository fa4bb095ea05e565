"""Named-entity recognition: people, places, peoples, periods and years in a text, each with a
folded key and its kind."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal, NamedTuple, get_args

Kind = Literal["person", "place", "people", "period", "year", "other"]
KINDS: tuple[Kind, ...] = get_args(Kind)


class Mention(NamedTuple):
    """An occurrence of a name: `sentence[start:end] == surface`; `key` is its folded form, equal
    for all its spellings.

    `sure` is False if the capital letter may only be that of the sentence's beginning. `span` is
    the first and last year of a date, None for other names. `hint` is the kind that a dictionary
    gives, `years` the first and last year that a glossary gives.
    """

    start: int
    end: int
    surface: str
    key: str
    sure: bool = True
    span: tuple[int, int] | None = None
    hint: Kind | None = None
    years: tuple[int, int] | None = None

    def overlaps_any(self, others: Iterable[Mention]) -> bool:
        """Returns whether this mention shares a character with one of the others."""
        start, end = self.start, self.end
        for other in others:  # noqa: SIM110 (`any` takes thrice the time, for every name of a text)
            if start < other.end and other.start < end:
                return True
        return False


def date_mention(sentence: str, start: int, end: int, span: tuple[int, int]) -> Mention:
    """A mention of a date, `sure`; its key is y:1914 for one year, y:1914..1918 for a longer span
    (first and last year, negative before Christ)."""
    key = f"y:{span[0]}" if span[0] == span[1] else f"y:{span[0]}..{span[1]}"
    return Mention(start, end, sentence[start:end], key, True, span)


EDGE = "<edge>"
"""Neighbour of a name that begins or ends its text; no word, for words have no such signs."""

_REACH = 60  # characters that a word has at most
_UNPARTED = (
    "\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f"  # kana and Han
)
_WORD = re.compile(rf"\s*([^\W{_UNPARTED}]+|\S)")


def neighbour_words(text: str, start: int, end: int) -> tuple[str, str]:
    """The words right before and right after text[start:end], in lower case, cut to 60 characters
    with the blanks between; a sign, and a character of kana or Han, is a word. `EDGE` for none."""
    before = _WORD.match(text[max(0, start - _REACH) : start][::-1])
    after = _WORD.match(text, end, end + _REACH)
    return before[1][::-1].lower() if before else EDGE, after[1].lower() if after else EDGE
