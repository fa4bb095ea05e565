"""English sentences: which families of features there are, how they are trained, and the untrained methods."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from retriever.ranking.baselines import by_list, rank_bm25, token_lists, word_overlap
from retriever.ranking.english import EnglishTexts, english_texts
from retriever.ranking.features.answers import answers, question_types, type_numbers
from retriever.ranking.features.coverage import bm25, coverage
from retriever.ranking.features.neighbours import neighbours
from retriever.ranking.features.ngrams import ngrams
from retriever.ranking.features.opening import opening
from retriever.ranking.features.position import position
from retriever.ranking.features.surface import surface_flags
from retriever.ranking.features.terms import terms
from retriever.ranking.lists import CandidateList
from retriever.ranking.listwise import FloatArray, IntArray
from retriever.ranking.overlap import Overlap, Tokens
from retriever.ranking.ranking import Ranking
from retriever.ranking.train import Recipe

RECIPE = Recipe("selqa", penalty=150.0, damping={"surface": 0.5})
# The sum that benchmarks/untrained_sums.py chooses on SelQA's development file (in nearly every fold, too).
UNTRAINED = {
    "characters": {"characters: bm25": 1.0},
    "terms": {"terms: not topic, list idf": 1.0},
    "coverage": {"all stems: coverage × list and question idf": 1.0},
    "answers": {"answer: present": 1.0},
}


def english_families(texts: EnglishTexts, types: IntArray) -> Mapping[str, Callable[[], Mapping[str, FloatArray]]]:
    """Every family of features, each computed for all rows at once when it is called."""
    return {
        "coverage": lambda: coverage(texts.content, "content") | coverage(texts.all_stems, "all stems"),
        "related": lambda: coverage(texts.related, "related"),
        "characters": lambda: coverage(texts.characters, "characters"),
        "terms": lambda: terms(texts),
        "ngrams": lambda: ngrams(texts),
        "opening": lambda: opening(texts.content_all),
        "neighbours": lambda: neighbours(texts.content, "content"),
        "position": lambda: position(texts.lists, texts.all_stems.lengths),
        "answers": lambda: answers(texts, types),
        "surface": lambda: surface_flags(texts),
    }


def english_ranking(lists: Sequence[CandidateList], recipe: Recipe = RECIPE) -> Ranking:
    """Lists of English sentences, none of them empty, ready to be ranked."""
    texts = english_texts(lists)
    types = type_numbers(texts.question_texts)
    return Ranking(
        texts.lists,
        texts.question_texts,
        [question_types()[number][0] for number in types],
        recipe,
        english_families(texts, types),
        UNTRAINED,
        {
            "bm25": lambda: bm25(texts.content),
            "rank-bm25": lambda: _rank_bm25(texts),
            "overlap": lambda: word_overlap(texts.content),
        },
        lambda: matched_terms(texts.content, [texts.words.stems[key] for key in texts.content.term_key]),
    )


def matched_terms(table: Overlap, names: Sequence[str]) -> list[dict[str, float]]:
    """For each row the question terms that it holds, with their idf in the list."""
    found: list[dict[str, float]] = [{} for _ in range(table.lists.rows)]
    idf = table.list_idf()
    for row, term in zip(table.pair_row.tolist(), table.pair_term.tolist(), strict=True):
        found[row][names[term]] = float(idf[term])
    return found


def _rank_bm25(texts: EnglishTexts) -> FloatArray:
    def stems(tokens: Tokens) -> list[list[int]]:
        kept = tokens.only(~texts.words.is_stop[tokens.ids])
        return token_lists(texts.words.view(kept, np.asarray(texts.words.stem)))

    return rank_bm25(stems(texts.questions), by_list(stems(texts.candidates), texts.lists))
