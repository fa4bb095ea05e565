"""Tables: which families of features there are, how they are trained, and the untrained methods."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from indexer.sources.table_rows import TableRow
from retriever.ranking.baselines import rank_bm25, word_overlap
from retriever.ranking.english_ranking import matched_terms
from retriever.ranking.features.answers import question_types, type_numbers
from retriever.ranking.features.coverage import bm25
from retriever.ranking.features.table_fields import table_fields, table_phrases
from retriever.ranking.listwise import FloatArray
from retriever.ranking.ranking import Ranking
from retriever.ranking.tables import FIELDS, TableTexts, read_tables
from retriever.ranking.train import Recipe
from retriever.ranking.words import Stems, find_words, fold

RECIPE = Recipe("nlpcc-tbqa", penalty=30.0)
# What benchmarks/untrained_sums.py chooses in nearly every fold of the proxy.
UNTRAINED = {
    "content words": {"caption + header, content: both idf": 1.0, "caption + header + cells, content: both idf": 2.0},
    "phrases": {"whole cell": 1.0},
}


class TableRanking(NamedTuple):
    """Tables ready to be ranked; for each in the order of the lists its label's text, its line (from 0) and its key."""

    ranking: Ranking
    labels: list[str | None]
    lines: list[int]
    tables: list[int]


def table_families(texts: TableTexts) -> Mapping[str, Callable[[], Mapping[str, FloatArray]]]:
    """Every family of features, each computed for all tables at once when it is called."""
    return {
        "content words": lambda: table_fields(texts, "content"),
        "all words": lambda: table_fields(texts, "all"),
        "phrases": lambda: table_phrases(texts),
    }


def table_ranking(rows: Iterable[TableRow], recipe: Recipe = RECIPE) -> TableRanking:
    """Tables read one by one, ready to be ranked."""
    texts, labels, lines, tables = read_tables(rows)
    everywhere = texts.field(*FIELDS)
    names = list(texts.numbers["content"])
    ranking = Ranking(
        texts.lists,
        texts.question_texts,
        [question_types()[number][0] for number in type_numbers(texts.question_texts)],
        recipe,
        table_families(texts),
        UNTRAINED,
        {"bm25": lambda: bm25(everywhere), "overlap": lambda: word_overlap(everywhere)},
        lambda: matched_terms(everywhere, [names[key] for key in everywhere.term_key]),
    )
    return TableRanking(ranking, labels, lines, tables)


def rank_bm25_tables(rows: Iterable[TableRow]) -> FloatArray:
    """rank-bm25 over all words of a question's tables, in the order of the lists; holds one file's words in memory."""
    stems = Stems()
    found: dict[str, list[list[str]]] = {}
    for row in rows:
        words = find_words(fold(f"{row.caption} {row.attributes} {row.cells}").lower())
        found.setdefault(row.question, []).append([stems[word] for word in words if not stems.is_stop(word)])
    questions = [[stems[word] for word in find_words(fold(text).lower()) if not stems.is_stop(word)] for text in found]
    return rank_bm25(questions, list(found.values()))
