"""Ranking of tables: the families of features, the recipe of training, and the untrained
methods."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from itertools import chain, count

import numpy as np
import Stemmer

from indexer.files.arrays import Float64Array
from indexer.formats.table_rows import CELL_MARK, ROW_MARK, TableRow
from retriever.question_types import english_type
from retriever.ranking import overlap
from retriever.ranking.english import IRREGULAR_FORMS, POSSESSIVE, STOP_WORDS, WORD, fold
from retriever.ranking.ranker import Ranking, RankingBlock, layout

LONGEST_PHRASE = 8  # words; limits the work on long questions
_BLANKS = re.compile(r"(?<!\s)\s*+_\|_\s*+")  # a row of blanks is gone through once


_STEM = Stemmer.Stemmer("english").stemWord


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """The stem of a folded, lower-case word without its 's and its dots, of an irregular form that
    of its base; the word itself if nothing is left."""
    plain = POSSESSIVE.sub("", word).replace(".", "") or word
    return _STEM(IRREGULAR_FORMS.get(plain, plain)) or word


def is_stop(word: str) -> bool:
    """Whether a lower-case word, apart from its 's, is a function word."""
    return POSSESSIVE.sub("", word) in STOP_WORDS


def words_of(text: str) -> list[str]:
    """The words of a text, folded and in lower case."""
    return WORD.findall(fold(text).lower())


def phrases(question: str) -> dict[str, int]:
    """The question's sequences of up to eight words that neither begin nor end with a stop word,
    folded and in lower case, with what is between the words → number of words."""
    folded = fold(question).lower()
    spans = [match.span() for match in WORD.finditer(folded)]
    stop = [is_stop(folded[start:end]) for start, end in spans]
    return {
        folded[spans[first][0] : spans[last][1]]: last - first + 1
        for first in range(len(spans))
        for last in range(first, min(len(spans), first + LONGEST_PHRASE))
        if not (stop[first] or stop[last])
    }


def whole_cell(phrases: Mapping[str, int], cells: str) -> int:
    """The number of words of the longest of a question's `phrases` that is, but for case and
    accents, a whole cell of `cells` (a table's, between their marks); 0 without one."""
    joined = fold(cells).lower().replace(ROW_MARK, CELL_MARK)
    if f" {CELL_MARK}" in joined or f"{CELL_MARK} " in joined:
        joined = _BLANKS.sub(CELL_MARK, joined)
    marked = f"{CELL_MARK}{joined}{CELL_MARK}"
    return max(
        (size for phrase, size in phrases.items() if f"{CELL_MARK}{phrase}{CELL_MARK}" in marked),
        default=0,
    )


# What benchmarks/untrained_sums.py chooses in nearly every fold of the proxy.
UNTRAINED = {
    "content words": {
        "caption + header, content: both idf": 1.0,
        "caption + header + cells, content: both idf": 2.0,
    },
    "whole cells": {"whole cell": 1.0},
}


def _whole_cells(rows: Sequence[TableRow]) -> Float64Array:
    """The `whole_cell` of each row's question in its cells, (rows,)."""
    of_question = {text: phrases(text) for text in dict.fromkeys(row.question for row in rows)}
    return np.array([whole_cell(of_question[row.question], row.cells) for row in rows], float)


def table_ranking(rows: Iterable[TableRow]) -> tuple[Ranking, list[TableRow]]:
    """The `Ranking` of tables (task nlpcc-tbqa, English questions), and the tables in its order;
    lines of one question make one list, wherever they are, at the place of the first.

    Features: of the question's words, all and content words, in cells, in caption and header, and
    in all three, coverage (unweighted, by list idf, by list × question idf), the sum of the last
    weights, and BM25; and the length of its longest phrase that is a whole cell.
    """
    tables: dict[str, list[TableRow]] = {}
    for row in rows:
        tables.setdefault(row.question, []).append(row)
    lists, in_order = layout([len(group) for group in tables.values()]), [*chain(*tables.values())]
    stems = defaultdict[str, int](count().__next__)  # the number of a stem of the questions

    def content_of(text: str) -> list[str]:
        return [word for word in words_of(text) if not is_stop(word)]

    # Each stem of a question counts once.
    questions = {
        view: overlap.tokens_of(
            [[stems[term] for term in dict.fromkeys(map(stem, words(text)))] for text in tables]
        )
        for view, words in (("all", words_of), ("content", content_of))
    }

    @cache
    def number(word: str) -> int:
        return stems.get(stem(word), -1)

    def field(texts: Iterable[str]) -> tuple[list[list[int]], Float64Array]:
        """The numbers of the words of each table that a question has, and how many words each has,
        (rows,)."""
        terms, sizes = list[list[int]](), list[int]()
        for text in texts:
            words = words_of(text)
            sizes.append(len(words))
            terms.append([term for term in map(number, words) if term >= 0])
        return terms, np.array(sizes, float)

    cells = field(row.cells for row in in_order)
    heads = field(f"{row.caption} {row.attributes}" for row in in_order)
    whole = (
        [[*head, *body] for head, body in zip(heads[0], cells[0], strict=True)],
        heads[1] + cells[1],
    )
    fields = {"cells": cells, "caption + header": heads, "caption + header + cells": whole}

    def overlap_with(name: str, view: str) -> overlap.Overlap:
        terms, sizes = fields[name]
        return replace(
            overlap.overlap(questions[view], overlap.tokens_of(terms), lists), lengths=sizes
        )

    def view_features(view: str) -> dict[str, Float64Array]:
        """Feature name → values (rows,): coverage, weighted coverage and BM25 of the question by
        each field of its tables, under one view of the question's words."""
        features: dict[str, Float64Array] = {}
        for name in fields:
            table = overlap_with(name, view)
            both_idf = table.list_idf * table.question_idf
            features |= {
                f"{name}, {view}: coverage": overlap.coverage(table, np.ones_like(both_idf)),
                f"{name}, {view}: list idf": overlap.coverage(table, table.list_idf),
                f"{name}, {view}: both idf": overlap.coverage(table, both_idf),
                f"{name}, {view}: sum": overlap.weight_held(table, both_idf),
                # A large table is not a worse answer: its length counts less than a sentence's.
                f"{name}, {view}: bm25": overlap.bm25(table, overlap.LOW_B),
            }
        return features

    def all_words() -> tuple[overlap.Tokens, overlap.Tokens]:
        """The content words of the questions and of their tables."""
        numbers = defaultdict[str, int](count().__next__)
        texts = [*tables, *(f"{row.caption} {row.attributes} {row.cells}" for row in in_order)]
        words = overlap.tokens_of(
            [[numbers[stem(word)] for word in content_of(text)] for text in texts]
        )
        return overlap.text_range(words, 0, len(tables)), overlap.text_range(
            words, len(tables), len(texts)
        )

    everywhere, names = overlap_with("caption + header + cells", "content"), list(stems)
    block = RankingBlock(
        lists=lists,
        features={
            "content words": lambda: view_features("content"),
            "all words": lambda: view_features("all"),
            "whole cells": lambda: {"whole cell": _whole_cells(in_order)},
        },
        baseline=lambda method: overlap.baseline(method, everywhere, all_words),
        matched=lambda: overlap.matched_terms(
            everywhere, [names[key] for key in everywhere.term_key]
        ),
    )
    kinds = [english_type(question).name for question in tables]
    return Ranking(
        "nlpcc-tbqa", lists, list(tables), kinds, UNTRAINED, lambda: iter([block])
    ), in_order
