"""English questions and candidates made ready for features: tokens, stems and their overlaps, computed once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from indexer.formats.candidate_lists import CandidateList
from retriever.learning.lists import Layout, layout
from retriever.ranking.english.words import Words, read_words
from retriever.ranking.overlap import BLOCK, FileCounts, Overlap, Tokens, consecutive, file_counts, overlap

View = Callable[[Tokens], Tokens]


@dataclass(frozen=True)
class EnglishTexts:
    """Lists as term numbers; every overlap is computed when it is first asked for.

    They are a file, or a block of it: then `whole` is the file, whose counts say how common a term is.
    """

    lists: Layout
    question_texts: Sequence[str]
    candidate_texts: Sequence[str]
    words: Words
    questions: Tokens
    candidates: Tokens
    topics: Tokens
    whole: EnglishTexts | None = None
    _counted: dict[str, FileCounts] = field(default_factory=dict)

    def blocks(self) -> Iterator[EnglishTexts]:
        """The lists in their order, so many at a time that features of them fit into memory."""
        for block in self.lists.blocks(BLOCK):
            rows = self.lists.rows_of(block)
            yield EnglishTexts(
                layout(self.lists.sizes[block.start : block.stop].tolist()),
                self.question_texts[block.start : block.stop],
                self.candidate_texts[rows.start : rows.stop],
                self.words,
                self.questions.between(block.start, block.stop),
                self.candidates.between(rows.start, rows.stop),
                self.topics.between(block.start, block.stop),
                self,
            )

    @cached_property
    def all_stems(self) -> Overlap:
        """Every stem, stop words too."""
        return self._overlap("all stems", self._stems)

    @cached_property
    def content(self) -> Overlap:
        """Stems of content words."""
        return self._overlap("content", self._content)

    @cached_property
    def related(self) -> Overlap:
        """Groups of related words (a word without a group is its stem)."""
        return self._overlap("related", self._groups)

    @cached_property
    def content_all(self) -> Overlap:
        """Content stems matched at their place among all tokens of the rows."""
        return self._overlap("content at its place", self._content, self._stems_or_none)

    @cached_property
    def characters(self) -> Overlap:
        """Runs of four characters of content words, their ends marked."""
        return self._overlap("characters", self.words.letters)

    @cached_property
    def pairs(self) -> Overlap:
        """Two stems in a row, stop words too."""
        return self._overlap("pairs", self._pairs)

    def _stems(self, side: Tokens) -> Tokens:
        return self.words.view(side, self.words.stem)

    def _content(self, side: Tokens) -> Tokens:
        return self._stems(side).only(~self.words.is_stop[side.ids])

    def _groups(self, side: Tokens) -> Tokens:
        return self.words.view(side, self.words.group).only(~self.words.is_stop[side.ids])

    def _stems_or_none(self, side: Tokens) -> Tokens:
        return self.words.view(side, np.where(self.words.is_stop, -1, self.words.stem))

    def _pairs(self, side: Tokens) -> Tokens:
        return consecutive(self._stems(side), 2, len(self.words.stems) + 1)

    def _overlap(self, name: str, view: View, of_rows: View | None = None) -> Overlap:
        """The terms that a view gives of the questions and, unless it has its own, of the rows."""
        of_rows = of_rows or view
        counted = None
        if self.whole is not None and self.whole.lists.rows > self.lists.rows:
            counted = self.whole.counted(name, view, of_rows)
        return overlap(view(self.questions), of_rows(self.candidates), self.lists, counted)

    def counted(self, name: str, view: View, of_rows: View) -> FileCounts:
        """How common the terms of a view are in all lists; counted once a view."""
        if name not in self._counted:
            blocks = (of_rows(block.candidates) for block in self.blocks())
            self._counted[name] = file_counts(view(self.questions), blocks)
        return self._counted[name]


def english_texts(lists: Sequence[CandidateList]) -> EnglishTexts:
    """Tokenise the lists, which all have candidates."""
    questions = [one.question for one in lists]
    candidates = [candidate for one in lists for candidate in one.candidates]
    words, (asked, rows, topics) = read_words(questions, candidates, [one.topic for one in lists])
    places = layout([len(one.candidates) for one in lists])
    return EnglishTexts(places, questions, candidates, words, asked, rows, topics)
