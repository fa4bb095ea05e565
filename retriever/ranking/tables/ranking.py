"""Tables: which families of features there are, how they are trained, and the untrained methods."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import numpy as np

from indexer.files.arrays import Float64Array
from indexer.formats.table_rows import TableRow
from retriever.learning.train import Recipe
from retriever.question_types import english_type
from retriever.ranking.baselines import rank_bm25, word_overlap
from retriever.ranking.coverage import LOW_B, bm25
from retriever.ranking.english.words import Stems, find_words, fold
from retriever.ranking.overlap import Overlap
from retriever.ranking.ranking import Block, Ranking
from retriever.ranking.tables.texts import FIELDS, TableTexts, read_tables


def field_coverage(table: Overlap, name: str) -> dict[str, Float64Array]:
    """Coverage of the question's terms by one field under several weights."""
    list_idf, asked = table.list_idf(), table.question_idf()
    return {
        f"{name}: coverage": table.coverage(np.ones_like(list_idf)),
        f"{name}: list idf": table.coverage(list_idf),
        f"{name}: both idf": table.coverage(list_idf * asked),
        f"{name}: sum": table.sums(list_idf * asked),
        f"{name}: bm25": bm25(table, LOW_B),
    }


def table_fields(texts: TableTexts, view: str) -> dict[str, Float64Array]:
    """Coverage by cells, by caption and header, and by all, in one view of the words."""
    columns: dict[str, Float64Array] = {}
    for names in (("cells",), ("caption", "header"), ("caption", "header", "cells")):
        columns |= field_coverage(texts.field(*names, view=view), f"{' + '.join(names)}, {view}")
    return columns


def whole_cell(texts: TableTexts) -> dict[str, Float64Array]:
    """The length, in words, of the question's longest phrase that is a cell of the table."""
    return {"whole cell": np.array([match.whole_cell for match in texts.matches], float)}


RECIPE = Recipe("nlpcc-tbqa", penalty=30.0)
# What benchmarks/untrained_sums.py chooses in nearly every fold of the proxy.
UNTRAINED = {
    "content words": {"caption + header, content: both idf": 1.0, "caption + header + cells, content: both idf": 2.0},
    "whole cells": {"whole cell": 1.0},
}


def table_families(texts: TableTexts) -> Mapping[str, Callable[[], Mapping[str, Float64Array]]]:
    """Every family of features, each computed for all tables at once when it is called."""
    return {
        "content words": lambda: table_fields(texts, "content"),
        "all words": lambda: table_fields(texts, "all"),
        "whole cells": lambda: whole_cell(texts),
    }


def table_ranking(rows: Iterable[TableRow]) -> tuple[Ranking, TableTexts]:
    """Tables read one by one, ready to be ranked; and what was read of them."""
    texts = read_tables(rows)
    everywhere = texts.field(*FIELDS)
    names = list(texts.numbers["content"])
    block = Block(
        texts.lists,
        table_families(texts),
        {"bm25": lambda: bm25(everywhere), "overlap": lambda: word_overlap(everywhere)},
        lambda: everywhere.matched_terms([names[key] for key in everywhere.term_key]),
    )
    ranking = Ranking(
        texts.lists,
        texts.question_texts,
        [english_type(question).name for question in texts.question_texts],
        RECIPE,
        UNTRAINED,
        lambda: iter([block]),
    )
    return ranking, texts


def rank_bm25_tables(rows: Iterable[TableRow]) -> Float64Array:
    """rank-bm25 over all words of a question's tables, in the order of the lists; holds one file's words in memory."""
    stems = Stems()
    tables: dict[str, list[list[str]]] = {}
    for row in rows:
        words = find_words(fold(f"{row.caption} {row.attributes} {row.cells}").lower())
        tables.setdefault(row.question, []).append([stems[word] for word in words if not stems.is_stop(word)])
    questions = [[stems[word] for word in find_words(fold(text).lower()) if not stems.is_stop(word)] for text in tables]
    return rank_bm25(questions, list(tables.values()))
