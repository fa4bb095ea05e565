"""Rows of traces made ready to be drawn: who answered, what is right, how sure, and why; expected
by hand."""

from __future__ import annotations

import math
from typing import Any

import pytest

from answerer.page.drawn import Candidate, Drawn, Gold, ReasonPart, draw_question
from answerer.page.pieces import MarkedPiece
from tests.answerer.traces import exam_row, question


def drawn_choice(**fields: Any) -> Candidate:
    """The only choice of a question, with these fields of its trace."""
    row = exam_row([1.0], "1")
    row["candidates"][0] |= fields
    return draw_question("ntcir-mc", question(row)).candidates[0]


def chosen(found: Drawn) -> list[str]:
    return [one.candidate_id for one in found.candidates if one.chosen]


def right(found: Drawn) -> list[str]:
    return [one.candidate_id for one in found.candidates if one.gold]


def test_the_margin_is_the_distance_to_the_next_choice() -> None:
    found = draw_question(
        "ntcir-mc", question(exam_row([1.0, 4.0, 2.5], "2")), Gold(candidate_ids=frozenset("3"))
    )
    assert (found.margin, found.unsure, chosen(found), right(found)) == (
        4.0 - 2.5,
        False,
        ["2"],
        ["3"],
    )


def test_where_the_false_one_is_asked_for_the_lowest_score_wins() -> None:
    assert (
        draw_question("ntcir-mc", question(exam_row([1.0, 4.0, 2.5], "1", "F"))).margin == 2.5 - 1.0
    )


def test_an_answer_where_the_false_one_is_asked_for_is_unsure_at_any_margin() -> None:
    assert draw_question("ntcir-mc", question(exam_row([0.0, 10.0, 9.0], "1", "F"))).unsure


@pytest.mark.parametrize(("second", "unsure"), [(9.0, True), (8.9, False)])
def test_a_margin_of_a_tenth_of_the_whole_distance_is_unsure(second: float, unsure: bool) -> None:
    assert draw_question("ntcir-mc", question(exam_row([10.0, second, 0.0], "1"))).unsure is unsure


def test_candidates_of_a_free_answer_are_known_by_their_texts() -> None:
    candidates = [
        {"id": 1, "text": "Baghdad", "score": 2.0},
        {"id": 2, "text": "Damascus", "score": 1.0},
    ]
    row = {
        "question_id": "S1",
        "question": "Which city?",
        "system": ["Baghdad"],
        "candidates": candidates,
    }
    found = draw_question("ntcir-term", question(row), Gold(["damascus"]))
    assert (found.answer, chosen(found), right(found)) == ("Baghdad", ["1"], ["2"])


@pytest.mark.parametrize("task", ["datasearch-qa", "nlpcc-kbqa"])
def test_a_figure_is_not_taken_for_the_rank_of_another_candidate(task: str) -> None:
    candidates = [{"id": "1", "text": "2", "score": 0.7}, {"id": "2", "text": "19", "score": 0.25}]
    row = {"question_id": "1", "question": "How many?", "system": "2", "candidates": candidates}
    found = draw_question(task, question(row), Gold(["2"]))
    assert (found.margin, chosen(found), right(found)) == (0.7 - 0.25, ["1"], ["1"])


def test_names_are_marked_with_what_they_add_and_explained_in_words() -> None:
    names = {
        "khufu": {"sum": 1.5, "pmi_window": 1.0, "pmi_section": 0.5},
        "(statement)": {"sum": -0.25, "rest": -0.25},
    }
    statement = {"text": "Khufu built it.", "score": 1.0, "names": names}
    one = drawn_choice(text="Khufu built it.", statements=[statement])
    assert one.text == [MarkedPiece("Khufu", "name", 1.5, "khufu"), " built it."]
    reasons = [(reason.name, reason.value, reason.parts) for reason in one.reasons]
    assert reasons == [
        ("khufu", 1.5, [ReasonPart("the names occur together", 1.5)]),
        ("to begin with", -0.25, [ReasonPart("the same for every statement", -0.25)]),
    ]


def test_evidence_has_its_matched_words_marked() -> None:
    evidence = {"doc_id": "d1", "text": "The kings ruled.", "score": 2.5, "terms": {"king": 2.5}}
    passage = drawn_choice(evidence=[evidence]).passages[0]
    assert passage.text == ["The ", MarkedPiece("kings", "term", 2.5), " ruled."]


def test_an_essay_is_a_text_with_its_keywords_marked() -> None:
    sentence = {"id": "d1", "text": "China lost the Opium War.", "score": 1.0, "chosen": True}
    other = {"id": "d2", "text": "Batu came.", "score": 0.5, "chosen": False}
    row = {
        "question_id": "E1",
        "shape": "essay",
        "system": "China lost the Opium War.",
        "candidates": [sentence, other],
    }
    found = draw_question(
        "ntcir-essay", question({**row, "keywords": {"Opium War": "d1", "Suez": ""}})
    )
    assert found.written == ["China lost the ", MarkedPiece("Opium War", "keyword"), "."]
    assert chosen(found) == ["d1"]
    assert ("keywords not used", "Suez") in found.facts


def test_only_the_first_candidates_the_answer_and_the_gold_are_explained() -> None:
    scores = [float(-place) for place in range(30)]
    row = exam_row(scores, "1")
    for one in row["candidates"]:
        one["features"] = {"new": 1.0}
    found = draw_question("selqa", question(row), Gold(candidate_ids=frozenset(["30"])))
    assert [one.candidate_id for one in found.candidates if one.reasons] == [
        *map(str, range(1, 7)),
        "30",
    ]


def test_signals_are_weighted_where_their_weights_are_known() -> None:
    row = {
        "question_id": "S1",
        "candidates": [{"text": "Rome", "features": {"glossed": 0.5, "proximity": 2.0}}],
    }
    reason = (
        draw_question("ntcir-term", question(row), weights={"glossed": 2.0, "proximity": -1.0})
        .candidates[0]
        .reasons[0]
    )
    assert reason.parts == [
        ReasonPart("near the question's words", -2.0),
        ReasonPart("where definitions name things", 1.0),
    ]
    assert (
        draw_question("ntcir-term", question(row)).candidates[0].reasons[0].name == "before weights"
    )
    own = draw_question(
        "ntcir-term",
        question(row | {"weights": {"glossed": 4.0}}),
        weights={"glossed": 2.0, "proximity": -1.0},
    )
    assert own.candidates[0].reasons[0].parts == [ReasonPart("where definitions name things", 2.0)]


def test_a_name_is_marked_where_the_trace_says_that_it_stands() -> None:
    statement = {"text": "Antigonid Macedonia", "score": 1.0, "names": {"macedon": {"sum": -1.0}}}
    statements = [{**statement, "places": {"macedon": [10, 19], "unjudged": [0, 9]}}]
    assert drawn_choice(text="Antigonid Macedonia", statements=statements).text == [
        "Antigonid ",
        MarkedPiece("Macedonia", "name", -1.0, "macedon"),
    ]


def mark(kind: str, start: int, end: int, label: str = "") -> dict[str, Any]:
    return {"kind": kind, "start": start, "end": end, **({"label": label} if label else {})}


def test_what_the_paper_marks_is_marked_and_its_lines_with_a_gap_are_quoted() -> None:
    row = {**exam_row([1.0], "1"), "question": "In regard to Egypt, fill (4).\na map"}
    row["marks"] = [mark("underline", 13, 18), mark("gap", 25, 28), mark("label", 30, 30, "map")]
    row["gaps"] = [{"label": "(4)", "text": "The (4) rose.", "marks": [mark("gap", 4, 7)]}]
    found = draw_question("ntcir-mc", question(row))
    assert found.text == [
        "In regard to ",
        MarkedPiece("Egypt", "underline"),
        ", fill ",
        MarkedPiece("(4)", "gap"),
        ".\n",
        MarkedPiece("", "label", note="map"),
        "a map",
    ]
    assert found.around == [["The ", MarkedPiece("(4)", "gap"), " rose."]]


def test_a_name_inside_a_wavy_line_is_marked_as_both() -> None:
    statement = {
        "text": "Then Khufu built.",
        "score": 1.0,
        "names": {"khufu": {"sum": 1.0}},
        "places": {"khufu": [5, 10]},
    }
    marks = [mark("wavy", 7, 17)]
    assert drawn_choice(text=statement["text"], statements=[statement], marks=marks).text == [
        "Then ",
        MarkedPiece("Kh", "name", 1.0, "khufu"),
        MarkedPiece("ufu", "name", 1.0, "khufu", "wavy"),
        MarkedPiece(" built.", "wavy"),
    ]


def test_what_a_choice_claims_is_said_where_it_is_not_the_choice_itself() -> None:
    statement = {
        "text": "Khufu built it.",
        "score": 1.0,
        "names": {"khufu": {"sum": 1.0}},
        "places": {"khufu": [0, 5]},
    }
    assert drawn_choice(text="(A)-Khufu", statements=[statement]).said == [
        [MarkedPiece("Khufu", "name", 1.0, "khufu"), " built it."]
    ]


def test_the_sentences_of_an_essay_stand_in_its_order_each_with_what_it_is_the_first_to_cover() -> (
    None
):
    def sentence(doc_id: str, text: str, terms: dict[str, float]) -> dict[str, Any]:
        evidence = [{"doc_id": "p1", "title": "Wars", "text": text, "score": 1.0, "terms": terms}]
        return {"id": doc_id, "text": text, "score": 1.0, "chosen": True, "evidence": evidence}

    first = sentence("d2", "Opium came.", {"opium": 0.5, "war": 0.25})
    second = sentence("d1", "War came.", {"war": 0.25, "ship": 0.125, "naught": 0.0})
    row = {
        "question_id": "E1",
        "shape": "essay",
        "system": "Opium came. War came.",
        "candidates": [second, first],
    }
    found = draw_question(
        "ntcir-essay",
        question({**row, "keywords": {"Opium": "d2"}, "covered": 0.875, "uncovered": {"tea": 0.1}}),
    )
    assert [(one.doc_id, one.title, one.covers) for one in found.sentences] == [
        ("d2", "Wars", [ReasonPart("Opium", 0.5), ReasonPart("war", 0.25)]),
        ("d1", "Wars", [ReasonPart("ship", 0.125)]),
    ]
    assert found.sentences[0].text == [MarkedPiece("Opium", "keyword"), " came."]
    assert found.facts == [
        ("covered", "88% of what the concepts are worth"),
        ("not covered", "tea"),
    ]


def test_a_sentence_of_an_essay_is_worth_what_its_concepts_are() -> None:
    evidence = {
        "doc_id": "p1",
        "title": "Wars",
        "text": "War came.",
        "score": 1.0,
        "terms": {"war": 0.25, "came": 0.5},
    }
    signals = {"chosen": 0, "sentence score": 0.75, "paragraph score": 1.0, "keywords": 0}
    one = {
        "id": "d1",
        "text": "War came.",
        "score": 0.75,
        "features": signals,
        "evidence": [evidence],
    }
    found = draw_question(
        "ntcir-essay",
        question({"question_id": "E1", "shape": "essay", "system": "", "candidates": [one]}),
    )
    assert [(each.name, each.value, each.parts) for each in found.candidates[0].reasons] == [
        ("what it covers", 0.25 + 0.5, [ReasonPart("came", 0.5), ReasonPart("War", 0.25)]),
        (
            "how it was found",
            None,
            [
                ReasonPart("its paragraph fits the question", 1.0),
                ReasonPart("the sentence fits the question", 0.75),
            ],
        ),
    ]
    assert found.candidates[0].said == [["Wars"]]


def test_an_answer_of_several_objects_is_right_where_all_are() -> None:
    candidates = [
        {"id": "1", "text": "Bao\tLin", "score": 1.0, "fact": ["Dream", "persons", "Bao", "Lin"]}
    ]
    row = {"question_id": "1", "question": "Who?", "system": "Bao\tLin", "candidates": candidates}
    assert right(draw_question("nlpcc-kbqa", question(row), Gold(("Lin", "Bao")))) == ["1"]
    assert right(draw_question("nlpcc-kbqa", question(row), Gold(("Bao",)))) == []
    assert draw_question("nlpcc-kbqa", question(row)).candidates[0].fact == (
        "Dream",
        "persons",
        "Bao、Lin",
    )


def test_an_object_of_several_parts_is_right_where_its_parts_are_the_gold() -> None:
    """Scoring parts 演员|||歌手 into two answers, in the gold as in the run."""
    assert Gold(("演员", "歌手")).holds("1", "演员|||歌手")
    assert not Gold(("演员",)).holds("1", "演员 ||| 歌手")


def test_an_answer_below_the_best_is_not_unsure() -> None:
    found = draw_question("ntcir-mc", question(exam_row([10.0, 9.5, 0.0], "2")))
    assert (found.margin, found.unsure) == (9.5 - 10.0, False)


def test_a_table_without_a_word_of_the_question_adds_nothing_for_words() -> None:
    """Its signals are measured against the other tables, so that one with a negative weight adds
    for holding less."""
    signals = {
        "cells, all: bm25": 0.5,
        "caption + header, all: sum": -0.25,
        "caption + header + cells, all: sum": 0.125,
    }
    tables = [
        {
            "id": name,
            "text": name,
            "score": 0.375,
            "features": signals,
            "evidence": [{"text": name, "terms": terms}],
        }
        for name, terms in (("Rivers", {}), ("Bridges", {"bridg": 1.2}))
    ]
    row = {
        "question_id": "1",
        "question": "Which bridges are long?",
        "system": "1",
        "candidates": tables,
    }
    rivers, bridges = draw_question("nlpcc-tbqa", question(row)).candidates
    assert rivers.reasons[0].parts == [
        ReasonPart("no content word in common with the question", 0.375)
    ]
    assert bridges.reasons[0].parts == [
        ReasonPart("the cells", 0.5),
        ReasonPart("the caption and headers", -0.25),
        ReasonPart("the whole table", 0.125),
    ]


def test_a_verdict_is_set_off_from_the_sentence_that_it_quotes() -> None:
    said = [
        {"id": "1", "verdict": "supported: “It is: so.” (Egypt)"},
        {"id": "2", "verdict": "none of it"},
    ]
    one, two = draw_question("ntcir-mc", question({"candidates": said})).candidates
    assert one.said == [[MarkedPiece("supported", "verdict"), ": “It is: so.” (Egypt)"]]
    assert two.said == [[MarkedPiece("none of it", "verdict")]]


def test_what_candidates_combine_is_said_once_with_how_likely_it_is() -> None:
    def statement(text: str, claimed: bool) -> dict[str, object]:  # 80 % likely to be true
        likely = math.log(0.8 if claimed else 0.2)
        return {
            "text": text,
            "score": 1.0,
            "names": {},
            "claimed": claimed,
            "log_probability": likely,
        }

    choices = [{"id": n, "statements": [statement("So.", n == "1")]} for n in ("1", "2")]
    events = [
        {"event": "Rome fell.", "times": {"450–499": 0.6, "100–149": 0.1}},
        {"event": "It rose.", "times": {}},
    ]
    orders = [{"id": "1", "events": events}, {"id": "2", "events": events[::-1]}]
    assert draw_question("ntcir-mc", question({"candidates": choices})).items == [
        ["So.", " — ", MarkedPiece("80% likely to be true", "verdict")]
    ]
    assert draw_question("ntcir-mc", question({"candidates": orders})).items == [
        ["Rome fell. — ", MarkedPiece("450–499 (60%)", "verdict")],
        ["It rose. — ", MarkedPiece("no date is likely", "verdict")],
    ]


def test_an_answer_is_unsure_by_its_probability_where_the_trace_has_one() -> None:
    given = [
        {"id": "1", "score": 9.0, "probability": 0.59},
        {"id": "2", "score": 1.0, "probability": 0.41},
    ]
    found = draw_question("ntcir-mc", question({"system": "1", "candidates": given}))
    assert (found.probability, found.unsure) == (0.59, True)
