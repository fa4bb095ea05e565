"""ROUGE, nuggets and agreement by hand, and ROUGE against the rouge-score package."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer

from evaluation.measures.answer_sets import PrecisionRecall
from evaluation.measures.pyramid import Nugget, contains_nuggets, idf_over, pyramid, share_present
from evaluation.measures.ranking import agreement
from evaluation.measures.rouge import rouge_l, rouge_n, rouge_su4

ANSWER = "the canal opened the canal".split()
GOLD = "the canal was opened".split()


def test_rouge_1_clips_what_repeats() -> None:
    # common: the 1, canal 1, opened 1 = 3 of 5 terms, of 4 gold terms
    found = rouge_n(ANSWER, [GOLD], 1)
    assert found == pytest.approx(
        PrecisionRecall(3 / 5, 3 / 4, 2 * (3 / 5) * (3 / 4) / (3 / 5 + 3 / 4))
    )


def test_rouge_2_counts_pairs() -> None:
    # "the canal" is the only common pair: of 4 in the answer, of 3 in the gold
    assert rouge_n(ANSWER, [GOLD], 2) == pytest.approx(PrecisionRecall(1 / 4, 1 / 3, 2 / (4 + 3)))


def test_rouge_is_averaged_over_the_gold_texts() -> None:
    other = ["opened"]
    both = rouge_n(ANSWER, [GOLD, other], 1)
    assert both.recall == pytest.approx((3 / 4 + 1) / 2)
    assert both.f1 == pytest.approx((2 * 3 / (5 + 4) + 2 * 1 / (5 + 1)) / 2)


def test_rouge_l_is_the_longest_common_subsequence() -> None:
    # "the canal opened": 3 of 5 terms, of 4
    assert rouge_l(ANSWER, [GOLD]) == pytest.approx(PrecisionRecall(3 / 5, 3 / 4, 2 * 3 / (5 + 4)))


def test_rouge_su4_counts_single_terms_and_pairs_with_up_to_four_between() -> None:
    # gold a b c: a b c ab ac bc = 6; answer a c b: a c b ac ab cb = 6; common a b c ab ac = 5
    assert rouge_su4(list("acb"), [list("abc")]).f1 == pytest.approx(2 * 5 / (6 + 6))
    # six terms apart there is no pair: a and g stand with five between
    assert rouge_su4(list("abcdefg"), [list("ag")]).recall == pytest.approx(2 / 3)


@pytest.mark.parametrize("measure", [lambda a, g: rouge_n(a, g, 1), rouge_l, rouge_su4])
def test_nothing_in_common_and_nothing_at_all_score_0(measure) -> None:  # type: ignore[no-untyped-def]
    assert [
        measure(*each).f1 for each in ((["a"], [["b"]]), ([], [["b"]]), (["a"], [[]]), (["a"], []))
    ] == [0.0] * 4


@given(
    st.lists(st.sampled_from("abcd"), max_size=12), st.lists(st.sampled_from("abcd"), max_size=12)
)
def test_rouge_is_what_the_package_computes(answer: list[str], gold: list[str]) -> None:
    class Spaces:
        def tokenize(self, text: str) -> list[str]:
            return text.split()

    package = RougeScorer(["rouge1", "rouge2", "rougeL"], tokenizer=Spaces()).score(
        " ".join(gold), " ".join(answer)
    )
    ours = {
        "rouge1": rouge_n(answer, [gold], 1),
        "rouge2": rouge_n(answer, [gold], 2),
        "rougeL": rouge_l(answer, [gold]),
    }
    for name, theirs in package.items():
        assert tuple(ours[name]) == pytest.approx(
            (theirs.precision, theirs.recall, theirs.fmeasure)
        )


def test_a_nugget_is_there_when_seven_tenths_of_its_weight_is() -> None:
    weight = {"suez": 5.0, "canal": 2.0, "opened": 3.0}.__getitem__
    nugget = Nugget(("suez", "canal", "opened", "canal"), 2.0)
    assert share_present(nugget, frozenset({"suez", "canal"}), weight) == (5 + 2) / (5 + 2 + 3)
    assert contains_nuggets([nugget], ["canal", "suez"], weight) == [True]
    assert contains_nuggets([nugget], ["canal", "opened"], weight) == [False]


def test_pyramid_weighs_nuggets_and_recall_counts_them() -> None:
    nuggets = [Nugget(("a",), 3.0), Nugget(("b",), 1.0), Nugget(("c",), 2.0)]
    assert pyramid(nuggets, [True, False, True]) == (3 + 2) / (3 + 1 + 2)
    assert pyramid([], []) == 0.0


def test_idf_over_texts() -> None:
    idf = idf_over([["a", "a", "b"], ["a"]])
    assert [idf("a"), idf("b"), idf("new")] == [
        math.log(1 + 2 / 2),
        math.log(1 + 2 / 1),
        math.log(1 + 2 / 1),
    ]


def test_agreement_by_hand() -> None:
    # three pairs, one of them in the other order: tau = (2 - 1) / 3
    found = agreement([3, 2, 1], [30, 10, 20])
    assert found.kendall == pytest.approx((2 - 1) / 3)
    # ranks 3 2 1 and 3 1 2: rho = 1 - 6 * (0 + 1 + 1) / (3 * (9 - 1))
    assert found.spearman == pytest.approx(1 - 6 * 2 / (3 * 8))
    # deviations 1 0 -1 and 10 -10 0: r = 10 / sqrt(2 * 200)
    assert found.pearson == pytest.approx(10 / math.sqrt(2 * 200))


def test_agreement_without_spread_is_undefined() -> None:
    assert agreement([1, 1], [1, 2])[:3] == (None, None, None)
    assert agreement([1], [1]).pairs == 1
