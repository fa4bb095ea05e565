"""MeCab with ipadic; the words of the last text are kept, for its terms and its names are read one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import MeCab

# ipadic's numbers of the parts of speech (its pos-id.def), much quicker to read than their names.
NOUNS = frozenset(range(36, 68))  # 名詞
PROPER_NOUNS = frozenset(range(41, 48))  # 名詞,固有名詞


def tagger() -> MeCab.Tagger:
    """A tagger of its own with ipadic."""
    import ipadic
    import MeCab

    return MeCab.Tagger(ipadic.MECAB_ARGS)


class Parser:
    """One dictionary, read once a process."""

    def __init__(self) -> None:
        self._tagger = tagger()
        self._text: str | None = None
        self._first: MeCab.Node | None = None

    def words(self, text: str) -> MeCab.Node | None:
        """The first of a text's words, which lead to each other by `next`; good until the next text is parsed."""
        if text != self._text:
            self._first = self._tagger.parseToNode(text)
            self._text = text
        return self._first


@cache
def parser() -> Parser:
    """The parser that everything in this process shares."""
    return Parser()


def nodes(text: str) -> Iterator[MeCab.Node]:
    """The words of a text, but for the marks of its beginning and end; good until the next text is parsed."""
    node = parser().words(text)
    while node:
        if node.surface:
            yield node
        node = node.next


def surfaces(text: str) -> list[str]:
    """The words of a text as they are written, without white space."""
    return [word for node in nodes(text) for word in node.surface.split()]
