"""Chinese questions and candidates made ready for features: characters, alone and in pairs."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from indexer.files.arrays import Float64Array
from indexer.formats.candidate_lists import CandidateList
from retriever.learning.lists import Layout, layout
from retriever.ranking.overlap import BLOCK, FileCounts, Overlap, Tokens, consecutive, file_counts, overlap

CODE_POINTS = 0x110000
_BLANKS = re.compile(r"\s+")


def normalise(text: str) -> str:
    """NFKC, lower case, without blanks."""
    return _BLANKS.sub("", unicodedata.normalize("NFKC", text).lower())


def characters(texts: Sequence[str]) -> Tokens:
    """The letters, digits and ideographs of each text, as code points."""
    lengths = np.array([len(text) for text in texts], np.int64)
    points = np.frombuffer("".join(texts).encode("utf-32-le"), np.uint32).astype(np.int64)
    rows = np.repeat(np.arange(len(texts), dtype=np.int64), lengths)
    distinct, which = np.unique(points, return_inverse=True)
    is_letter = np.array([chr(point).isalnum() for point in distinct], bool)
    keep = is_letter[which] if len(distinct) else np.zeros(0, bool)
    return Tokens(points[keep], rows[keep], len(texts))


@dataclass(frozen=True)
class ChineseTexts:
    """Lists of normalised texts; characters and overlaps are computed when they are first asked for.

    They are a file, or a block of it: then `whole` is the file, whose counts say how common a term is.
    """

    lists: Layout
    question_texts: Sequence[str]
    candidate_texts: Sequence[str]
    whole: ChineseTexts | None = None
    _counted: dict[int, FileCounts] = field(default_factory=dict)

    def blocks(self) -> Iterator[ChineseTexts]:
        """The lists in their order, so many at a time that features of them fit into memory."""
        for block in self.lists.blocks(BLOCK):
            rows = self.lists.rows_of(block)
            yield ChineseTexts(
                layout(self.lists.sizes[block.start : block.stop].tolist()),
                self.question_texts[block.start : block.stop],
                self.candidate_texts[rows.start : rows.stop],
                self,
            )

    @cached_property
    def questions(self) -> Tokens:
        """The questions' characters."""
        return characters(self.question_texts)

    @cached_property
    def candidates(self) -> Tokens:
        """The rows' characters."""
        return characters(self.candidate_texts)

    def runs(self, n: int) -> Overlap:
        """Runs of n characters."""
        sides = [consecutive(side, n, CODE_POINTS) for side in (self.questions, self.candidates)]
        counted = None
        if self.whole is not None and self.whole.lists.rows > self.lists.rows:
            counted = self.whole.counted(n)
        return overlap(sides[0], sides[1], self.lists, counted)

    def counted(self, n: int) -> FileCounts:
        """How common runs of n characters are in all lists; counted once."""
        if n not in self._counted:
            blocks = (consecutive(block.candidates, n, CODE_POINTS) for block in self.blocks())
            self._counted[n] = file_counts(consecutive(self.questions, n, CODE_POINTS), blocks)
        return self._counted[n]

    @cached_property
    def single(self) -> Overlap:
        """Characters."""
        return self.runs(1)

    @cached_property
    def pairs(self) -> Overlap:
        """Two characters in a row."""
        return self.runs(2)


def late_weight(table: Overlap, questions: Tokens, n: int) -> Float64Array:
    """(end of the run / length of the question)³ of each term, (terms,), at its last place: requests stand late."""
    runs = consecutive(questions, n, CODE_POINTS)
    lengths = np.bincount(questions.rows, minlength=questions.texts)
    counts = np.bincount(runs.rows, minlength=questions.texts)
    place = np.arange(len(runs.ids)) - (np.cumsum(counts) - counts)[runs.rows]
    share = ((place + n) / np.maximum(lengths[runs.rows], 1)) ** 3
    weight = np.zeros(len(table.term_list))
    np.maximum.at(weight, table.question_term, share)
    return weight


def chinese_texts(lists: Sequence[CandidateList]) -> ChineseTexts:
    """Normalise the lists, which all have candidates."""
    questions = [normalise(one.question) for one in lists]
    candidates = [normalise(candidate) for one in lists for candidate in one.candidates]
    return ChineseTexts(layout([len(one.candidates) for one in lists]), questions, candidates)
