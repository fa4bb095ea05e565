"""English questions and candidate tables, read one table at a time: only what matches its question is kept."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import NamedTuple

import numpy as np

from indexer.formats.table_rows import CELL_MARK, ROW_MARK, TableRow
from retriever.learning.lists import Layout, layout
from retriever.ranking.english.words import Stems, find_words, fold, word_matches
from retriever.ranking.overlap import Overlap, Tokens, overlap

FIELDS = ("caption", "header", "cells")
VIEWS = ("content", "all")
LONGEST_PHRASE = 8
_BLANKS = re.compile(r"(?<!\s)\s*+_\|_\s*+")  # a row of blanks is gone through once


class TableQuestion(NamedTuple):
    """What is looked for in a question's tables: its terms by view, and runs of its words as they are written.

    Views: stems of content words, and of all words. A phrase comes with how many words it has.
    """

    views: Mapping[str, dict[str, None]]
    phrases: Mapping[str, int]


class TableMatch(NamedTuple):
    """What one table holds of its question.

    `views` gives for each view the terms found in caption, header and cells, with repeats; `lengths` the words
    of each field; `whole_cell` the words of the question's longest phrase that is a cell, 0 without one.
    """

    views: Mapping[str, tuple[list[str], ...]]
    lengths: tuple[int, int, int]
    whole_cell: int


def table_question(text: str, stems: Stems) -> TableQuestion:
    """The question's terms, and its runs of up to eight words that neither begin nor end with a stop word."""
    folded = fold(text).lower()
    spans = [(match.start(), match.end()) for match in word_matches(folded)]
    words = [folded[start:end] for start, end in spans]
    stop = [stems.is_stop(word) for word in words]
    content = [word for word, is_stop in zip(words, stop, strict=True) if not is_stop]
    phrases = {
        folded[spans[first][0] : spans[last][1]]: last - first + 1
        for first in range(len(words))
        for last in range(first, min(len(words), first + LONGEST_PHRASE))
        if not (stop[first] or stop[last])
    }
    views = {
        "content": dict.fromkeys(stems[word] for word in content),
        "all": dict.fromkeys(stems[word] for word in words),
    }
    return TableQuestion(views, phrases)


def match_table(question: TableQuestion, row: TableRow, stems: Stems) -> TableMatch:
    """Compare one table with its question."""
    caption, header, cells = (fold(text).lower() for text in (row.caption, row.attributes, row.cells))
    words = [find_words(text) for text in (caption, header, cells)]
    views = _matched(question, words, stems)
    joined = cells.replace(ROW_MARK, CELL_MARK)
    spaced = f" {CELL_MARK}" in joined or f"{CELL_MARK} " in joined
    marked = f"{CELL_MARK}{_BLANKS.sub(CELL_MARK, joined) if spaced else joined}{CELL_MARK}"
    whole = [size for phrase, size in question.phrases.items() if f"{CELL_MARK}{phrase}{CELL_MARK}" in marked]
    return TableMatch(views, (len(words[0]), len(words[1]), len(words[2])), max(whole, default=0))


def _matched(question: TableQuestion, words: list[list[str]], stems: Stems) -> dict[str, tuple[list[str], ...]]:
    """The question's terms that stand in each field, by view."""
    every, content = question.views["all"], question.views["content"]
    terms = [[stem for word in field if (stem := stems[word]) in every] for field in words]
    return {"all": tuple(terms), "content": tuple([stem for stem in field if stem in content] for field in terms)}


@dataclass(frozen=True)
class TableTexts:
    """All questions and tables of a file, as what matched; `numbers` numbers the questions' terms.

    Of each table, in the order of the lists, `labels` has its label's text, `lines` its line (from 0), `tables` the
    hash of what it holds.
    """

    lists: Layout
    question_texts: list[str]
    questions: Mapping[str, Tokens]
    matches: list[TableMatch]
    numbers: Mapping[str, Mapping[str, int]]
    labels: list[str | None]
    lines: list[int]
    tables: list[bytes]

    def field(self, *names: str, view: str = "content") -> Overlap:
        """The question's terms that any of these fields holds; lengths are the fields' words."""
        places = [FIELDS.index(name) for name in names]
        terms = [[term for place in places for term in match.views[view][place]] for match in self.matches]
        lengths = np.array([sum(match.lengths[place] for place in places) for match in self.matches], float)
        return replace(self._overlap(terms, view), lengths=lengths)

    def _overlap(self, terms: list[list[str]], view: str) -> Overlap:
        numbers = self.numbers[view]
        return overlap(self.questions[view], _tokens(terms, numbers), self.lists)


def _tokens(texts: Iterable[Iterable[str]], numbers: Mapping[str, int]) -> Tokens:
    """The terms of each text by their numbers."""
    ids = [[numbers[term] for term in text] for text in texts]
    rows = np.repeat(np.arange(len(ids), dtype=np.int64), [len(one) for one in ids])
    return Tokens(np.array([number for one in ids for number in one], np.int64), rows, len(ids))


def read_tables(rows: Iterable[TableRow]) -> TableTexts:
    """Read tables one by one; lines of one question make one list, even where they do not stand together."""
    stems = Stems()
    questions: dict[str, TableQuestion] = {}
    tables: dict[str, list[tuple[TableMatch, str | None, int, bytes]]] = {}
    for row in rows:
        if row.question not in questions:
            questions[row.question] = table_question(row.question, stems)
        match = match_table(questions[row.question], row, stems)
        digest = blake2b("\t".join((row.caption, row.attributes, row.cells)).encode(), digest_size=16).digest()
        tables.setdefault(row.question, []).append((match, row.label, row.line - 1, digest))
    numbers: dict[str, dict[str, int]] = {view: {} for view in VIEWS}
    for question in questions.values():
        for view, known in numbers.items():
            for term in question.views[view]:
                known.setdefault(term, len(known))
    flat = [item for items in tables.values() for item in items]
    return TableTexts(
        layout([len(items) for items in tables.values()]),
        list(questions),
        {view: _tokens([one.views[view] for one in questions.values()], known) for view, known in numbers.items()},
        [item[0] for item in flat],
        numbers,
        [item[1] for item in flat],
        [item[2] for item in flat],
        [item[3] for item in flat],
    )
