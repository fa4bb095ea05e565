"""What all languages share: normal form, names that stay whole, sentence ends."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence

TERM_LIMIT = 255  # characters; Elasticsearch's whitespace tokenizer cuts longer ones


def normalise(text: str) -> str:
    """NFKC, lower case, no NUL (MeCab would stop there)."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    return text.lower().replace("\0", " ")


def clean_term(term: str) -> str:
    """A term that both engines take as one: no blanks inside, at most 255 characters; "" when nothing is left."""
    if len(term) > TERM_LIMIT:
        term = term[:TERM_LIMIT]
    pieces = term.split()
    return term if len(pieces) == 1 and len(pieces[0]) == len(term) else "".join(pieces)


def name_pattern(names: Iterable[str]) -> re.Pattern[str] | None:
    """A pattern that finds the longest of the names at any place, fast for thousands; None without names."""
    tree: dict[str, dict] = {}  # type: ignore[type-arg]
    for name in sorted({normalise(name) for name in names} - {""}):
        node = tree
        for character in name:
            node = node.setdefault(character, {})
        node[""] = {}
    return re.compile(_branches(tree)) if tree else None


def _branches(node: dict[str, dict]) -> str:  # type: ignore[type-arg]
    ways = [re.escape(c) + _branches(below) for c, below in sorted(node.items()) if c]
    if not ways:
        return ""
    body = ways[0] if len(ways) == 1 else f"(?:{'|'.join(ways)})"
    return f"(?:{body})?" if "" in node else body


def split_sentences(text: str, ends: re.Pattern[str], is_end: Callable[[str, int], bool] | None = None) -> list[str]:
    """The pieces of a text up to and with each end, and at line breaks; stripped, none empty.

    A piece of punctuation alone belongs to the sentence before it.
    """
    found: list[str] = []
    for piece in _pieces(text, ends, is_end):
        if found and not any(map(str.isalnum, piece)):
            found[-1] += piece
        elif piece:
            found.append(piece)
    return found


def _pieces(text: str, ends: re.Pattern[str], is_end: Callable[[str, int], bool] | None) -> Iterator[str]:
    for line in text.splitlines():
        start = 0
        for match in ends.finditer(line):
            if is_end is None or is_end(line, match.end()):
                yield line[start : match.end()].strip()
                start = match.end()
        yield line[start:].strip()


def words_of(lines: Sequence[str]) -> frozenset[str]:
    """A word list's words: one a line, `#` starts a comment."""
    return frozenset(word for line in lines if (word := line.split("#")[0].strip()))
