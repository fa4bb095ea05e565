"""English questions and candidate tables, read one table at a time: only what matches its question is kept."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b

import numpy as np

from indexer.sources.table_rows import CELL_MARK, ROW_MARK, TableRow
from retriever.ranking.lists import Layout, layout
from retriever.ranking.listwise import FloatArray
from retriever.ranking.overlap import Overlap, Tokens, overlap
from retriever.ranking.words import Stems, find_words, fold, word_matches

_BLANKS = re.compile(r"\s*_\|_\s*")
FIELDS = ("caption", "header", "cells")


@dataclass(frozen=True)
class TableQuestion:
    """What is looked for in a question's tables: stems, and runs of its words as they are written."""

    text: str
    stems: dict[str, int]
    phrases: tuple[tuple[str, int], ...]
    padded: str


@dataclass(frozen=True)
class TableMatch:
    """What one table holds of its question: stems by field with repeats, field lengths in words, and phrases.

    `best_row` are the stems of the row that holds most; `whole_cell` and `in_cells` the words of the longest
    phrase that is a cell, or stands in the cells; `header_phrase` those of the longest header in the question.
    """

    stems: tuple[tuple[str, ...], ...]
    lengths: tuple[int, int, int]
    best_row: tuple[str, ...]
    whole_cell: int
    whole_cells: int
    in_cells: int
    in_caption: int
    header_phrase: int
    headers_in_question: int
    header_cells: int
    headers_touched: int


def table_question(text: str, stems: Stems) -> TableQuestion:
    """The question's content stems, and its runs of up to eight words, longest first."""
    folded = fold(text).lower()
    spans = [(match.start(), match.end()) for match in word_matches(folded)]
    words = [folded[start:end] for start, end in spans]
    stop = [stems.is_stop(word) for word in words]
    phrases = {
        folded[spans[first][0] : spans[last][1]]: last - first + 1
        for first in range(len(words))
        for last in range(first, min(len(words), first + 8))
        if not (stop[first] or stop[last])
    }
    return TableQuestion(
        text,
        {stems[word]: 1 for word, is_stop in zip(words, stop, strict=True) if not is_stop},
        tuple(sorted(phrases.items(), key=lambda item: (-item[1], item[0]))),
        f" {' '.join(words)} ",
    )


def match_table(question: TableQuestion, row: TableRow, stems: Stems) -> tuple[TableMatch, frozenset[str]]:
    """Compare one table with its question; also the table's different words."""
    caption, header, cells = (fold(text).lower() for text in (row.caption, row.attributes, row.cells))
    words = [find_words(text) for text in (caption, header, cells)]
    wanted = question.stems
    matched = [tuple([stem for word in field if (stem := stems[word]) in wanted]) for field in words]
    surfaces = {word: stems[word] for word in dict.fromkeys(words[2]) if stems[word] in wanted}
    marked = f"{CELL_MARK}{_BLANKS.sub(CELL_MARK, cells.replace(ROW_MARK, CELL_MARK))}{CELL_MARK}"
    whole = [size for phrase, size in question.phrases if f"{CELL_MARK}{phrase}{CELL_MARK}" in marked]
    headers = dict.fromkeys(" ".join(find_words(cell)) for cell in header.split(CELL_MARK))
    inside = [name.count(" ") + 1 for name in headers if name and f" {name} " in question.padded]
    return TableMatch(
        tuple(matched),
        (len(words[0]), len(words[1]), len(words[2])),
        _best_row(cells, surfaces),
        max(whole, default=0),
        len(whole),
        next((size for phrase, size in question.phrases if phrase in cells), 0),
        next((size for phrase, size in question.phrases if phrase in caption), 0),
        max(inside, default=0),
        len(inside),
        len(headers),
        sum(any(stems[word] in wanted for word in name.split()) for name in headers),
    ), frozenset(word for field in words for word in field)


def _best_row(cells: str, surfaces: dict[str, str]) -> tuple[str, ...]:
    """The stems of the row that holds most of these words (as parts of its text)."""
    best: tuple[str, ...] = ()
    if len(surfaces) > 1:
        items = list(surfaces.items())
        for line in cells.split(ROW_MARK):
            found = dict.fromkeys(stem for word, stem in items if word in line)
            if len(found) > len(best):
                best = tuple(found)
    return best or tuple(surfaces.values())[:1]


@dataclass(frozen=True)
class TableTexts:
    """All questions and tables of a file, as what matched."""

    lists: Layout
    question_texts: list[str]
    questions: Tokens
    matches: list[TableMatch]
    stems: dict[str, int]
    table_df: FloatArray
    tables: int

    def field(self, *names: str) -> Overlap:
        """The question terms held by any of these fields; `file_df` counts different tables."""
        places = [FIELDS.index(name) for name in names]
        found = [[self.stems[s] for place in places for s in match.stems[place]] for match in self.matches]
        lengths = np.array([sum(match.lengths[place] for place in places) for match in self.matches], float)
        return self._overlap(found, lengths)

    @cached_property
    def best_row(self) -> Overlap:
        """The question terms of the table row that holds most of them."""
        return self._overlap([[self.stems[s] for s in match.best_row] for match in self.matches], None)

    def _overlap(self, found: list[list[int]], lengths: FloatArray | None) -> Overlap:
        counts = [len(one) for one in found]
        ids = np.array([stem for one in found for stem in one], np.int64)
        rows = np.repeat(np.arange(len(found), dtype=np.int64), counts)
        table = overlap(self.questions, Tokens(ids, rows, len(found)), self.lists)
        return replace(
            table,
            file_df=self.table_df[table.term_key],
            lengths=table.lengths if lengths is None else lengths,
        )


def table_texts(rows: Iterable[TableRow]) -> tuple[TableTexts, list[str | None], list[int], list[int]]:
    """Read tables one by one; also the label, the line (from 0) and the number of each different table."""
    stems = Stems()
    questions: dict[str, TableQuestion] = {}
    found: dict[str, list[tuple[TableMatch, str | None, int, int]]] = {}
    df: Counter[str] = Counter()
    seen: dict[bytes, int] = {}
    for row in rows:
        if row.question not in questions:
            questions[row.question] = table_question(row.question, stems)
        match, words = match_table(questions[row.question], row, stems)
        table = blake2b("\t".join((row.caption, row.attributes, row.cells)).encode(), digest_size=16).digest()
        if table not in seen:
            seen[table] = len(seen)
            df.update({stems[word] for word in words})
        found.setdefault(row.question, []).append((match, row.label, row.line - 1, seen[table]))
    numbers: dict[str, int] = {}
    ids = [[numbers.setdefault(stem, len(numbers)) for stem in one.stems] for one in questions.values()]
    tokens = Tokens(
        np.array([stem for one in ids for stem in one], np.int64),
        np.repeat(np.arange(len(ids), dtype=np.int64), [len(one) for one in ids]),
        len(ids),
    )
    flat = [item for items in found.values() for item in items]
    texts = TableTexts(
        layout([len(items) for items in found.values()]),
        list(questions),
        tokens,
        [item[0] for item in flat],
        numbers,
        np.array([df[stem] for stem in numbers], float),
        len(seen),
    )
    return texts, [item[1] for item in flat], [item[2] for item in flat], [item[3] for item in flat]
