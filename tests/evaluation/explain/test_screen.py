"""A question of a trace as a screen of text: what stands in its lines, expected by hand."""

from __future__ import annotations

import math
from typing import Any

import pytest

from answerer.page.drawn import NO_GOLD, Gold, draw_question
from evaluation.explain import question_screen
from tests.answerer.traces import exam_row, question

Row = dict[str, Any]


def screen(row: Row, gold: Gold = NO_GOLD, task: str = "ntcir-mc", width: int = 80) -> list[str]:
    shown = draw_question(task, question(row), gold)
    return [line.rstrip() for line in question_screen("A1", shown, gold, width)]


def asked(text: str, system: object, *candidates: Row, **more: Any) -> Row:
    """A question with what was answered to it."""
    return {
        "question_id": "1",
        "question": text,
        "system": system,
        "candidates": [*candidates],
        **more,
    }


def statement(text: str, score: float, **names: dict[str, float]) -> Row:
    places = {
        name: [text.index(name.title()), text.index(name.title()) + len(name)] for name in names
    }
    return {"text": text, "score": score, "names": names, "places": places}


def test_choices_stand_as_bars_with_our_answer_and_the_gold() -> None:
    assert screen(exam_row([2.0, 1.0, 0.0], "1"), Gold(candidate_ids=frozenset("2"))) == [
        "A1  ✗ wrong  margin 1.00  sentence, which is right",
        "Which?",
        "",
        "▸  1 ██████████████████    2.00  choice 1",
        " ★ 2 █████████             1.00  choice 2",
        "   3                       0.00  choice 3",
        "▸ our answer   ★ key",
    ]


@pytest.mark.parametrize(
    ("answer", "gold"), [(["a", "b"], ("b", "a")), ("100 km / h", ("100 km / h",))]
)
def test_several_answers_are_right_together_and_one_may_have_a_slash(
    answer: object, gold: tuple[str, ...]
) -> None:
    assert screen(asked("How fast?", answer), Gold(gold))[0] == "A1  ✓ right"


def test_a_narrow_margin_is_unsure() -> None:
    assert (
        screen(exam_row([9.95, 10.0, 0.0], "2"))[0]
        == "A1  unsure, margin 0.05  sentence, which is right"
    )


def test_verdicts_open_the_answer_before_its_numbers_ours_first() -> None:
    row = exam_row([0.0, 1.0], "2")
    row["candidates"][0] |= {
        "verdict": "no passage says so; the nearest: “Rome fell.” (Rome, p. 9)",
        "probability": 0.2,
    }
    row["candidates"][1] |= {
        "verdict": "its words stand near the question's in: “Rome rose.” (Rome)",
        "probability": 0.8,
    }
    lines = screen(row)
    assert lines[0] == "A1  sure: 80%  sentence, which is right"
    assert lines[3:6] == [
        "2 choice 2 — its words stand near the question's in: “Rome rose.” (Rome)",
        "1 choice 1 — no passage says so; the nearest: “Rome fell.” (Rome, p. 9)",
        "",
    ]
    assert lines[-1] == "▸ our answer"  # not said again as a reason


def test_of_negative_scores_the_best_has_the_longest_bar() -> None:
    lines = screen(exam_row([-4.0, -1.0], "2"))
    assert lines[3].split() == ["1", "█", "−4.00", "choice", "1"]
    assert lines[4].split() == ["▸", "2", "█" * 18, "−1.00", "choice", "2"]


def test_a_name_is_shown_with_its_link_and_its_strongest_reasons() -> None:
    row = exam_row([1.0, 0.0], "1")
    text = "The Han fell."
    signals = {
        "pmi_window": 0.5,
        "date_in_passage": -0.2,
        "latent_rest": 0.3,
        "is_period": 0.1,
        "sum": 0.7,
    }
    one = {
        "text": text,
        "score": 1.0,
        "names": {"later han": signals},
        "places": {"later han": [4, 7]},
    }
    row["candidates"][0] |= {"text": text, "statements": [one]}
    found = screen(row)
    assert found[found.index("why 1") + 1 :] == [
        "  Han → later han  +0.70  the names occur together +0.50 · the same subject",
        "    matter +0.30 · the date fits −0.20 · all else +0.10",
    ]


def test_what_was_answered_wrong_comes_with_the_reasons_of_the_gold_but_nothing_twice() -> None:
    shared = {
        **statement("Sparta won.", 1.0, sparta={"sum": 1.0, "date_in_passage": 1.0}),
        "claimed": True,
        "log_probability": math.log(0.8),
    }
    other = statement("Athens won.", -1.0, athens={"sum": -1.0, "date_in_passage": -1.0})
    row = exam_row([0.5, 0.4], "1")
    for candidate, claimed in zip(row["candidates"], (True, False), strict=True):
        own = {"claimed": claimed, "log_probability": math.log(0.6 if claimed else 0.4)}
        candidate["statements"] = [shared, {**other, **own}]
    found = screen(row, Gold(candidate_ids=frozenset("2")))
    assert found[found.index("why 1") + 1 : found.index("why 2") - 1] == [
        "  is true, 80% likely: Sparta won.  −0.22",
        "  Sparta  +1.00  the date fits +1.00",
        "  is true, 60% likely: Athens won.  −0.51",
        "  Athens  −1.00  the date fits −1.00",
    ]
    assert found[found.index("why 2") + 1 :] == [
        "  is false, 40% likely: Athens won.  −0.92",
        "  Athens  −1.00  the date fits −1.00",
    ]


def test_a_passage_has_its_title_its_place_and_what_it_shares() -> None:
    row = exam_row([1.0, 0.0], "1")
    terms = {"king": 2.5, "rule": 0.5}
    row["candidates"][0]["evidence"] = [
        {"doc_id": "d-1", "title": "Kings", "text": "Kings ruled.", "terms": terms}
    ]
    assert screen(row)[-2:] == [
        "  “Kings ruled.”",
        "  — Kings · d-1 · matched: Kings 2.5, ruled 0.5",
    ]


def test_of_many_candidates_the_first_ours_and_the_right_ones_are_listed() -> None:
    row = exam_row([float(-place) for place in range(30)], "1")
    found = screen(row, Gold(candidate_ids=frozenset(["20"])), "selqa")
    listed = [line.split()[-1] for line in found if " choice " in line]
    assert listed == ["1", "2", "3", "4", "5", "6", "20"]
    assert "   and 23 more" in found


def test_a_fact_is_a_line() -> None:
    fact = {"id": "1", "text": "范仲淹", "score": 0.9, "fact": ["岳阳楼记", "作者", "范仲淹"]}
    found = screen(asked("谁？", "范仲淹", fact), Gold(["范仲淹"]), "nlpcc-kbqa")
    assert found[0] == "A1  ✓ right"
    assert found[3] == "▸★ 1 ██████████████████    0.90  岳阳楼记 → 作者 → 范仲淹"


def test_a_gold_that_is_no_candidate_is_told() -> None:
    row = asked("Who?", ["Rome"], {"text": "Rome", "score": 1.0})
    assert "gold        Athens (no candidate)" in screen(row, Gold(["Athens"]), "ntcir-term")


def test_an_essay_stands_beside_the_gold_essay() -> None:
    row = asked("Explain.", "China lost.", shape="essay", length=2, limit=60, unit="words")
    found = screen(row, Gold(["China was beaten."]), "ntcir-essay")
    assert found[:2] == ["A1  essay", "Explain."]
    assert found[2] == "length: 2 of 60 words"
    assert found[-2:] == ["our answer  China lost.", "gold        China was beaten."]


@pytest.mark.parametrize("width", [40, 100])
def test_no_line_is_wider_than_the_screen(width: int) -> None:
    from indexer.cli.screen import columns

    row = exam_row([1.0, -2.0], "1")
    row |= {"question": "漢の武帝は" * 60, "note": "unknown " * 50}
    row["candidates"][0] |= {
        "text": "𠮷野家" * 100,
        "statements": [statement("Rome fell. " * 9, 1.0)],
    }
    row["candidates"][0]["evidence"] = [
        {"doc_id": "d" * 90, "text": "x" * 500, "terms": {"king": 1.0}}
    ]
    assert max(map(columns, screen(row, width=width))) <= width


def test_a_cell_is_shown_in_its_table_with_the_cells_that_led_to_it() -> None:
    rows = [[3, ["Rome", "7", "abc"]], [4, ["Oslo", "12", "d"]]]
    table = {
        "title": "Towns",
        "size": [9, 3],
        "columns": [["Town"], ["Size", "ha"], ["Note"]],
        "rows": rows,
    }
    one = {"id": "1", "text": "Oslo", "score": 0.9, "derivation": "all rows, largest Size"}
    table |= {"labels": 1, "answer": [1, 0], "used": [[0, 1], [1, 1]]}
    row = asked("Which is largest?", "Oslo", {**one, "table": table})
    found = screen(row, task="datasearch-qa")
    assert found[found.index("why 1") + 1 :] == [
        "  all rows, largest Size",
        "  Towns (of 9 rows and 3 columns)",
        "  Town    Size / ha  Note",
        "  Rome    ‹7›        abc",
        "  [Oslo]  ‹12›       d",
    ]


def test_a_long_cell_is_cut_at_its_end_and_a_long_heading_to_its_last_part() -> None:
    names = ["Ann Archer", "Bob Baker", "Cleo Carter"]
    rows = [[0, [" / ".join(names), "1"]]]
    table = {
        "title": "",
        "size": [1, 2],
        "columns": [[f"Driver {'x' * 20}", "Passenger"], ["Won"]],
        "rows": rows,
    }
    one = {
        "id": "0",
        "text": "Races",
        "score": 1.0,
        "table": {**table, "labels": 0, "answer": None, "used": [], "matched": [[0, 0]]},
    }
    row = asked("Who won?", "0", one)
    found = screen(row, task="nlpcc-tbqa")
    assert found[found.index("why 0") + 1 :][:2] == [
        "  Passenger                 Won",
        "  ‹Ann Archer / Bob Bake…›  1",
    ]


def test_a_term_in_two_cases_is_matched_once() -> None:
    terms = {"man": 0.88, "peke": 1.4}
    one = {
        "id": "0",
        "text": "Peking Man, a man.",
        "score": 1.0,
        "evidence": [{"text": "Peking Man, a man.", "terms": terms}],
    }
    row = asked("When was Peking Man found?", "0", one)
    assert screen(row, task="selqa")[-1] == "  matched: Peking 1.4, Man 0.88"


def test_the_sentences_of_an_essay_have_their_sources() -> None:
    evidence = {
        "doc_id": "p1",
        "title": "Wars",
        "text": "China lost.",
        "terms": {"china": 0.5, "lost": 0.25},
    }
    one = {
        "id": "p1-001",
        "text": "China lost.",
        "score": 1.0,
        "chosen": True,
        "evidence": [evidence],
    }
    row = asked("Explain.", "China lost.", one, shape="essay")
    assert screen(row, task="ntcir-essay")[-3:] == [
        "made of",
        "  1. China lost.",
        "  — Wars · p1-001 · first to cover: China 0.5, lost 0.25",
    ]
