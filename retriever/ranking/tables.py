"""Ranking of tables: the families of features, the recipe of training, and the untrained methods."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain, count
from typing import NamedTuple

import numpy as np
import Stemmer

from indexer.files.arrays import Float64Array
from indexer.formats.table_rows import CELL_MARK, ROW_MARK, TableRow
from retriever.question_types import english_type
from retriever.ranking import overlap
from retriever.ranking.english import IRREGULAR_FORMS, POSSESSIVE, STOP_WORDS, WORD, fold
from retriever.ranking.ranker import ListLayout, Ranking, RankingBlock, layout

FIELDS = ("caption", "header", "cells")
VIEWS = ("content", "all")
LONGEST_PHRASE = 8  # words; limits the work on long questions
_BLANKS = re.compile(r"(?<!\s)\s*+_\|_\s*+")  # a row of blanks is gone through once


_STEM = Stemmer.Stemmer("english").stemWord


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """The stem of a folded, lower-case word."""
    plain = POSSESSIVE.sub("", word).replace(".", "") or word
    return _STEM(IRREGULAR_FORMS.get(plain, plain)) or word


def is_stop(word: str) -> bool:
    """Returns whether a lower-case word is a function word."""
    return POSSESSIVE.sub("", word) in STOP_WORDS


def words_of(text: str) -> list[str]:
    """The words of a text, folded and in lower case."""
    return WORD.findall(fold(text).lower())


class TableQuestion(NamedTuple):
    """A question's terms to match with tables, by view (stems of content words or of all words), and word sequences.

    `phrases` maps the verbatim text of a sequence to its number of words.
    """

    views: Mapping[str, dict[str, None]]
    phrases: Mapping[str, int]


class TableMatch(NamedTuple):
    """Matches of a question in one table.

    `views` gives for each view the terms found in caption, header and cells, with repeats; `lengths` the words
    of each field; `whole_cell` the words of the question's longest phrase that is a cell, 0 without one.
    """

    views: Mapping[str, tuple[list[str], ...]]
    lengths: tuple[int, int, int]
    whole_cell: int


def table_question(text: str) -> TableQuestion:
    """The question's terms, and its sequences of up to eight words that neither begin nor end with a stop word."""
    folded = fold(text).lower()
    spans = [match.span() for match in WORD.finditer(folded)]
    words = [folded[start:end] for start, end in spans]
    stop = [is_stop(word) for word in words]
    phrases = {
        folded[spans[first][0] : spans[last][1]]: last - first + 1
        for first in range(len(words))
        for last in range(first, min(len(words), first + LONGEST_PHRASE))
        if not (stop[first] or stop[last])
    }
    views = {
        "content": dict.fromkeys(stem(word) for word in words if not is_stop(word)),
        "all": dict.fromkeys(map(stem, words)),
    }
    return TableQuestion(views, phrases)


def match_table(question: TableQuestion, row: TableRow) -> TableMatch:
    """Matches the terms and phrases of a question with caption, header and cells of one table."""
    caption, header, cells = (fold(text).lower() for text in (row.caption, row.attributes, row.cells))
    words = [WORD.findall(text) for text in (caption, header, cells)]
    every, content = question.views["all"], question.views["content"]
    terms = [[term for term in map(stem, field) if term in every] for field in words]
    views = {"all": tuple(terms), "content": tuple([term for term in field if term in content] for field in terms)}
    joined = cells.replace(ROW_MARK, CELL_MARK)
    spaced = f" {CELL_MARK}" in joined or f"{CELL_MARK} " in joined
    marked = f"{CELL_MARK}{_BLANKS.sub(CELL_MARK, joined) if spaced else joined}{CELL_MARK}"
    whole = [size for phrase, size in question.phrases.items() if f"{CELL_MARK}{phrase}{CELL_MARK}" in marked]
    return TableMatch(views, (len(words[0]), len(words[1]), len(words[2])), max(whole, default=0))


class TableTexts(NamedTuple):
    """The questions of a file and the matches of their tables; `numbers` maps view and term to the term's number, and
    `questions` has each view's terms of every question as tokens."""

    lists: ListLayout
    questions: Mapping[str, overlap.Tokens]
    matches: list[TableMatch]
    numbers: Mapping[str, Mapping[str, int]]

    def field(self, *names: str, view: str = "content") -> overlap.Overlap:
        """The overlap of each question with any of the fields `names` (caption, header, cells) of its tables, under a
        view of the terms; lengths are the fields' words."""
        at = [FIELDS.index(name) for name in names]
        numbers = self.numbers[view]
        terms = overlap.tokens_of(
            [[numbers[term] for field in at for term in match.views[view][field]] for match in self.matches]
        )
        words = np.array([sum(match.lengths[field] for field in at) for match in self.matches], float)
        return replace(overlap.overlap(self.questions[view], terms, self.lists), lengths=words)


def match_tables(tables: Mapping[str, Sequence[TableRow]]) -> TableTexts:
    """The matches of questions, each with its tables."""
    asked = {text: table_question(text) for text in tables}
    numbers = {
        view: {term: n for n, term in enumerate(dict.fromkeys(chain(*(one.views[view] for one in asked.values()))))}
        for view in VIEWS
    }
    return TableTexts(
        layout([len(rows) for rows in tables.values()]),
        {
            view: overlap.tokens_of([[numbers[view][term] for term in one.views[view]] for one in asked.values()])
            for view in VIEWS
        },
        [match_table(asked[text], row) for text, rows in tables.items() for row in rows],
        numbers,
    )


def table_fields(texts: TableTexts, view: str) -> dict[str, Float64Array]:
    """Feature name → values (rows,): coverage, weighted coverage and BM25 of the question by the cells, by caption and
    header, and by all three, under one view of the terms."""
    columns: dict[str, Float64Array] = {}
    for names in (("cells",), ("caption", "header"), ("caption", "header", "cells")):
        table, name = texts.field(*names, view=view), f"{' + '.join(names)}, {view}"
        list_idf, asked = table.list_idf, table.question_idf
        columns |= {
            f"{name}: coverage": overlap.coverage(table, np.ones_like(list_idf)),
            f"{name}: list idf": overlap.coverage(table, list_idf),
            f"{name}: both idf": overlap.coverage(table, list_idf * asked),
            f"{name}: sum": overlap.weight_held(table, list_idf * asked),
            # A large table is not a worse answer: its length counts less than a sentence's.
            f"{name}: bm25": overlap.bm25(table, overlap.LOW_B),
        }
    return columns


# What benchmarks/untrained_sums.py chooses in nearly every fold of the proxy.
UNTRAINED = {
    "content words": {"caption + header, content: both idf": 1.0, "caption + header + cells, content: both idf": 2.0},
    "whole cells": {"whole cell": 1.0},
}


def table_ranking(rows: Iterable[TableRow]) -> tuple[Ranking, list[TableRow]]:
    """The `Ranking` of tables, and the tables in its order; lines of one question make one list wherever they are."""
    tables: dict[str, list[TableRow]] = {}
    for row in rows:
        tables.setdefault(row.question, []).append(row)
    texts, in_order = match_tables(tables), [*chain(*tables.values())]
    everywhere = texts.field(*FIELDS)
    names = list(texts.numbers["content"])

    def tokens() -> tuple[overlap.Tokens, overlap.Tokens]:
        """The content words of the questions and of their tables."""
        known = defaultdict[str, int](count().__next__)
        read = [list(tables), [f"{row.caption} {row.attributes} {row.cells}" for row in in_order]]
        terms = (
            [[known[stem(word)] for word in words_of(text) if not is_stop(word)] for text in texts] for texts in read
        )
        questions, rows = map(overlap.tokens_of, terms)
        return questions, rows

    block = RankingBlock(
        lists=texts.lists,
        features={
            "content words": lambda: table_fields(texts, "content"),
            "all words": lambda: table_fields(texts, "all"),
            # The length, in words, of the question's longest phrase that is a cell of the table.
            "whole cells": lambda: {"whole cell": np.array([match.whole_cell for match in texts.matches], float)},
        },
        baselines=overlap.baselines(everywhere, tokens),
        matched=lambda: overlap.matched_terms(everywhere, [names[key] for key in everywhere.term_key]),
    )
    kinds = [english_type(question).name for question in tables]
    return Ranking("nlpcc-tbqa", texts.lists, list(tables), kinds, UNTRAINED, lambda: iter([block])), in_order
