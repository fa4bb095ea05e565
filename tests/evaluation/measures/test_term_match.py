"""How answers of a few words are compared."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.measures.answer_sets import best_assignment, credit, fold_text, is_match, overlap


def test_case_width_blanks_and_marks_do_not_count() -> None:
    assert fold_text("Léon Bat\u00adtista\u200b Alberti\ufe0e") == fold_text(
        "Léon Battista Alberti"
    )
    assert fold_text(" Ｌéon・Battista  Alberti. ") == fold_text("léon battista alberti")
    assert fold_text("‘Nizam’") == "nizam"
    assert fold_text("サン‐テグジュペリ") == fold_text("サン゠テグジュペリ") == "サンテグジュペリ"


def test_an_empty_answer_matches_nothing() -> None:
    assert not is_match("・", ["", "・"])


def test_partial_credit_is_the_best_f1_over_the_alternatives() -> None:
    # 東ローマ帝国 (6 characters) against ローマ帝国 (5), all five common: 2 * 5 / (6 + 5)
    assert overlap("東ローマ帝国", ["漢", "ローマ帝国"]) == pytest.approx(2 * 5 / (6 + 5))
    # "Battle of Actium" against "Actium battle at sea": two words common: 2 * 2 / (3 + 4)
    assert overlap("Battle of Actium", ["Actium battle at sea"]) == pytest.approx(2 * 2 / (3 + 4))


def test_an_exact_match_type_gives_no_partial_credit() -> None:
    assert credit("東ローマ帝国", ["ローマ帝国"], "exact") == 0.0
    assert credit("ローマ帝国", ["ローマ帝国"], "exact") == 1.0


def test_each_answer_fills_one_slot_at_the_highest_sum() -> None:
    # the first answer would fill slot 0 with 1.0, but then slot 1 had nothing: 0.9 + 1.0 is the
    # highest sum
    assert best_assignment([[1.0, 0.9], [1.0, 0.0]]) == [0.9, 1.0]
    assert best_assignment([[1.0], [0.5]]) == [1.0, 0.0]
    assert best_assignment([]) == []


@given(st.text(), st.lists(st.text(), max_size=4), st.sampled_from(["exact", "broad", ""]))
def test_credit_lies_between_nothing_and_a_match(
    answer: str, alternatives: list[str], match_type: str
) -> None:
    found = credit(answer, alternatives, match_type)
    assert 0.0 <= found <= 1.0
    assert (found == 1.0) >= is_match(answer, alternatives)
