"""Search for given names in a text: a user's glossary, the names of a word list."""

from __future__ import annotations

from collections.abc import Iterable

import ahocorasick

from indexer.analysis.text import normalise


def is_whole(text: str, start: int, end: int) -> bool:
    """Returns whether no letter or digit, kana and Han among them, is right before or behind
    text[start:end]: whether it is a whole word, in languages that separate words by blanks."""
    return not text[max(0, start - 1) : start].isalnum() and not text[end : end + 1].isalnum()


class NameFinder:
    """Finds names, which it normalises, in normalised text in one pass, whatever their number:
    leftmost first, the longest at each position, without overlaps. Blank names are left out."""

    def __init__(self, names: Iterable[str]) -> None:
        self._automaton = ahocorasick.Automaton()
        for name in dict.fromkeys(map(normalise, names)):
            if name.strip():
                self._automaton.add_word(name, len(name))
        if self._automaton:
            self._automaton.make_automaton()

    def whole(self, sentence: str) -> list[tuple[int, int]]:
        """Start and end of each name that occurs in a sentence, in any case, as whole words, in
        order; [] if the sentence has another length in lower case."""
        folded = sentence.lower()
        if not self._automaton or not folded or len(folded) != len(sentence):
            return []
        hits = [(last + 1 - length, last + 1) for last, length in self._automaton.iter(folded)]
        # leftmost, then longest
        spans: list[tuple[int, int]] = []
        for start, end in sorted(hits, key=lambda hit: (hit[0], -hit[1])):
            if is_whole(sentence, start, end) and (not spans or spans[-1][1] <= start):
                spans.append((start, end))
        return spans

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Start and end of each name in a normalised text, in order, not overlapping."""
        if not self._automaton or not text:
            return []
        return [(last + 1 - length, last + 1) for last, length in self._automaton.iter_long(text)]
