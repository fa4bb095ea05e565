"""Chinese sentences: which families of features there are, how they are trained, and the untrained methods."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache

import numpy as np

from indexer.files.arrays import Float64Array
from indexer.formats.candidate_lists import CandidateList
from retriever.learning.columns import Types
from retriever.learning.train import Recipe
from retriever.question_types import QuestionType, chinese_type, chinese_types
from retriever.ranking.baselines import by_list, rank_bm25, token_lists, word_overlap
from retriever.ranking.chinese.features import chinese_coverage, chinese_flags, novelty
from retriever.ranking.chinese.intents import ANSWERED, chinese_answers, intents
from retriever.ranking.chinese.request import request, taken_apart
from retriever.ranking.chinese.texts import CODE_POINTS, ChineseTexts, chinese_texts
from retriever.ranking.coverage import LOW_B, bm25
from retriever.ranking.position import place_by, position
from retriever.ranking.ranking import Block, Ranking

RECIPE = Recipe("nlpcc-dbqa", penalty=100.0, damping={"surface": 0.5}, typed=1.0)
# Weighted by type of question too: a "when" is nearly always answered by a sentence with a date, a list is less sure.
BY_TYPE = frozenset({"answered"})
# The sum that benchmarks/untrained_sums.py chooses on the DBQA development file (in nearly every fold, too).
UNTRAINED = {
    "places": {"place by request: 1-grams": 1.0},
    "intents": {"intents: late × list idf": 1.0},
    "request": {"request: 2-grams": 1.0},
    "answered": {ANSWERED: 1.0},
    "coverage": {"2-grams: late × question idf density": 1.0},
}


def chinese_families(
    texts: ChineseTexts, types: Sequence[QuestionType]
) -> Mapping[str, Callable[[], Mapping[str, Float64Array]]]:
    """Every family of features, each computed for all rows at once when it is called."""
    covered = cache(lambda: chinese_coverage(texts))
    asked = cache(lambda: taken_apart(texts))
    requested = cache(lambda: request(texts, asked()))
    shared = cache(lambda: intents(texts, [one.request for one in asked()]))
    answering = cache(lambda: chinese_answers(texts, types, covered()["1-grams: late × question idf"]))
    return {
        "coverage": covered,
        "request": requested,
        "intents": shared,
        "position": lambda: position(texts.lists, texts.candidates.lengths()),
        "answers": lambda: {name: values for name, values in answering().items() if name != ANSWERED},
        "answered": lambda: {ANSWERED: answering()[ANSWERED]},
        "novelty": lambda: novelty(texts),
        "surface": lambda: chinese_flags(texts),
        "places": lambda: {
            f"place by {name}": place_by(values[name], texts.lists)
            for values, name in (
                (covered(), "1-grams: late × question idf"),
                (covered(), "2-grams: late × question idf"),
                (requested(), "request: 1-grams"),
                (requested(), "request: 2-grams"),
                (shared(), "intents: share"),
            )
        },
    }


def chinese_ranking(lists: Sequence[CandidateList]) -> Ranking:
    """Lists of Chinese sentences, all with candidates, ready to be ranked."""
    texts = chinese_texts(lists)
    kinds = [chinese_type(question).name for question in texts.question_texts]
    asked = [one.question for one in lists]
    return Ranking(texts.lists, asked, kinds, RECIPE, UNTRAINED, lambda: map(_block, texts.blocks()))


def _block(texts: ChineseTexts) -> Block:
    types = [chinese_type(question) for question in texts.question_texts]
    names = tuple(one.name for one in chinese_types())
    return Block(
        texts.lists,
        chinese_families(texts, types),
        {
            "bm25": lambda: bm25(texts.single, LOW_B),
            "rank-bm25": lambda: rank_bm25(
                token_lists(texts.questions), by_list(token_lists(texts.candidates), texts.lists)
            ),
            "overlap": lambda: word_overlap(texts.single),
        },
        lambda: texts.pairs.matched_terms([_written(int(key)) for key in texts.pairs.term_key]),
        Types(names, np.array([names.index(one.name) for one in types], np.int64), BY_TYPE),
    )


def _written(pair: int) -> str:
    return chr(pair // CODE_POINTS) + chr(pair % CODE_POINTS)
