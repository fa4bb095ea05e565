"""Relation swaps: the names stay, but the period, the direction or the roles are changed."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable
from functools import cache

from evaluation.pseudo_exam.book import Book, Sentence
from evaluation.pseudo_exam.languages import exam_language
from evaluation.pseudo_exam.swaps import shape_of
from evaluation.pseudo_exam.wording import Swap, replaced
from indexer.analysis.text import ORDINALS
from indexer.entities import Mention
from indexer.files.lists import read_word_list
from indexer.languages.language import Language

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


_CENTURY = re.compile(r"\d+")

Operation = Callable[[Sentence, random.Random], Swap | None]


class RelationSwapper:
    """Draws, for a sentence, one of the changes that it allows."""

    def __init__(self, book: Book) -> None:
        self._book = book
        pairs = _opposites(book.language)
        self._opposites = {left: right for pair in pairs for left, right in (pair, pair[::-1])}
        words = "|".join(sorted(map(re.escape, self._opposites), key=len, reverse=True))
        self._neighbours = Neighbours(book)
        bound = r"\b" if book.language.spaced else ""
        self._pattern = re.compile(f"{bound}(?:{words}){bound}", re.IGNORECASE) if words else None

    def swap(self, sentence: Sentence, rng: random.Random) -> Swap | None:
        """The sentence with a date moved, a direction turned or two roles exchanged; None without these."""
        operations: list[Operation] = [self._move_date, self._turn, self._exchange]
        rng.shuffle(operations)
        for operation in operations:
            if changed := operation(sentence, rng):
                return changed
        return None

    def _turn(self, sentence: Sentence, rng: random.Random) -> Swap | None:
        matches = list(self._pattern.finditer(sentence.text)) if self._pattern else []
        matches = [
            m
            for m in matches
            if not any(n.start < m.end() and m.start() < n.end for n in sentence.mentions)
            and self._neighbours.fits(sentence.text, m.start(), m.end(), self._opposites[m.group().lower()])
        ]
        if not matches:
            return None
        match = rng.choice(matches)
        new = self._opposites[match.group().lower()]
        new = new.capitalize() if match.group()[0].isupper() else new
        return replaced(sentence.text, match.start(), match.end(), new, "direction")

    def _move_date(self, sentence: Sentence, rng: random.Random) -> Swap | None:
        dates = [m for m in sentence.mentions if m.span]
        if len(dates) != 1:
            return None
        new = _moved(dates[0], rng)
        return replaced(sentence.text, dates[0].start, dates[0].end, new, "date") if new else None

    def _exchange(self, sentence: Sentence, rng: random.Random) -> Swap | None:
        pairs = [
            (left, right)
            for place, left in enumerate(sentence.mentions)
            for right in sentence.mentions[place + 1 :]
            if self._have_roles(sentence, left, right)
        ]
        if not pairs:
            return None
        left, right = rng.choice(pairs)
        text = sentence.text
        new = right.surface + text[left.end : right.start] + left.surface
        return replaced(text, left.start, right.end, new, "roles")

    def _have_roles(self, sentence: Sentence, left: Mention, right: Mention) -> bool:
        first, second = self._book.names[left.key], self._book.names[right.key]
        between = sentence.text[left.end : right.start]
        if left.key == right.key or first.kind != second.kind or first.kind in ("other", "year"):
            return False
        language = self._book.language
        if shape_of(first, left.surface, language) != shape_of(second, right.surface, language):
            return False
        return exam_language(language).gives_roles(between)


def _opposites(language: Language) -> list[list[str]]:
    """Pairs of words that turn a statement round; an empty list for a language without them."""
    name = exam_language(language).OPPOSITES
    return [line.split() for line in read_word_list(__package__, name)] if name else []


_ORDINAL_WORDS = list(ORDINALS)[:20]


def _moved(date: Mention, rng: random.Random) -> str | None:
    """The date written as before, one to four centuries or 30 to 150 years away."""
    if date.span is None:
        return None
    sign = rng.choice((-1, 1))
    if date.span[1] - date.span[0] >= 99:
        word = re.match(r"[A-Za-z]+(?:-first)?", date.surface)
        centuries = sign * rng.randint(1, 4)
        if word:
            place = _ORDINAL_WORDS.index(word.group().lower()) if word.group().lower() in _ORDINAL_WORDS else -99
            if not 0 <= place + centuries < len(_ORDINAL_WORDS):
                return None
            new = _ORDINAL_WORDS[place + centuries]
            new = new.capitalize() if word.group()[0].isupper() else new
            return new + date.surface[word.end() :]
        step = centuries
    else:
        step = sign * rng.randint(30, 150)
        if date.span[1] > date.span[0]:
            step = step // 10 * 10
    number = _CENTURY.search(date.surface)
    if not number or "," in date.surface:
        return None
    last = max(map(abs, date.span))
    if int(number.group()) not in (*map(abs, date.span), last // 100):
        return None  # 昭和20年 and the end of 1914-18年 are not written as the years that they are
    value = int(number.group()) + step
    if value < 1 or (value > 2020 and date.span[0] > 0) or len(str(value)) != len(number.group()):
        return None
    return date.surface[: number.start()] + str(value) + date.surface[number.end() :]
