"""English sentences: which families of features there are, how they are trained, and the untrained methods."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from indexer.files.arrays import Float64Array
from indexer.formats.candidate_lists import CandidateList
from retriever.learning.columns import Types
from retriever.learning.train import Recipe
from retriever.question_types import QuestionType, english_type, english_types
from retriever.ranking.baselines import by_list, rank_bm25, token_lists, word_overlap
from retriever.ranking.coverage import bm25, coverage
from retriever.ranking.english.answers import answers
from retriever.ranking.english.features import neighbours, opening, pairs
from retriever.ranking.english.terms import terms
from retriever.ranking.english.texts import EnglishTexts, english_texts
from retriever.ranking.overlap import Tokens
from retriever.ranking.position import position
from retriever.ranking.ranking import Block, Ranking

RECIPE = Recipe("selqa", penalty=150.0)
# Families weighted by type of question too: the others (letters, pairs, related words) say the same as coverage again.
BY_TYPE = frozenset({"coverage", "terms", "opening", "position", "answers"})
# The sum that benchmarks/untrained_sums.py chooses on SelQA's development file (in nearly every fold, too).
UNTRAINED = {
    "characters": {"characters: bm25": 1.0},
    "terms": {"terms: not topic, list idf": 1.0},
    "coverage": {"all stems: coverage × list and question idf": 1.0},
    "answers": {"answer: present": 1.0},
}


def english_families(
    texts: EnglishTexts, types: Sequence[QuestionType]
) -> Mapping[str, Callable[[], Mapping[str, Float64Array]]]:
    """Every family of features, each computed for all rows at once when it is called."""
    return {
        "coverage": lambda: coverage(texts.content, "content") | coverage(texts.all_stems, "all stems"),
        "related": lambda: coverage(texts.related, "related"),
        "characters": lambda: coverage(texts.characters, "characters"),
        "terms": lambda: terms(texts),
        "pairs": lambda: pairs(texts),
        "opening": lambda: opening(texts.content_all),
        "neighbours": lambda: neighbours(texts.content, "content"),
        "position": lambda: position(texts.lists, texts.all_stems.lengths),
        "answers": lambda: answers(texts, types),
    }


def english_ranking(lists: Sequence[CandidateList]) -> Ranking:
    """Lists of English sentences, all with candidates, ready to be ranked."""
    texts = english_texts(lists)
    kinds = [english_type(question).name for question in texts.question_texts]
    return Ranking(texts.lists, texts.question_texts, kinds, RECIPE, UNTRAINED, lambda: map(_block, texts.blocks()))


def _block(texts: EnglishTexts) -> Block:
    types = [english_type(question) for question in texts.question_texts]
    names = tuple(one.name for one in english_types())
    return Block(
        texts.lists,
        english_families(texts, types),
        {
            "bm25": lambda: bm25(texts.content),
            "rank-bm25": lambda: _rank_bm25(texts),
            "overlap": lambda: word_overlap(texts.content),
        },
        lambda: texts.content.matched_terms([texts.words.stems[key] for key in texts.content.term_key]),
        Types(names, np.array([names.index(one.name) for one in types], np.int64), BY_TYPE),
    )


def _rank_bm25(texts: EnglishTexts) -> Float64Array:
    def stems(tokens: Tokens) -> list[list[int]]:
        kept = tokens.only(~texts.words.is_stop[tokens.ids])
        return token_lists(texts.words.view(kept, np.asarray(texts.words.stem)))

    return rank_bm25(stems(texts.questions), by_list(stems(texts.candidates), texts.lists))
