"""What a name of a statement was taken for, where a reader would not see it at once."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import permutations

_ACCENT = re.compile("[\u0300-\u036f]")
_WORD = re.compile(r"[^\W_]+")
_SMALL = frozenset(("a", "an", "and", "of", "s", "the"))
_STEM = 4  # letters that a word and its form in a key begin with alike (Sicilian, sicily)
_MOST_WORDS = 6


@lru_cache(10_000)  # the choices of a question say some of the same names
def link(said: str, key: str) -> str:
    """The name of the index that `said` was linked to, "" where that is plainly the same.

    A key in quotation marks is none of the index's names: it stands for the sentences that hold all these words, which
    may be some of those said.
    Keys of dates (`y:1453`) say nothing more than the date does.
    """
    if key.startswith("y:"):
        return ""
    if key.startswith("“"):
        return _looked_up(said, key.strip("“”"))
    return "" if _alike(_words(said), _words(key)) else key


def _looked_up(said: str, key: str) -> str:
    """How words that are no name were looked up: all those said, or only some of them."""
    wanted = _words(key)
    words = [word for word in _WORD.findall(said) if _words(word)]
    held = [word for word in words if any(_begin_alike(_words(word)[0], one) for one in wanted)]
    if len(held) == len(words) or not held:
        return "looked up as plain words" if len(words) > 1 else "looked up as a plain word"
    return f"looked up by “{' '.join(held)}” only"


def _words(text: str) -> list[str]:
    letters = _ACCENT.sub("", unicodedata.normalize("NFKD", text.casefold()))
    return [word for word in _WORD.findall(unicodedata.normalize("NFKC", letters)) if word not in _SMALL]


def _alike(one: list[str], other: list[str]) -> bool:
    """Whether each word of the one begins like a word of the other, whatever their order."""
    if "".join(one) == "".join(other):
        return True
    if len(one) != len(other) or len(one) > _MOST_WORDS:
        return False
    return any(all(map(_begin_alike, one, order)) for order in permutations(other))


def _begin_alike(one: str, other: str) -> bool:
    least = min(len(one), len(other))
    return one == other or (least >= _STEM and one.isascii() and one[:_STEM] == other[:_STEM])
