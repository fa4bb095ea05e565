"""What kind of thing a word names (a person, a place, a work …), for questions and column headings alike."""

from __future__ import annotations

import re
from collections.abc import Sequence

from answerer.datasearch.question.words import words
from indexer.files.lists import read_word_list


def _read_kinds() -> dict[str, tuple[str, ...]]:
    """The kinds of each word, from `kinds.tsv`: a kind, a tab, the words that name things of it."""
    found: dict[str, tuple[str, ...]] = {}
    for line in read_word_list(__package__, "kinds.tsv"):
        kind, _, members = line.partition("\t")
        for word in words(members):
            found[word] = (*found.get(word, ()), kind)
    return found


def _read_alike() -> dict[str, frozenset[str]]:
    """The words that stand for each word, from `alike.txt`: words of a line stand for each other."""
    found: dict[str, frozenset[str]] = {}
    for line in read_word_list(__package__, "alike.txt"):
        group = words(line)
        for word in group:
            found[word] = found.get(word, frozenset()) | frozenset(group) - {word}
    return found


_KIND_OF = _read_kinds()
_ALIKE_OF = _read_alike()
_NAME = re.compile(
    r"[^\W\d_][\w.'’-]*(?: (?:van|von|de|der|da|di|al|bin|la|le|du|del))*(?: [A-Z][\w.'’-]*){1,3}(?: ?[(†*].*)?"
)


def kinds_of(found: Sequence[str]) -> frozenset[str]:
    """The kinds that words name; none for words that are not known."""
    return frozenset(kind for word in found for kind in _KIND_OF.get(word, ()))


def alike(word: str) -> frozenset[str]:
    """Words that head a column where a question uses this one."""
    return _ALIKE_OF.get(word, frozenset())


def shape(cells: Sequence[str]) -> str:
    """What most cells of a column look like: names, quoted, places (with a comma), codes, long or words."""
    filled = [cell for cell in cells[:60] if cell]
    if not filled:
        return "empty"
    half = len(filled) / 2
    if sum(cell[0] in "\"“'「『" for cell in filled) > half:
        return "quoted"
    if sum(len(cell) > 60 for cell in filled) > half:
        return "long"
    if sum("," in cell for cell in filled) > half:
        return "with commas"
    if sum(bool(_NAME.fullmatch(cell)) for cell in filled) > half:
        return "names"
    if sum(len(cell) <= 4 for cell in filled) > half:
        return "codes"
    return "words"
