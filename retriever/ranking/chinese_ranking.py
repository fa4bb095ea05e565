"""Chinese sentences: which families of features there are, how they are trained, and the untrained methods."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache

from retriever.ranking.baselines import by_list, rank_bm25, token_lists, word_overlap
from retriever.ranking.chinese import CODE_POINTS, ChineseTexts, chinese_texts
from retriever.ranking.english_ranking import matched_terms
from retriever.ranking.features.chinese_coverage import chinese_coverage
from retriever.ranking.features.chinese_intents import chinese_answers, chinese_type_numbers, chinese_types, intents
from retriever.ranking.features.chinese_order import chinese_order, numbers
from retriever.ranking.features.chinese_surface import chinese_flags
from retriever.ranking.features.coverage import bm25
from retriever.ranking.features.position import place_by, position
from retriever.ranking.lists import CandidateList
from retriever.ranking.listwise import FloatArray, IntArray
from retriever.ranking.ranking import Ranking
from retriever.ranking.train import Recipe

RECIPE = Recipe("nlpcc-dbqa", penalty=100.0, damping={"surface": 0.5})
# The sum that benchmarks/untrained_sums.py chooses on the DBQA development file (in nearly every fold, too).
UNTRAINED = {
    "order": {"densest window": 1.0, "numbers": 1.0},
    "intents": {"intents: late × list idf": 1.0},
    "coverage": {"2-grams: late × question idf": 1.0},
    "answers": {"answer: log count": 1.0},
}


def chinese_families(texts: ChineseTexts, types: IntArray) -> Mapping[str, Callable[[], Mapping[str, FloatArray]]]:
    """Every family of features, each computed for all rows at once when it is called."""
    covered = cache(lambda: chinese_coverage(texts))
    shared = cache(lambda: intents(texts))
    ordered = cache(lambda: chinese_order(texts, types))
    return {
        "coverage": covered,
        "intents": shared,
        "position": lambda: position(texts.lists, texts.candidates.lengths()),
        "answers": lambda: chinese_answers(texts, types, covered()["1-grams: late × question idf"]),
        "order": lambda: ordered() | numbers(texts),
        "surface": lambda: chinese_flags(texts),
        "places": lambda: {
            f"place by {name}": place_by(values[name], texts.lists)
            for values, name in (
                (covered(), "1-grams: late × question idf"),
                (covered(), "2-grams: late × question idf"),
                (shared(), "intents: share"),
                (ordered(), "densest window"),
            )
        },
    }


def chinese_ranking(lists: Sequence[CandidateList], recipe: Recipe = RECIPE) -> Ranking:
    """Lists of Chinese sentences, none of them empty, ready to be ranked."""
    texts = chinese_texts(lists)
    types = chinese_type_numbers(texts.question_texts)
    return Ranking(
        texts.lists,
        texts.question_texts,
        [chinese_types()[number][0] for number in types],
        recipe,
        chinese_families(texts, types),
        UNTRAINED,
        {
            "bm25": lambda: bm25(texts.single, 1.2, 0.3),
            "rank-bm25": lambda: rank_bm25(
                token_lists(texts.questions), by_list(token_lists(texts.candidates), texts.lists)
            ),
            "overlap": lambda: word_overlap(texts.single),
        },
        lambda: matched_terms(texts.pairs, [_written(int(key)) for key in texts.pairs.term_key]),
    )


def _written(pair: int) -> str:
    return chr(pair // CODE_POINTS) + chr(pair % CODE_POINTS)
