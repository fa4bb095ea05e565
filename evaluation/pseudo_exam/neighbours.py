"""Which words a book puts side by side: what it never says so, though chance alone would, is broken language."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

from evaluation.pseudo_exam.book import Book

_EXPECTED = 1.0  # times that chance alone puts two words side by side: from here on to be never there says something


class Neighbours:
    """The words of a book, or its signs where words are not parted: there one may be a part of a longer word."""

    def __init__(self, book: Book) -> None:
        self._spaced = book.language.spaced
        self._token = re.compile(r"\w+|[^\w\s]" if self._spaced else r"\S")
        tokens = [token for sentence in book.sentences for token in self._token.findall(sentence.text.lower())]
        self._counts, self._size = Counter(tokens), max(1, len(tokens))
        self._between = " " if self._spaced else ""
        self._text = self._joined(*tokens)
        self._broken = cache(self._never_beside)

    def fits(self, text: str, start: int, end: int, new: str) -> bool:
        """Whether `new` can take the place of what stands at [start, end), by the words right before and after it."""
        before, after = self._token.findall(text[:start])[-1:], self._token.findall(text[end:])[:1]
        return not any(self._broken(word.lower(), new) for word in before) and not any(
            self._broken(new, word.lower()) for word in after
        )

    def _never_beside(self, first: str, second: str) -> bool:
        if self._spaced and self._counts[first] * self._counts[second] / self._size < _EXPECTED:
            return False
        return self._joined(first, second) not in self._text

    def _joined(self, *words: str) -> str:
        return self._between + self._between.join(words) + self._between
