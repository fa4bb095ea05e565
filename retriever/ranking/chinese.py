"""Chinese questions and candidates made ready for features: characters in runs of one to three, and words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from retriever.ranking.lists import CandidateList, Layout, layout
from retriever.ranking.listwise import BoolArray, FloatArray
from retriever.ranking.overlap import Overlap, Tokens, consecutive, overlap

CODE_POINTS = 0x110000
_BLANKS = re.compile(r"\s+")


def normalise(text: str) -> str:
    """NFKC, lower case, no blanks."""
    return _BLANKS.sub("", unicodedata.normalize("NFKC", text).lower())


def characters(texts: Sequence[str]) -> tuple[Tokens, BoolArray]:
    """The letters, digits and ideographs of each text, as code points; and which characters of all texts they are."""
    lengths = np.array([len(text) for text in texts], np.int64)
    points = np.frombuffer("".join(texts).encode("utf-32-le"), np.uint32).astype(np.int64)
    rows = np.repeat(np.arange(len(texts), dtype=np.int64), lengths)
    distinct, which = np.unique(points, return_inverse=True)
    is_letter = np.array([chr(point).isalnum() for point in distinct], bool)
    keep = is_letter[which] if len(distinct) else np.zeros(0, bool)
    return Tokens(points[keep], rows[keep], len(texts)), keep


@dataclass(frozen=True)
class ChineseTexts:
    """All lists of a file as character numbers; every overlap is computed when it is first asked for."""

    lists: Layout
    question_texts: Sequence[str]
    candidate_texts: Sequence[str]
    questions: Tokens
    candidates: Tokens
    kept: BoolArray

    def runs(self, n: int) -> Overlap:
        """Runs of n characters."""
        sides = [consecutive(side, n, CODE_POINTS) for side in (self.questions, self.candidates)]
        return overlap(sides[0], sides[1], self.lists)

    @cached_property
    def single(self) -> Overlap:
        return self.runs(1)

    @cached_property
    def pairs(self) -> Overlap:
        return self.runs(2)

    @cached_property
    def triples(self) -> Overlap:
        return self.runs(3)


def late_weight(table: Overlap, questions: Tokens, n: int) -> FloatArray:
    """(end of the run / length of the question)³ for each question term, at its last place: the request stands late."""
    runs = consecutive(questions, n, CODE_POINTS)
    lengths = np.bincount(questions.rows, minlength=questions.texts)
    counts = np.bincount(runs.rows, minlength=questions.texts)
    place = np.arange(len(runs.ids)) - (np.cumsum(counts) - counts)[runs.rows]
    share = ((place + n) / np.maximum(lengths[runs.rows], 1)) ** 3
    weight = np.zeros(len(table.term_list))
    np.maximum.at(weight, table.question_term, share)
    return weight


def chinese_texts(lists: Sequence[CandidateList]) -> ChineseTexts:
    """Normalise and number the lists; none of them is empty of candidates."""
    questions = [normalise(one.question) for one in lists]
    candidates = [normalise(candidate) for one in lists for candidate in one.candidates]
    places = layout([len(one.candidates) for one in lists])
    tokens, kept = characters(candidates)
    return ChineseTexts(places, questions, candidates, characters(questions)[0], tokens, kept)
